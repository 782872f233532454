package import Foundation
package import ParleyNode

/// The part of a host that a page uses.
extension AppHost {
    /// An entry as people see it, with names in its texts.
    package func bubble(
        _ entry: TranscriptEntry,
        in conversation: String
    ) async throws(HostError) -> Bubble {
        let model = try await model(of: conversation)
        await withStickers(of: [entry], model)
        return Self.bubble(entry, model)
    }

    /// A part of a transcript, oldest entry first.
    package struct TranscriptPart {
        package var bubbles: [Bubble] = []
        /// The cursor for the entries before these; nil if there are none.
        package var next: TranscriptCursor?

        /// The most entries of the node that are read for one part, listed or not.
        package static let readMax = 1_000
    }

    /// Reads the last listed entries of a transcript, or the last before the cursor.
    ///
    /// The part has `count` entries or some more; fewer, even none, if few of `readMax` are listed.
    package func part(
        of conversation: String,
        last count: Int,
        before cursor: TranscriptCursor?
    ) async throws(HostError) -> TranscriptPart {
        let model = try await model(of: conversation)
        return try await HostError.awaited {
            read(model, last: count, before: TranscriptPart(next: cursor), $0)
        }
    }

    /// A session with all its heads, as people see it.
    package func bubbles(
        _ detail: SessionDetail
    ) async throws(HostError) -> (shown: Bubble, others: [Bubble], replaced: [Bubble]) {
        let model = try await model(of: detail.conversation)
        await withStickers(of: ([detail.shown] + detail.others).map { .message($0) }, model)
        return (
            Self.bubble(.message(detail.shown), model),
            detail.others.map { Self.bubble(.message($0), model) },
            detail.replaced.map { Self.bubble(.summary($0), model) }
        )
    }

    /// The number of heads of a session; 1 unless a conflict is known.
    package func headCount(of session: SessionID, in conversation: String) -> Int {
        1 + (models[conversation]?.sessions[session]?.others.count ?? 0)
    }

    /// The panel of an app in a conversation, if there is one.
    package func knownPanel(_ app: String, in conversation: String) -> AppPanel? {
        panels(in: conversation).first { $0.app.id == app }
    }

    /// Whether a message is shown, or is another head of a conflict.
    package func isShown(_ message: MessageID, in conversation: String) -> Bool {
        models[conversation]?.head(message) != nil
    }

    /// Takes a seat in the match of a message.
    package func join(_ message: MessageID, in conversation: String) async throws(HostError) {
        let model = try await model(of: conversation)
        guard let session = model.head(message)?.session else { throw .cannot(.takeSeat) }
        try await HostError.awaited { matches.perform(.takeSeat, in: session, of: model, $0) }
    }

    /// Makes the bubble that the app of a message draws; nil if the layout is not live, or the app
    /// is missing here.
    package func live(
        _ message: MessageID,
        in conversation: String,
        offered: CGSize
    ) async throws(HostError) -> LiveBubble? {
        let model = try await model(of: conversation)
        let found = await withCheckedContinuation { done in
            head(message, of: model) { done.resume(returning: $0) }
        }
        guard let shown = found else {
            throw .unknownMessage(message.description)
        }
        let bubble = Self.bubble(.message(shown), model)
        return await withCheckedContinuation { done in
            live(bubble, in: conversation, offered: offered) { done.resume(returning: $0) }
        }
    }

    /// Sends a text that a person wrote.
    package func send(
        text: String,
        replyingTo reply: SessionID? = nil,
        to conversation: String
    ) async throws(HostError) -> SentMessage {
        let draft = try OutgoingMessage.draft(text: text, replyingTo: reply)
        return try await sent(draft, to: conversation)
    }

    /// Sends a file that a person chose; `keepsMetadata` matters for pictures only.
    package func send(
        file: Data,
        name: String,
        keepsMetadata: Bool,
        to conversation: String
    ) async throws(HostError) -> SentMessage {
        let draft = try OutgoingMessage.draft(
            file: file,
            name: name,
            keepsMetadata: keepsMetadata
        )
        return try await sent(draft, to: conversation)
    }

    private func sent(
        _ draft: Draft,
        to conversation: String
    ) async throws(HostError) -> SentMessage {
        try await HostError.awaited { done in
            send(draft, to: conversation) { done($0.mapError { HostError($0) }) }
        }
    }

    private func withStickers(of entries: [TranscriptEntry], _ model: ConversationModel) async {
        await withCheckedContinuation { done in
            withStickers(of: entries, model) { done.resume() }
        }
    }

    private func model(of conversation: String) async throws(HostError) -> ConversationModel {
        try await HostError.awaited { models.model(of: conversation, $0) }
    }
}
