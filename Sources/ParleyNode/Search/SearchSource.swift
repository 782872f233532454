import Foundation
import ParleyCore

/// What a search index reads.
protocol SearchSource: Sendable {
    /// The conversations that can be searched.
    func searchPlaces() async throws(NodeError) -> [SearchPlace]

    /// The first `count` sessions of a conversation that changed after a feed position, in the
    /// order of their latest changes.
    func searchChanges(
        of conversation: UInt32,
        after position: UInt64,
        count: Int
    ) async throws(NodeError) -> [SearchChange]
}

/// A conversation with texts to search.
struct SearchPlace: Sendable {
    let id: ConversationID
    let number: UInt32
    let name: String
    /// The feed position of the latest change.
    let latest: UInt64
    let names: NameTokens

    /// What a person sees of a message as text; empty for what has no entry of its own.
    func text(of message: Message) -> String {
        guard !message.isEnd, let content = message.content, content.placement == nil,
            content.addition == nil
        else { return "" }
        var texts = content.layout?.texts ?? []
        if let text = content.text { texts = [text] }
        if texts.isEmpty {
            texts = [content.summaryText, content.accessibilityLabel].compactMap(\.self)
        }
        if texts.isEmpty, let url = content.url { texts = [url] }
        return names.resolved(texts.joined(separator: " "))
    }
}

/// A session that has changed.
struct SearchChange: Sendable {
    let tag: SessionTag
    let position: UInt64
    /// The shown message; nil if it cannot be read.
    let message: Message?
}
