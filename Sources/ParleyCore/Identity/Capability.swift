/// The keys of a conversation on a node, which determine the role.
///
/// Writer seed S gives write key W and read key K, and K gives relay key R. No key gives an earlier
/// one.
package struct Capability: Sendable, Equatable {
    /// The rights of a member in a conversation; each role includes the roles below.
    package enum Role: UInt8, Sendable, Comparable, CaseIterable {
        /// Stores and forwards sealed envelopes.
        case relay = 1
        /// Opens envelopes as well.
        case reader = 2
        /// Authors envelopes as well.
        case writer = 3

        package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
    }

    /// The public half of W, raw Ed25519.
    package let publicWriteKey: Bytes32
    /// R: proves membership to other nodes.
    package let relayKey: Bytes32
    /// K: opens envelopes; nil for a relay.
    package let readKey: Bytes32?
    /// S: the writer seed; nil unless a writer.
    package let writerSeed: Bytes32?

    package init(
        publicWriteKey: Bytes32,
        relayKey: Bytes32,
        readKey: Bytes32?,
        writerSeed: Bytes32?
    ) {
        self.publicWriteKey = publicWriteKey
        self.relayKey = relayKey
        self.readKey = readKey
        self.writerSeed = writerSeed
    }

    package var role: Role {
        if writerSeed != nil { return .writer }
        return readKey == nil ? .relay : .reader
    }
}

/// A conversation in this data directory.
package struct ConversationRecord: Sendable, Equatable {
    /// The number of the conversation in this data directory, never used twice.
    package let number: UInt32
    package let id: ConversationID
    /// The name given by people of this node; no other conversation here has an equivalent name.
    package let name: String
    /// Whether the seed follows from a public name, so that everybody can join.
    package let isOpen: Bool
    /// The keys of the current generation; on disk are those with which this node joined.
    package internal(set) var capability: Capability
    /// W's signature over this device; nil unless a writer.
    package let certificate: Signature?
    /// The tag of the generation whose W made the certificate; nil for the birth generation.
    package internal(set) var generation: UInt64?
    /// The raw Ed25519 key of the device that created the conversation, where it is new here; from
    /// then on, the birth of the conversation tells.
    package var creator: Bytes32?

    package init(
        number: UInt32,
        id: ConversationID,
        name: String,
        isOpen: Bool,
        capability: Capability,
        certificate: Signature?
    ) {
        self.number = number
        self.id = id
        self.name = name
        self.isOpen = isOpen
        self.capability = capability
        self.certificate = certificate
    }
}
