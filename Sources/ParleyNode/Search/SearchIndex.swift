import Foundation
import ParleyCore

/// The texts of a node's conversations, for searching.
///
/// Nothing is read before the first search. Each search first reads what has changed since the one
/// before, by the change feed of each conversation, so that an index costs nothing meanwhile.
actor SearchIndex {
    private var texts = SearchTexts()
    /// The feed position up to which each conversation was read.
    private var positions: [ConversationID: UInt64] = [:]
    private var isReading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

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
        texts.keep(Set(places.map(\.id)))
        positions = positions.filter { id, _ in places.contains { $0.id == id } }
        for place in places { try await read(place, of: source) }
        let keys = texts.find(words, in: conversation, count: count + 1)
        return (keys, !texts.hasDropped)
    }

    private func read(
        _ place: SearchPlace,
        of source: some SearchSource
    ) async throws(NodeError) {
        while true {
            let position = positions[place.id] ?? 0
            guard position < place.latest else { return }
            let changes = try await source.searchChanges(
                of: place.number,
                after: position,
                count: Self.changesMax
            )
            guard let last = changes.last else { return }
            for change in changes {
                let key = SearchTexts.Key(conversation: place.id, tag: change.tag)
                let text = change.message.map { place.text(of: $0) } ?? ""
                let sentAt = change.message?.sentAt ?? .distantPast
                texts.set(SearchWords.folded(text), of: key, sentAt: sentAt)
            }
            positions[place.id] = last.position
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
