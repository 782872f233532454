/// A name of a fixed number of bytes.
package protocol Identifier: FixedBytes, CustomStringConvertible {
    associatedtype Value: FixedBytes
    var value: Value { get }
    init(_ value: Value)
}

extension Identifier {
    package static var count: Int { Value.count }
    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    package init(reading slice: Slice, at offset: Int) {
        self.init(Value(reading: slice, at: offset))
    }

    package func append(to buffer: inout [UInt8]) {
        value.append(to: &buffer)
    }

    package var description: String { hex }
}

/// The identity of a device: SHA-256 of the SubjectPublicKeyInfo of its Ed25519 key.
package struct DeviceID: Identifier, CBORItem, PackedElement {
    package let value: Bytes32
    package init(_ value: Bytes32) { self.value = value }

    /// The first eight bytes, which are announced: enough to recognize a device, but no proof.
    package var hint: UInt64 { value.words.0 }
}

/// The name of a conversation, which commits to its birth: see `Birth`.
package struct ConversationID: Identifier, CBORItem {
    package let value: Bytes32
    package init(_ value: Bytes32) { self.value = value }
}

/// The name of a generation of keys: the conversation ID for the birth generation, else SHA-256 of
/// the statement of a `GenerationRecord`.
package struct GenerationID: Identifier, CBORItem {
    package let value: Bytes32
    package init(_ value: Bytes32) { self.value = value }

    /// The birth generation of a conversation.
    package init(birthOf conversation: ConversationID) { value = conversation.value }

    /// The first eight bytes, by which envelopes and origins name a generation.
    package var tag: UInt64 { value.words.0 }
}

/// The writer of a series of envelopes: 16 bytes of SHA-256(conversation ID ‖ device ID ‖ epoch).
package struct OriginID: Identifier, CBORItem {
    package let value: Bytes16
    package init(_ value: Bytes16) { self.value = value }
}

/// A session as a relay knows it: 16 bytes of a keyed hash of the session's UUID.
package struct SessionTag: Identifier {
    package let value: Bytes16
    package init(_ value: Bytes16) { self.value = value }
}

/// The UUID of a session, known to those who can read the conversation.
package struct SessionUUID: Identifier, CBORItem {
    package let value: Bytes16
    package init(_ value: Bytes16) { self.value = value }
}

/// A device in the eyes of one conversation's members: a UUID that differs between conversations.
package struct ParticipantID: Identifier, CBORItem, PackedElement {
    package let value: Bytes16
    package init(_ value: Bytes16) { self.value = value }
}

/// The name of a blob: SHA-256 of its sealed bytes.
package struct BlobID: Identifier, CBORItem {
    package let value: Bytes32
    package init(_ value: Bytes32) { self.value = value }
}

/// A random number made with a data directory, so that no copy ever repeats a dot.
package struct Epoch: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// The unique name of an envelope: its origin (device and epoch) and its sequence there.
package struct Dot: Hashable, Sendable {
    package let origin: OriginID
    package let sequence: UInt64

    package init(origin: OriginID, sequence: UInt64) {
        self.origin = origin
        self.sequence = sequence
    }
}

extension Dot: Comparable {
    package static func < (left: Dot, right: Dot) -> Bool {
        (left.origin, left.sequence) < (right.origin, right.sequence)
    }
}

extension Dot: CustomStringConvertible {
    /// `ORIGIN-SEQUENCE`: 32 hexadecimal digits, a hyphen, a decimal number.
    package var description: String { "\(origin.hex)-\(sequence)" }

    /// Parses a `description`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let origin = OriginID(hex: parts[0]),
            let sequence = UInt64(parts[1]), sequence > 0, sequence < Limits.sequenceEnd,
            String(sequence) == parts[1]
        else { return nil }
        self.init(origin: origin, sequence: sequence)
    }
}
