package import Foundation
package import ParleyValues
package import struct ParleyValues.Conversation

/// The calls of a node that apps and pages use: a whole `Node`, or the part that a guest sees.
///
/// The calls of `Node` describe what each does.
package protocol MessagingNode: Sendable {
    /// The events from now on, as `Node.events`.
    func events() async -> NodeEvents
    /// Whether an event of that stream is for apps and pages of this part of the node.
    func tells(_ event: NodeEvent) -> Bool
    /// The status of the node.
    func status() async throws(NodeError) -> NodeStatus
    /// The conversations that can be used.
    func conversations() async throws(NodeError) -> [Conversation]
    /// The members of those conversations.
    func peers() async -> [Peer]
    /// The devices that are announced or linked; none for a guest.
    func nearby() async -> [Peer]
    /// The pairings; none for a guest.
    func pairings() async -> [PairingState]

    /// Sends a message, as `Node.send`.
    func send(
        _ draft: Draft,
        to conversation: String,
        wait: SendWait
    ) async throws(NodeError) -> SentMessage
    /// Tells the members something about a game, as `Node.signal`.
    func signal(
        _ kind: SignalKind,
        about session: SessionID,
        in conversation: String
    ) async throws(NodeError)
    /// Takes the rules of the apps that run here.
    func use(_ rules: @escaping MoveDetail.Rules) async throws(NodeError)
    /// A page of a transcript, as `Node.transcript`.
    func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int
    ) async throws(NodeError) -> TranscriptPage
    /// The messages with all of some words, in one conversation or all, as `Node.search`.
    func search(
        _ text: String,
        in conversation: String?,
        limit: Int
    ) async throws(NodeError) -> SearchResult
    /// The latest sessions with a sticker or an addition on the targets, at most `count` for each.
    func sides(
        on targets: [AdditionTarget],
        last count: Int,
        in conversation: String
    ) async throws(NodeError) -> [SessionDetail]
    /// A session of a conversation.
    func session(
        _ session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail
    /// The session with the head `message`.
    func session(
        of message: MessageID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail
    /// The dice and cards in the game of a session, as the one who writes here sees them.
    func chance(
        in session: SessionID,
        of conversation: String
    ) async throws(NodeError) -> ChanceDetail
    /// The content of a part of a game; nil unless it is for the one who writes here.
    func opened(
        _ part: Match.Part,
        of match: Match,
        in session: SessionID,
        of conversation: String
    ) async throws(NodeError) -> Data?
    /// The picture of a message; nil if there is none, or it has not arrived yet.
    func pictureBytes(
        of message: MessageID,
        session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> Data?
    /// The state of an offered file, as `Node.fileTransfer`.
    func fileTransfer(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> FileTransfer
    /// The whole file, as `Node.fileURL`.
    func fileURL(of session: SessionID, in conversation: String) async throws(NodeError) -> URL?
    /// Fetches an offered file to this node, as `Node.acceptFile`.
    func acceptFile(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> FileTransfer
    /// Whether a file of so many bytes can be sent from here, as `Node.checkSpace`.
    func checkSpace(for bytes: Int) async throws(NodeError)
    /// Begins to take over a file, as `Node.upload`.
    func upload(
        of bytes: Int,
        named name: String,
        type: String,
        to conversation: String
    ) async throws(NodeError) -> FileUpload
    /// Offers a file that was handed over, as `Node.offer`.
    func offer(_ upload: FileUpload) async throws(NodeError) -> SentMessage
    /// Ends an upload, as `Node.cancel`.
    func cancel(_ upload: FileUpload) async
}

extension Node: MessagingNode {
    package func signal(
        _ kind: SignalKind,
        about session: SessionID,
        in conversation: String
    ) async throws(NodeError) {
        try signal(kind, about: session, in: conversation, as: nil)
    }

    package func use(_ rules: @escaping MoveDetail.Rules) async throws(NodeError) {
        try await running().use { rules(MoveDetail($0)) }
    }

    package nonisolated func tells(_ event: NodeEvent) -> Bool { true }

    package func session(
        _ session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail {
        try await self.session(session, in: Optional(conversation))
    }

    package func chance(
        in session: SessionID,
        of conversation: String
    ) async throws(NodeError) -> ChanceDetail {
        try reader.chance(in: session, of: conversation, for: nil)
    }

    package func opened(
        _ part: Match.Part,
        of match: Match,
        in session: SessionID,
        of conversation: String
    ) async throws(NodeError) -> Data? {
        try reader.opened(part, of: match, in: session, of: conversation, for: nil)
    }

    package func pictureBytes(
        of message: MessageID,
        session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> Data? {
        try await pictureBytes(of: message, session: session, in: Optional(conversation))
    }
}
