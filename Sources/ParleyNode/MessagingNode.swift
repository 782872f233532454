package import Foundation
package import ParleyValues
package import struct ParleyValues.Conversation

/// The calls of a node that apps and pages use: a whole `Node`, or the part that a guest sees.
package protocol MessagingNode: Sendable {
    func events() async -> AsyncStream<NodeEvent>
    /// Whether an event of that stream is for apps and pages of this part of the node.
    func tells(_ event: NodeEvent) -> Bool
    func status() async throws(NodeError) -> NodeStatus
    func conversations() async throws(NodeError) -> [Conversation]
    func peers() async -> [Peer]
    func nearby() async -> [Peer]
    func pairings() async -> [PairingState]

    func send(
        _ draft: Draft,
        to conversation: String,
        wait: SendWait
    ) async throws(NodeError) -> SentMessage
    func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int
    ) async throws(NodeError) -> TranscriptPage
    func stickers(
        on messages: [MessageID],
        last count: Int,
        in conversation: String
    ) async throws(NodeError) -> [SessionDetail]
    func session(
        _ session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail
    func session(
        of message: MessageID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail
    func pictureBytes(
        of message: MessageID,
        session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> Data?
}

extension Node: MessagingNode {
    package nonisolated func tells(_ event: NodeEvent) -> Bool { true }

    package func session(
        _ session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail {
        try await self.session(session, in: Optional(conversation))
    }

    package func pictureBytes(
        of message: MessageID,
        session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> Data? {
        try await pictureBytes(of: message, session: session, in: Optional(conversation))
    }
}
