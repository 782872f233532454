package import ParleyNode

/// A conversation of this node.
package struct ConversationDocument: Codable, Hashable, Sendable {
    package var name: String
    package var id: String
    package var role: String
    package var open: Bool
    package var participants: [SenderDocument]

    package init(_ conversation: Conversation) {
        name = conversation.name
        id = conversation.id
        role = conversation.role.rawValue
        open = conversation.isOpen
        participants = conversation.participants.map(SenderDocument.init)
    }
}

/// An invite.
package struct InviteDocument: Codable, Hashable, Sendable {
    package var invite: String
    package var role: String
    package var conversation: String

    package init(_ invite: Invite) {
        self.invite = invite.link
        role = invite.role.rawValue
        conversation = invite.conversation
    }
}

/// A device that this node knows of.
package struct PeerDocument: Codable, Hashable, Sendable {
    package var device: String
    package var name: String?
    package var state: String
    package var address: String
    package var conversations: [String]
    /// The latest round trip, in milliseconds.
    package var rttMs: Double?
    /// Bytes that wait to be written to it.
    package var queue: Int

    package init(_ peer: Peer) {
        device = peer.device
        name = peer.name
        state = peer.state.rawValue
        address = peer.address
        conversations = peer.conversations
        rttMs = peer.roundTrip.map { $0 / .milliseconds(1) }
        queue = peer.queuedBytes
    }
}

/// The node at a glance.
package struct StatusDocument: Codable, Hashable, Sendable {
    package var device: String
    package var name: String
    package var version: String
    package var addresses: [String]
    package var links: Int
    package var conversations: Int
    package var sessions: Int
    package var store: String
    package var discovery: String
    package var envelopesReceived: UInt64
    package var envelopesSent: UInt64

    package init(_ status: NodeStatus) {
        device = status.device
        name = status.name
        version = status.version
        addresses = status.addresses
        links = status.links
        conversations = status.conversations
        sessions = status.sessions
        store = status.store
        discovery = status.discovery
        envelopesReceived = status.envelopesReceived
        envelopesSent = status.envelopesSent
    }
}

/// What `node` prints when it is ready.
package struct ReadyDocument: Codable, Hashable, Sendable {
    package var device: String
    package var name: String
    package var addresses: [String]

    package init(_ ready: ReadyNode) {
        device = ready.device
        name = ready.name
        addresses = ready.addresses
    }
}
