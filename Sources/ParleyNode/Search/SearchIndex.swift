import Foundation
import ParleyCore

/// The texts of a node's conversations, for searching.
///
/// Nothing is read before the first search. Each search first reads what has changed since the one
/// before, by the change feed of each conversation, so that an index costs nothing meanwhile.
actor SearchIndex {
    private var texts = SearchTexts()
    /// The extent to which each conversation was read.
    private var known: [ConversationID: Known] = [:]
    private var isReading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// How far a conversation was read, and what else its texts follow from.
    private struct Known {
        /// Another one after the conversation was left and joined again, with a feed of its own.
        let number: UInt32
        let names: NameTokens
        /// The feed position of the last change that was read.
        var position: UInt64 = 0
    }

    /// The changes that are read from the node at a time, so that it does other work in between.
    private static let changesMax = 128

    /// The sessions that are found, one more than `count` if there are others, and whether all
    /// texts were looked through.
    func find(
        _ words: SearchWords,
        in conversation: ConversationID?,
        count: Int,
        of source: some SearchSource
    ) async throws(NodeError) -> (keys: [SearchTexts.Key], isComplete: Bool) {
        await begin()
        defer { end() }
        let places = try await source.searchPlaces()
        forgetOthers(than: places)
        for place in places { try await read(place, of: source) }
        let keys = texts.find(words, in: conversation, count: count + 1)
        return (keys, !texts.hasDropped)
    }

    /// Forgets the conversations that are not there any more, or are to be read anew.
    private func forgetOthers(than places: [SearchPlace]) {
        let current = known.filter { id, known in
            places.contains {
                $0.id == id && $0.number == known.number && $0.names == known.names
            }
        }
        guard current.count < known.count else { return }
        texts.keep(Set(current.keys))
        known = current
    }

    private func read(
        _ place: SearchPlace,
        of source: some SearchSource
    ) async throws(NodeError) {
        var known = known[place.id] ?? Known(number: place.number, names: place.names)
        defer { self.known[place.id] = known }
        while known.position < place.latest {
            let changes = try await source.searchChanges(
                of: place.number,
                after: known.position,
                count: Self.changesMax
            )
            guard let last = changes.last else { return }
            for change in changes {
                let key = SearchTexts.Key(conversation: place.id, tag: change.tag)
                let text = change.message.map { place.text(of: $0) } ?? ""
                let sentAt = change.message?.sentAt ?? .distantPast
                texts.set(SearchWords.folded(text), of: key, sentAt: sentAt)
            }
            known.position = last.position
        }
    }

    /// The messages as hits, with the parts of their texts around the words.
    func hits(of messages: [(SearchPlace, Message)], for words: SearchWords) -> [SearchHit] {
        messages.compactMap { place, message in
            let text = place.text(of: message)
            guard !text.isEmpty else { return nil }
            return SearchHit(
                conversation: place.name,
                session: message.session,
                sender: message.sender,
                sentAt: message.sentAt,
                text: words.excerpt(of: text)
            )
        }
    }

    // MARK: One search at a time

    private func begin() async {
        guard isReading else { return isReading = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if waiting.isEmpty { isReading = false } else { waiting.removeFirst().resume() }
    }
}
