import Foundation
import ParleyCore

/// Searching the messages of all conversations.
extension Node {
    /// The shown messages whose text has all words of `text`, in any order, as parts of words too,
    /// whatever the case and the accents.
    ///
    /// The first search reads all messages, which takes some seconds for 100,000 of them; later
    /// ones read only what has changed. Searching for nothing finds nothing, and prepares a search.
    ///
    /// - Parameters:
    ///   - text: Words, of which the first 16 count.
    ///   - conversation: The name of a conversation; nil for all that this node can read.
    ///   - limit: The most messages, 1 to `TranscriptPage.entriesMax`.
    /// - Returns: the latest messages, by their authors' clocks.
    /// - Throws: `unknownConversation`, `unreadable` on a relay, `storeFailed`, `stopped`.
    public func search(
        _ text: String,
        in conversation: String? = nil,
        limit: Int = 50
    ) async throws(NodeError) -> SearchResult {
        let words = SearchWords(text)
        let id = try conversation.map { (name) throws(NodeError) in
            try reader.readable(name).record.id
        }
        let count = min(max(1, limit), TranscriptPage.entriesMax)
        let found = try await searchIndex.find(words, in: id, count: count, of: self)
        let places = try searchPlaces()
        var messages: [(SearchPlace, Message)] = []
        for key in found.keys.prefix(count) {
            guard let place = places.first(where: { $0.id == key.conversation }),
                let view = try reader.machine.conversations.view(key.tag, in: place.number),
                let message = try await details(of: [view]).first?.shown
            else { continue }
            messages.append((place, message))
        }
        return SearchResult(
            hits: await searchIndex.hits(of: messages, for: words),
            hasMore: found.keys.count > count,
            isComplete: found.isComplete
        )
    }
}

extension Node: SearchSource {
    func searchPlaces() throws(NodeError) -> [SearchPlace] { try reader.searchPlaces }

    func searchChanges(
        of conversation: UInt32,
        after position: UInt64,
        count: Int
    ) async throws(NodeError) -> [SearchChange] {
        var changes: [SearchChange] = []
        for view in try reader.changes(of: conversation, after: position, count: count) {
            let detail = try await details(of: [view]).first
            changes.append(
                SearchChange(tag: view.tag, position: view.position, message: detail?.shown)
            )
        }
        return changes
    }
}

extension MessageReader {
    /// The conversations that can be searched.
    fileprivate var searchPlaces: [SearchPlace] {
        machine.conversations.filter(\.keys.canRead).map { conversation in
            let people = self.conversation(conversation).participants
            let names = people.compactMap { person in person.name.map { (person.id, $0) } }
            return SearchPlace(
                id: conversation.record.id,
                number: conversation.number,
                name: conversation.record.name,
                latest: conversation.feed.latest,
                names: NameTokens(Dictionary(names) { first, _ in first })
            )
        }
    }

    /// The first `count` sessions of a conversation that changed after a feed position.
    fileprivate func changes(
        of conversation: UInt32,
        after position: UInt64,
        count: Int
    ) -> [SessionView] {
        guard let conversation = machine.conversation(conversation) else { return [] }
        var views: [SessionView] = []
        conversation.feed.forEach(after: position) { _, session in
            if let view = conversation.view(session) { views.append(view) }
            return views.count < count
        }
        return views
    }
}
