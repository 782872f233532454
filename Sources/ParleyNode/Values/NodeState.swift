public import Foundation

/// A device that this node knows of.
public struct Peer: Hashable, Sendable {
    /// The state of the connection to a device; a later case takes precedence over earlier ones.
    public enum State: String, Hashable, Sendable {
        /// The device shares a conversation, had a link before and is away now.
        case lastSeen
        /// A person gave the address; no device that shares a conversation has answered there.
        case configured
        /// The device is announced; its identity is not proven.
        case discovered
        /// The device is being dialled.
        case connecting
        /// There is a link to the device, which does not answer at the moment.
        case unresponsive
        /// There is no link to the device, as neither side needs one: messages reach it through
        /// others, and it is still announced.
        case throughOthers
        /// There is a working link to the device.
        case connected
    }

    /// An address that may lead to a device.
    public struct Address: Hashable, Sendable {
        /// The address as `HOST:PORT` or `[HOST]:PORT`.
        public let text: String
        /// Why the last dial there failed; nil if it did not, or there was none.
        public let failure: Failure?
    }

    /// Dials to one address that failed, with none in between that reached a device.
    public struct Failure: Hashable, Sendable {
        /// Why the last one failed, in words.
        public let reason: String
        /// How many failed.
        public let dials: Int
        /// When the last one failed.
        public let at: Date
    }

    /// The device ID in its text form; shorter while only its announcement is known.
    public let device: String
    /// The name of the device for people.
    public let name: String?
    /// The state of the connection.
    public let state: State
    /// The present address, one at which the device was reached, or one that others name; empty if
    /// this node knows none at which the device listens.
    public internal(set) var address: String
    /// The addresses at which this node dials the device, at most 16.
    public internal(set) var addresses: [Address] = []
    /// The names of the conversations that both nodes are in, as far as this node knows.
    public let conversations: [String]
    /// The conversations among them in which the device stores no new sessions now: its disk has
    /// too little space, or a quota there is used up.
    public internal(set) var full: [String] = []
    /// The round trip time of the link's connection, smoothed, as the kernel measures it.
    public let roundTrip: Duration?
    /// The bytes that wait to be written to the link.
    public let queuedBytes: Int
}

/// The status of a node.
public struct NodeStatus: Hashable, Sendable {
    /// The device ID in its text form.
    public let device: String
    /// The name of the device for people.
    public let name: String
    /// The version of the software.
    public let version: String
    /// The addresses at which the node can be reached.
    public let addresses: [String]
    /// The number of links to members.
    public let links: Int
    /// The number of conversations.
    public let conversations: Int
    /// The number of sessions in all conversations.
    public let sessions: Int
    /// Whether messages can be stored.
    public let store: StoreStatus
    /// Whether the node is announced and finds others.
    public let discovery: DiscoveryStatus
    /// The network interfaces of this machine.
    package let interfaces: [NetworkInterface]
    /// The last connection of a node of another machine to this one; nil if there was none.
    package let visit: Visit?
    /// Envelopes received since the start, including those that this node had already.
    public let envelopesReceived: UInt64
    /// Envelopes sent since the start, each counted once per link.
    public let envelopesSent: UInt64
    /// The address at which this node last met another process with its device key; nil if it has
    /// met none since its start.
    public let copy: String?
    /// The ID of the device whose key the data directory had until this start; nil if it is the
    /// same, or is not known.
    public let previousDevice: String?
    /// Which clock is wrong, for people; nil if no message of another device came from the future.
    public let clock: String?
    /// The troubles that keep the node from its work at present.
    package let troubles: [NodeTrouble]
}

/// The status of the store of a node.
public struct StoreStatus: Hashable, Sendable {
    /// A word for programs.
    public enum State: String, Sendable {
        /// Everything can be stored.
        case ok
        /// The disk has too little space: nothing is stored.
        case full
        /// The disk or the database fails: nothing is stored.
        case failing
        /// New messages of a conversation are left out, as its quota is used up.
        case conversationFull
        /// New messages are left out, as the quota of all conversations together is used up.
        case quotaFull
    }

    /// What can be stored.
    public let state: State
    /// The obstacle and the remedy for people; nil if there is no obstacle.
    public let detail: String?
}

/// The status of the discovery of a node.
public struct DiscoveryStatus: Hashable, Sendable {
    /// A word for programs.
    public enum State: String, Sendable {
        /// The node neither is announced nor finds others, as its settings say.
        case off
        /// There is no D-Bus system bus.
        case waitingForBus
        /// There is a bus, and no avahi-daemon that answers.
        case waitingForDaemon
        /// avahi-daemon chooses a host name.
        case waitingForHostName
        /// The node finds others, and is not announced yet.
        case browsing
        /// The node finds others, and is not announced: no interface is as its settings say.
        case noInterface
        /// The node finds others, and is announced.
        case published
        /// The same, on this machine only, as the node listens on the loopback only.
        case publishedHere
    }

    /// How far discovery got.
    public let state: State
    /// The name under which the node is announced; nil if it is not.
    public let name: String?
    /// The state in words.
    public let detail: String
}

/// A network interface of this machine.
package struct NetworkInterface: Hashable, Sendable {
    package let name: String
    /// Why the node is not announced there, in words; nil if it may be.
    package let skipped: String?
}

/// A connection that another machine has opened.
package struct Visit: Hashable, Sendable {
    package let address: String
    package let at: Date
}

/// An event of a node.
public enum NodeEvent: Hashable, Sendable {
    /// A session shows another message, which is on disk.
    case shown(conversation: String, Message)
    /// A message was replaced and leaves a summary.
    case summarized(conversation: String, Summary)
    /// The heads of a session have changed; if there is only one, a conflict is resolved.
    case conflict(conversation: String, session: SessionID, heads: [MessageID])
    /// A participant replaced a message that named only others as next.
    case outOfTurn(conversation: String, session: SessionID?, MessageID, by: UUID)
    /// The picture of a shown message has arrived.
    case pictureArrived(conversation: String, session: SessionID)
    /// The number of other nodes that have stored a message has changed; only for messages whose
    /// draft has `tellsDelivery`.
    case delivered(conversation: String, session: SessionID, MessageID, nodes: Int)
    /// This node created, joined or left a conversation.
    case conversationsChanged
    /// A link to a device was established or has ended.
    case peerChanged(device: String, isConnected: Bool)
    /// Another process uses the identity of this device or of a peer.
    case duplicateIdentity(device: String, address: String)
    /// A pairing began, went on, or ended.
    case pairing(PairingState)
}
