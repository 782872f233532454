public import Foundation
import ParleyCore
import ParleyStore

/// Sending and reading messages.
extension Node {
    // MARK: Sending

    /// Sends a message, which replaces the present message of its session.
    ///
    /// - Returns: the sent message, once the condition of `wait` is met.
    /// - Throws: the errors that `NodeError` lists as bad input, refused, and input and output;
    ///   `notYetDelivered` when the timeout of `wait` has passed, in which case the message is sent
    ///   nevertheless.
    public func send(
        _ draft: Draft,
        to conversation: String,
        wait: SendWait = .stored
    ) async throws(NodeError) -> SentMessage {
        try await running().send(draft, to: conversation, wait: wait)
    }

    // MARK: Transcripts

    /// The whole transcript of a conversation, oldest entry first.
    ///
    /// The array is as long as the transcript; programs that need only a part read pages.
    ///
    /// - Throws: `unknownConversation`, `unreadable` on a relay, `storeFailed`, `stopped`.
    public func transcript(of conversation: String) async throws(NodeError) -> [TranscriptEntry] {
        var entries: [TranscriptEntry] = []
        var place: TranscriptPlace? = .start
        while let next = place {
            let page = try await transcript(of: conversation, at: next)
            entries += page.entries
            place = page.next.map { .after($0) }
        }
        return entries
    }

    /// A page of the transcript of a conversation, at a cost that depends only on the page.
    ///
    /// When a session changes, its message gets a place at the end. Pages read towards the start
    /// have each message once. Pages read towards the end may have a session again, with a later
    /// message.
    ///
    /// - Parameters:
    ///   - conversation: The name of the conversation on this node.
    ///   - place: The place of the page; `next` of the result is the cursor for the following page.
    ///   - limit: The most entries, 1 to `TranscriptPage.entriesMax`.
    /// - Returns: the page.
    /// - Throws: as `transcript(of:)`.
    public func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int = TranscriptPage.entriesMax
    ) async throws(NodeError) -> TranscriptPage {
        let conversation = try reader.readable(conversation)
        let (number, position) = (conversation.number, conversation.feed.latest)
        let count = min(max(1, limit), TranscriptPage.entriesMax)
        let part = conversation.transcript(place.span, count: count)
        var entries: [TranscriptEntry] = []
        for line in part.lines {
            var view = try reader.view(of: line, in: number)
            if let found = view { view = try await withEnvelopes(found) }
            if let entry = try reader.entry(of: line, view, in: number) { entries.append(entry) }
        }
        let next = part.next.map(TranscriptCursor.init)
        return TranscriptPage(entries: entries, next: next, position: position)
    }

    // MARK: Sessions

    /// The latest sessions with a sticker or an addition on the targets, at most `count` for each.
    ///
    /// - Throws: as `transcript(of:)`.
    package func sides(
        on targets: [AdditionTarget],
        last count: Int,
        in conversation: String
    ) async throws(NodeError) -> [SessionDetail] {
        let views = try reader.sides(on: targets, last: count, in: conversation)
        return try await details(of: views)
    }

    /// Everything that this node has of a session.
    ///
    /// - Throws: `unknownSession`, `storeFailed`, `stopped`.
    public func session(_ session: SessionID) async throws(NodeError) -> SessionDetail {
        try await self.session(session, in: nil)
    }

    /// Everything that this node has of a session in one conversation, or in any if that is nil.
    ///
    /// Several conversations may have a session with the same UUID.
    package func session(
        _ session: SessionID,
        in conversation: String?
    ) async throws(NodeError) -> SessionDetail {
        let view = try await withEnvelopes(try reader.view(of: session, in: conversation))
        guard let detail = try reader.detail(of: view, session: session) else {
            throw .unknownSession(session.description)
        }
        return detail
    }

    /// Everything that this node has of the session with the head `message` in a conversation.
    ///
    /// - Throws: `unknownMessage`, `unknownConversation`, `unreadable` on a relay, `storeFailed`,
    ///   `stopped`.
    package func session(
        of message: MessageID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail {
        let view = try await withEnvelopes(try reader.view(of: message, in: conversation))
        guard let detail = try reader.detail(of: view) else {
            throw .unknownMessage(message.description)
        }
        return detail
    }

    /// The sessions with several heads in all conversations that this node can read.
    public func conflicts() async throws(NodeError) -> [Conflict] {
        try await conflicts(in: nil, after: nil, limit: .max)
    }

    /// The sessions of a conversation with more than one head.
    ///
    /// - Throws: `unknownConversation`, `unreadable` on a relay, `storeFailed`, `stopped`.
    public func conflicts(in conversation: String) async throws(NodeError) -> [Conflict] {
        try await conflicts(in: conversation, after: nil, limit: .max)
    }

    /// At most `limit` sessions with several heads, of a conversation or of all, after `session`.
    ///
    /// - Throws: as `conflicts(in:)`; `unknownSession`.
    package func conflicts(
        in conversation: String?,
        after session: SessionID?,
        limit: Int
    ) async throws(NodeError) -> [Conflict] {
        let views = try reader.conflicts(in: conversation, after: session, limit: limit)
        return try await details(of: views).map(Conflict.init)
    }

    /// The picture of a message of a session, nil if the message has none or the picture has not
    /// arrived yet.
    ///
    /// - Throws: `unknownSession`, `unknownMessage`, `storeFailed`, `stopped`.
    public func pictureBytes(
        of message: MessageID,
        session: SessionID
    ) async throws(NodeError) -> Data? {
        try await pictureBytes(of: message, session: session, in: nil)
    }

    /// The picture of a message of a session of one conversation, or of any if that is nil.
    package func pictureBytes(
        of message: MessageID,
        session: SessionID,
        in conversation: String?
    ) async throws(NodeError) -> Data? {
        let view = try await withEnvelopes(try reader.view(of: session, in: conversation))
        guard let head = view.heads.first(where: { MessageID($0.dot) == message }) else {
            throw .unknownMessage(message.description)
        }
        switch try reader.pictureSource(of: head, in: view) {
        case .message(let bytes): return bytes
        case .blob(let blob):
            guard let store = try store else { return nil }
            let stored = try await store.read { $0.blobBytes(blob, $1) }
            let picture = try stored.bytes.flatMap { (bytes) throws(NodeError) in
                try reader.opened(bytes, of: head, in: view)
            }
            if picture == nil { await (try running()).feed(.blobDoubted(blob)) }
            return picture
        case nil: return nil
        }
    }

    // MARK: Inside

    func details(of views: [SessionView]) async throws(NodeError) -> [SessionDetail] {
        var details: [SessionDetail] = []
        for view in views {
            let view = try await withEnvelopes(view)
            if let detail = try reader.detail(of: view) { details.append(detail) }
        }
        return details
    }

    /// The session with the envelopes of all heads, read from disk where necessary.
    ///
    /// If heads are replaced during the read, it starts over, at most twice.
    private func withEnvelopes(_ view: SessionView) async throws(NodeError) -> SessionView {
        var view = view
        for _ in 0..<3 {
            guard view.lacksEnvelopes, let store = try store else { break }
            let row = view.row
            view = view.filled(from: try await store.read { $0.heads(ofRow: row, $1) })
            guard view.lacksEnvelopes else { break }
            view = try reader.machine.conversations.view(view.tag, in: view.conversation) ?? view
        }
        return view
    }

    /// A reader of the machine in its present state, which is released before the next input.
    var reader: MessageReader {
        get throws(NodeError) { try running().assumeIsolated { $0.reader } }
    }

    private var store: CommitQueue? {
        get throws(NodeError) { try running().assumeIsolated { $0.store } }
    }
}

extension Conflict {
    /// The conflict of a session with several heads.
    fileprivate init(_ detail: SessionDetail) {
        self.init(
            conversation: detail.conversation,
            session: detail.session,
            shown: detail.shown,
            others: detail.others
        )
    }
}
