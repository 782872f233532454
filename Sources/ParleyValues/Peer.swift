public import Foundation

/// A device that this node knows of.
public struct Peer: Hashable, Sendable, Codable {
    /// The state of the connection to a device; a later case takes precedence over earlier ones.
    public enum State: String, Hashable, Sendable, Codable {
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
        /// There is no link to the device, as neither side needs one: messages reach the device
        /// through others, and the device is still announced.
        case throughOthers
        /// There is a working link to the device.
        case connected
    }

    /// An address that may lead to a device.
    public struct Address: Hashable, Sendable, Codable {
        /// The address as `HOST:PORT` or `[HOST]:PORT`.
        public let text: String
        /// Why the last dial there failed; nil if it did not, or there was none.
        public let failure: Failure?

        private enum CodingKeys: String, CodingKey {
            case text = "address"
            case failure
        }

        package init(text: String, failure: Failure? = nil) {
            self.text = text
            self.failure = failure
        }
    }

    /// Failed dials to one address, with no successful dial in between.
    public struct Failure: Hashable, Sendable, Codable {
        /// Why the last one failed, in words.
        public let reason: String
        /// How many failed.
        public let dials: Int
        private let milliseconds: Milliseconds

        /// When the last one failed.
        public var at: Date { milliseconds.date }

        private enum CodingKeys: String, CodingKey {
            case reason, dials
            case milliseconds = "at"
        }

        /// Makes the value; the moment has milliseconds.
        package init(reason: String, dials: Int, at date: Date) {
            self.reason = reason
            self.dials = dials
            milliseconds = Milliseconds(date)
        }
    }

    /// The device ID in its text form; shorter while only its announcement is known.
    public let device: String
    /// The name of the device for people.
    public let name: String?
    /// The state of the connection.
    public package(set) var state: State
    /// The present address, an earlier one, or one from others; empty if no listening address is
    /// known.
    public package(set) var address: String
    private var dialled: [Address]?
    /// The names of the conversations that both nodes are in, as far as this node knows.
    public package(set) var conversations: [String]
    private var lacking: [String]?
    /// The names of inviters, by the names of the shared conversations that the device entered by
    /// an invite that ends; nil if none is known.
    package var invitedBy: [String: String]?
    private var heard: Milliseconds?
    /// The name of the device through which messages reach this one, if there is one.
    public package(set) var through: String?
    /// The round trip time in milliseconds.
    package private(set) var rttMs: Double?
    /// The bytes that wait to be written to the link.
    public private(set) var queuedBytes: Int

    /// When somebody last heard of the device, if others have told that; nil while it has a link.
    public package(set) var seen: Date? {
        get { heard?.date }
        set { heard = newValue.map { Milliseconds($0) } }
    }

    /// The addresses at which this node dials the device, at most 16.
    public package(set) var addresses: [Address] {
        get { dialled ?? [] }
        set { dialled = newValue }
    }

    /// The shared conversations in which the device stores no new sessions now: its disk has too
    /// little space, or a quota there is used up.
    public package(set) var full: [String] {
        get { lacking ?? [] }
        set { lacking = newValue.isEmpty ? nil : newValue }
    }

    /// The round trip time of the link's connection, smoothed, as the kernel measures it.
    public var roundTrip: Duration? { rttMs.map { .milliseconds($0) } }

    /// The peer without the figures that change all the time.
    package var steady: Peer {
        var peer = self
        peer.rttMs = nil
        peer.queuedBytes = 0
        peer.dialled = nil
        return peer
    }

    /// The peer as the members of one conversation may know it.
    package func known(in conversation: String) -> Peer {
        var peer = steady
        peer.address = ""
        peer.conversations = conversations.filter { $0 == conversation }
        peer.full = full.filter { $0 == conversation }
        peer.invitedBy = invitedBy?[conversation].map { [conversation: $0] }
        return peer
    }

    private enum CodingKeys: String, CodingKey {
        case device, name, state, address, conversations, invitedBy, through, rttMs
        case dialled = "addresses"
        case lacking = "full"
        case heard = "seen"
        case queuedBytes = "queue"
    }

    /// Makes a peer, of which nothing is known that is left out.
    package init(
        device: String,
        name: String? = nil,
        state: State,
        address: String,
        addresses: [Address] = [],
        conversations: [String] = [],
        full: [String] = [],
        roundTrip: Duration? = nil,
        queuedBytes: Int = 0
    ) {
        self.device = device
        self.name = name
        self.state = state
        self.address = address
        dialled = addresses
        self.conversations = conversations
        lacking = full.isEmpty ? nil : full
        rttMs = roundTrip.map { $0 / .milliseconds(1) }
        self.queuedBytes = queuedBytes
    }
}

/// A moment in milliseconds since 1970, as JSON has those that are no time of sending.
struct Milliseconds: RawRepresentable, Hashable, Sendable, Codable {
    let rawValue: Int64

    var date: Date { Date(timeIntervalSince1970: Double(rawValue) / 1_000) }
}

extension Milliseconds {
    init(_ date: Date) {
        rawValue = Int64(date.timeIntervalSince1970 * 1_000)
    }
}
