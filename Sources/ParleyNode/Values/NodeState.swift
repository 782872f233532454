public import Foundation

/// A device that this node knows of.
public struct Peer: Hashable, Sendable {
    /// How near a device is; each case beats the ones before.
    public enum State: String, Hashable, Sendable {
        /// It shares a conversation and was here before.
        case lastSeen
        /// Its announcement is seen; nothing is proven.
        case discovered
        /// It is being dialled.
        case connecting
        /// It has a link to us that does not answer at the moment.
        case reachable
        /// It has a link to us that works.
        case connected
    }

    /// The device ID in its text form; shorter while only its announcement is known.
    public let device: String
    /// What people call it.
    public let name: String?
    /// How near it is.
    public let state: State
    /// Where it is, or was.
    public let address: String
    /// Names of the conversations that both sides have.
    public let conversations: [String]
    /// The latest round trip.
    public let roundTrip: Duration?
    /// Bytes that wait to be written to it.
    public let queuedBytes: Int
}

/// A node at a glance.
public struct NodeStatus: Hashable, Sendable {
    /// The device ID in its text form.
    public let device: String
    /// What people call the device.
    public let name: String
    /// The version of the software.
    public let version: String
    /// Where it listens.
    public let addresses: [String]
    /// Members' links.
    public let links: Int
    /// How many conversations it is in.
    public let conversations: Int
    /// How many sessions it holds.
    public let sessions: Int
    /// What the store says: `ok`, or what is wrong.
    public let store: String
    /// What discovery says, such as `published as parley-ABCDEFGH`, or what is missing.
    public let discovery: String
    /// Envelopes that peers sent since the start, those that were here already included.
    public let envelopesReceived: UInt64
    /// Envelopes sent since the start, each counted once per link.
    public let envelopesSent: UInt64
}

/// What happens on a node, as it happens.
public enum NodeEvent: Hashable, Sendable {
    /// Another message of a session is shown; it is on disk.
    case shown(conversation: String, Message)
    /// A message was replaced and leaves a line.
    case summarized(conversation: String, Summary)
    /// A session has other heads than before; one head: it is settled.
    case conflict(conversation: String, session: SessionID, heads: [MessageID])
    /// A participant replaced a message that named others.
    case outOfTurn(conversation: String, session: SessionID?, MessageID, by: UUID)
    /// The picture of a shown message has arrived.
    case pictureArrived(conversation: String, session: SessionID)
    /// So many other nodes have a message of this node's whose draft asked to be told.
    case delivered(conversation: String, session: SessionID, MessageID, nodes: Int)
    /// A conversation was made, joined or left here.
    case conversationsChanged
    /// A device is linked, or no more.
    case peerChanged(device: String, isConnected: Bool)
    /// Another process uses this device's identity, or a peer's.
    case duplicateIdentity(device: String, address: String)
}
