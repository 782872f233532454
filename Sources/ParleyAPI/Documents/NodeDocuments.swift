package import Foundation

/// A conversation of this node.
package struct ConversationDocument: Codable, Hashable, Sendable {
    package var name: String
    package var id: String
    package var role: String
    package var open: Bool
    package var participants: [SenderDocument]
    /// The amount that the node keeps, in the list of all conversations; absent elsewhere.
    package var sessions: Int?
    package var bytes: Int?
    package var lastActivity: Date?

    package init(
        name: String,
        id: String,
        role: String,
        open: Bool,
        participants: [SenderDocument]
    ) {
        self.name = name
        self.id = id
        self.role = role
        self.open = open
        self.participants = participants
    }
}

/// An invite.
package struct InviteDocument: Codable, Hashable, Sendable {
    package var invite: String
    package var role: String
    package var conversation: String

    package init(invite: String, role: String, conversation: String) {
        self.invite = invite
        self.role = role
        self.conversation = conversation
    }
}

/// A device that this node knows of.
package struct PeerDocument: Codable, Hashable, Sendable {
    package var device: String
    package var name: String?
    package var state: String
    package var address: String
    /// The addresses at which the device is dialled; absent from older nodes.
    package var addresses: [AddressDocument]?
    package var conversations: [String]
    /// The conversations among them in which the device has no space for new sessions; absent if
    /// there are none.
    package var full: [String]?
    /// The round trip time of the link, smoothed, in milliseconds.
    package var rttMs: Double?
    /// The bytes that wait to be written to the link.
    package var queue: Int

    package init(
        device: String,
        name: String? = nil,
        state: String,
        address: String,
        addresses: [AddressDocument]? = nil,
        conversations: [String],
        full: [String]? = nil,
        rttMs: Double? = nil,
        queue: Int
    ) {
        self.device = device
        self.name = name
        self.state = state
        self.address = address
        self.addresses = addresses
        self.conversations = conversations
        self.full = full
        self.rttMs = rttMs
        self.queue = queue
    }
}

/// An address that may lead to a device, and why it does not.
package struct AddressDocument: Codable, Hashable, Sendable {
    package var address: String
    package var failure: DialFailureDocument?

    package init(address: String, failure: DialFailureDocument? = nil) {
        self.address = address
        self.failure = failure
    }
}

/// Dials that failed since the last one that led to a device.
package struct DialFailureDocument: Codable, Hashable, Sendable {
    package var reason: String
    package var dials: Int
    /// The moment of the last one, in milliseconds since 1970.
    package var at: Int64

    package init(reason: String, dials: Int, at: Int64) {
        self.reason = reason
        self.dials = dials
        self.at = at
    }
}

/// The status of the node.
package struct StatusDocument: Codable, Hashable, Sendable {
    package var device: String
    package var name: String
    package var version: String
    package var addresses: [String]
    package var links: Int
    package var conversations: Int
    package var sessions: Int
    package var store: StoreDocument
    package var discovery: DiscoveryDocument
    package var envelopesReceived: UInt64
    package var envelopesSent: UInt64
    package var copy: String?
    package var previousDevice: String?
    /// Which clock is wrong, for people, as a message came from the future; absent if none did.
    package var clock: String?
    /// The names of the troubles that keep the node from its work; absent from older nodes.
    package var troubles: [String]?
    /// The network interfaces of the machine; absent from older nodes.
    package var interfaces: [InterfaceDocument]?
    /// The last connection of a node of another machine to this one.
    package var visit: VisitDocument?
    /// Whether the node stores and passes on only; absent from older nodes.
    package var relay: Bool?

    package init(
        device: String,
        name: String,
        version: String,
        addresses: [String],
        links: Int,
        conversations: Int,
        sessions: Int,
        store: StoreDocument,
        discovery: DiscoveryDocument,
        envelopesReceived: UInt64,
        envelopesSent: UInt64,
        copy: String? = nil,
        previousDevice: String? = nil,
        clock: String? = nil,
        troubles: [String]? = nil,
        interfaces: [InterfaceDocument]? = nil,
        visit: VisitDocument? = nil,
        relay: Bool? = nil
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
        self.envelopesReceived = envelopesReceived
        self.envelopesSent = envelopesSent
        self.copy = copy
        self.previousDevice = previousDevice
        self.clock = clock
        self.troubles = troubles
        self.interfaces = interfaces
        self.visit = visit
        self.relay = relay
    }
}

/// The status of the store.
package struct StoreDocument: Codable, Hashable, Sendable {
    /// The name of the state: `ok`, `full`, `failing`, `conversationFull` or `quotaFull`.
    package var state: String
    /// The obstacle and the remedy for people; absent if there is no obstacle.
    package var detail: String?

    package init(state: String, detail: String? = nil) {
        self.state = state
        self.detail = detail
    }
}

/// The status of discovery.
package struct DiscoveryDocument: Codable, Hashable, Sendable {
    /// The name of the state: `off`, `waitingForBus`, `waitingForDaemon`, `waitingForHostName`,
    /// `browsing`, `noInterface`, `published` or `publishedHere`.
    package var state: String
    /// The name under which the node is announced; absent if it is not.
    package var name: String?
    /// The state in words.
    package var detail: String

    package init(state: String, name: String? = nil, detail: String) {
        self.state = state
        self.name = name
        self.detail = detail
    }
}

/// A network interface of the machine of a node.
package struct InterfaceDocument: Codable, Hashable, Sendable {
    package var name: String
    /// Why the node is not announced there.
    package var skipped: String?

    package init(name: String, skipped: String? = nil) {
        self.name = name
        self.skipped = skipped
    }
}

/// A connection that another machine has opened.
package struct VisitDocument: Codable, Hashable, Sendable {
    package var address: String
    /// Its moment, in milliseconds since 1970.
    package var at: Int64

    package init(address: String, at: Int64) {
        self.address = address
        self.at = at
    }
}

/// The document that `parley node` prints when it is ready.
package struct ReadyDocument: Codable, Hashable, Sendable {
    package var device: String
    package var name: String
    package var addresses: [String]
    /// The link that opens the page in one browser, once; absent if the node serves no page.
    package var page: String?

    package init(device: String, name: String, addresses: [String], page: String? = nil) {
        self.device = device
        self.name = name
        self.addresses = addresses
        self.page = page
    }
}

/// The damaged parts of the database of a node, as another process found them.
package struct RepairRequest: Codable, Hashable, Sendable {
    /// The rows of sessions.
    package var sessions: [Int64] = []
    /// The hashes of pictures, in hexadecimal digits.
    package var pictures: [String] = []

    package init() {}
}
