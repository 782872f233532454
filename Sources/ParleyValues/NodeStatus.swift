package import Foundation

/// The status of a node.
public struct NodeStatus: Hashable, Sendable, Codable {
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
    /// Envelopes received since the start, duplicates included.
    public let envelopesReceived: UInt64
    /// Envelopes sent since the start, each counted once per link.
    public let envelopesSent: UInt64
    /// The address at which this node last met another process with the same device key; nil if
    /// there was none since the start.
    public let copy: String?
    /// The ID of the device whose key the data directory had until this start; nil if the key is
    /// the same, or the ID is not known.
    public let previousDevice: String?
    /// Which clock is wrong, for people; nil if no message of another device came from the future.
    public let clock: String?
    /// The troubles that keep the node from its work at present.
    package let troubles: [NodeTrouble]
    /// Whether the node was started as a relay.
    package let isRelay: Bool

    private enum CodingKeys: String, CodingKey {
        case device, name, version, addresses, links, conversations, sessions, store, discovery
        case interfaces, visit, envelopesReceived, envelopesSent, copy, previousDevice, clock
        case troubles
        case isRelay = "relay"
    }

    package init(
        device: String,
        name: String,
        version: String,
        addresses: [String],
        links: Int,
        conversations: Int,
        sessions: Int,
        store: StoreStatus,
        discovery: DiscoveryStatus,
        interfaces: [NetworkInterface],
        visit: Visit?,
        envelopesReceived: UInt64,
        envelopesSent: UInt64,
        copy: String?,
        previousDevice: String?,
        clock: String?,
        troubles: [NodeTrouble],
        isRelay: Bool
    ) {
        self.device = device
        self.name = name
        self.version = version
        self.addresses = addresses
        self.links = links
        self.conversations = conversations
        self.sessions = sessions
        self.store = store
        self.discovery = discovery
        self.interfaces = interfaces
        self.visit = visit
        self.envelopesReceived = envelopesReceived
        self.envelopesSent = envelopesSent
        self.copy = copy
        self.previousDevice = previousDevice
        self.clock = clock
        self.troubles = troubles
        self.isRelay = isRelay
    }

    /// The counts and the troubles in one line without names.
    package var words: String {
        let counts = "\(links) links, \(conversations) conversations, \(sessions) sessions"
        return ([counts] + troubles.map(\.words)).joined(separator: "; ")
    }
}

/// The status of the store of a node.
public struct StoreStatus: Hashable, Sendable, Codable {
    /// A word for programs.
    public enum State: String, Sendable, Codable {
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

    /// Whether the store takes messages.
    public let state: State
    /// The obstacle and the remedy for people; nil if there is no obstacle.
    public let detail: String?

    package init(state: State, detail: String?) {
        self.state = state
        self.detail = detail
    }
}

/// The status of the discovery of a node.
public struct DiscoveryStatus: Hashable, Sendable, Codable {
    /// A word for programs.
    public enum State: String, Sendable, Codable {
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

    package init(state: State, name: String? = nil, detail: String) {
        self.state = state
        self.name = name
        self.detail = detail
    }
}

/// A network interface of this machine.
package struct NetworkInterface: Hashable, Sendable, Codable {
    package let name: String
    /// Why the node is not announced there, in words; nil if it may be.
    package let skipped: String?

    package init(name: String, skipped: String?) {
        self.name = name
        self.skipped = skipped
    }
}

/// A connection that another machine has opened.
package struct Visit: Hashable, Sendable, Codable {
    package let address: String
    private let milliseconds: Milliseconds

    package var at: Date { milliseconds.date }

    private enum CodingKeys: String, CodingKey {
        case address
        case milliseconds = "at"
    }

    /// Makes the value; the moment has milliseconds.
    package init(address: String, at date: Date) {
        self.address = address
        milliseconds = Milliseconds(date)
    }
}

/// A reason why a node cannot work; the raw value is the name for programs.
package enum NodeTrouble: String, CaseIterable, Sendable, Codable {
    case notListening, storeFull, storeFails, conversationFull, quotaFull, notAnnounced

    /// The trouble in words.
    package var words: String {
        switch self {
        case .notListening: "the node does not listen"
        case .storeFull: "too little space is left on the disk"
        case .storeFails: "nothing can be stored"
        case .conversationFull: "a conversation is full"
        case .quotaFull: "quotas.all-conversations is used up"
        case .notAnnounced: "the node is not announced"
        }
    }
}

/// The description of a node that has been started.
public struct ReadyNode: Hashable, Sendable, Codable {
    /// The device ID in its text form.
    public let device: String
    /// The name of the device for people.
    public let name: String
    /// The addresses at which the node can be reached.
    public let addresses: [String]
    /// The link that opens the page in one browser, once; nil if the node serves no page.
    package var page: String?

    package init(device: String, name: String, addresses: [String]) {
        self.device = device
        self.name = name
        self.addresses = addresses
    }
}
