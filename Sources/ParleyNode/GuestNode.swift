package import Foundation
package import ParleyValues
package import struct ParleyValues.Conversation

/// A node for one guest: the conversation in which the guest writes, and nothing else.
///
/// Every other conversation is unknown, and there is no call that joins, invites, pairs, leaves or
/// writes as somebody else.
package struct GuestNode: MessagingNode {
    private let node: Node
    /// The guest, by name as on taking the seat.
    package let guest: Guest

    package init(_ node: Node, guest: Guest) {
        self.node = node
        self.guest = guest
    }

    package func events() async -> NodeEvents { await node.events() }

    package func tells(_ event: NodeEvent) -> Bool {
        switch event {
        case .shown(let name, _), .summarized(let name, _), .conflict(let name, _, _),
            .outOfTurn(let name, _, _, _), .pictureArrived(let name, _),
            .delivered(let name, _, _, _), .signal(let name, _, _, _):
            name == guest.conversation
        case .file(let transfer): transfer.conversation == guest.conversation
        case .conversationsChanged, .peerChanged: true
        case .duplicateIdentity, .pairing: false
        }
    }

    /// The status of the node, under the name of the host.
    package func status() async throws(NodeError) -> NodeStatus { try await node.status() }

    /// The conversation as the guest sees it; none once the seat is lost.
    package func conversations() async throws(NodeError) -> [Conversation] {
        guard let present = try await node.guests().first(where: isSame) else { return [] }
        return try await node.conversations().filter { $0.id == guest.conversationID }
            .map { conversation in
                var seen = conversation
                seen.me = present.participant
                return seen
            }
    }

    /// The devices that share the conversation, without their addresses and other conversations.
    package func peers() async -> [Peer] {
        await node.peers().map { $0.known(in: guest.conversation) }
            .filter { !$0.conversations.isEmpty }
    }

    package func nearby() async -> [Peer] { [] }
    package func pairings() async -> [PairingState] { [] }

    package func send(
        _ draft: Draft,
        to conversation: String,
        wait: SendWait
    ) async throws(NodeError) -> SentMessage {
        guard GivenName.normal(conversation) == guest.conversation else {
            throw .unknownConversation(conversation)
        }
        return try await node.send(draft, to: guest.conversation, as: guest.participant.id)
    }

    package func signal(
        _ kind: SignalKind,
        about session: SessionID,
        in conversation: String
    ) async throws(NodeError) {
        let me = guest.participant.id
        try await node.signal(kind, about: session, in: await own(conversation), as: me)
    }

    /// Does nothing: the host of the node has the same apps.
    package func use(_ rules: @escaping MoveDetail.Rules) async {}

    package func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int
    ) async throws(NodeError) -> TranscriptPage {
        try await node.transcript(of: await own(conversation), at: place, limit: limit)
    }

    package func sides(
        on targets: [AdditionTarget],
        last count: Int,
        in conversation: String
    ) async throws(NodeError) -> [SessionDetail] {
        try await node.sides(on: targets, last: count, in: await own(conversation))
    }

    package func session(
        _ session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail {
        try await node.session(session, in: await own(conversation))
    }

    package func session(
        of message: MessageID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail {
        try await node.session(of: message, in: await own(conversation))
    }

    package func chance(
        in session: SessionID,
        of conversation: String
    ) async throws(NodeError) -> ChanceDetail {
        try await node.reader.chance(
            in: session,
            of: await own(conversation),
            for: guest.participant.id
        )
    }

    package func opened(
        _ part: Match.Part,
        of match: Match,
        in session: SessionID,
        of conversation: String
    ) async throws(NodeError) -> Data? {
        try await node.reader.opened(
            part,
            of: match,
            in: session,
            of: await own(conversation),
            for: guest.participant.id
        )
    }

    package func pictureBytes(
        of message: MessageID,
        session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> Data? {
        try await node.pictureBytes(of: message, session: session, in: await own(conversation))
    }

    /// The messages of the guest's conversation with all words of `text`, as `Node.search`.
    ///
    /// - Throws: `unknownConversation` for another conversation, or once the seat is lost.
    package func search(
        _ text: String,
        in conversation: String?,
        limit: Int
    ) async throws(NodeError) -> SearchResult {
        let name = try await own(conversation ?? guest.conversation)
        return try await node.search(text, in: name, limit: limit)
    }

    package func checkSpace(for bytes: Int) async throws(NodeError) {
        let name = try await own(guest.conversation)
        try await node.checkSpace(for: bytes, by: guest.participant.id, in: name)
    }

    package func upload(
        of bytes: Int,
        named name: String,
        type: String,
        to conversation: String
    ) async throws(NodeError) -> FileUpload {
        let own = try await own(conversation)
        return try await node.upload(
            of: bytes,
            named: name,
            type: type,
            to: own,
            by: guest.participant.id
        )
    }

    package func offer(_ upload: FileUpload) async throws(NodeError) -> SentMessage {
        try await node.offer(upload)
    }

    package func cancel(_ upload: FileUpload) async { await node.cancel(upload) }

    /// Has the host fetch a file, which the guest then gets from there.
    package func acceptFile(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> FileTransfer {
        let name = try await own(conversation)
        return try await node.acceptFile(of: session, in: name, for: guest.participant.id)
    }

    package func fileTransfer(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> FileTransfer {
        try await node.fileTransfer(of: session, in: await own(conversation))
    }

    package func fileURL(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> URL? {
        try await node.fileURL(of: session, in: await own(conversation))
    }

    /// The name of the guest's conversation, if that is meant and the guest still has the seat.
    ///
    /// The node may have left the conversation, and may call another one by the same name.
    private func own(_ conversation: String) async throws(NodeError) -> String {
        guard GivenName.normal(conversation) == guest.conversation,
            try await node.guests().contains(where: isSame)
        else { throw .unknownConversation(conversation) }
        return guest.conversation
    }

    private func isSame(_ other: Guest) -> Bool {
        other.participant.id == guest.participant.id
    }
}
