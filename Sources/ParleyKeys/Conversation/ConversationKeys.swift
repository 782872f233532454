package import ParleyCore

/// Why an operation is not possible with a capability.
package enum CapabilityError: Error, Equatable, Sendable {
    /// The operation needs at least the role `needed`, and the capability gives only `held`.
    case roleTooLow(held: Capability.Role, needed: Capability.Role)
}

extension CapabilityError: CustomStringConvertible {
    /// The stable name of the case.
    package var name: String { "roleTooLow" }

    /// The problem, in one sentence.
    package var message: String {
        switch self {
        case .roleTooLow(let held, let needed):
            "This node is a \(held) of the conversation, and only a \(needed) can do this."
        }
    }

    /// The remedy, in one sentence.
    package var hint: String {
        switch self {
        case .roleTooLow(_, let needed):
            "Ask a member for an invite with the role \(needed)."
        }
    }

    package var description: String { "\(message) \(hint)" }
}

extension Capability {
    /// The capability of a writer, derived from the writer seed S: W is HKDF(S, "parley write"), K
    /// is HKDF(S, "parley read"), and R is HKDF(K, "parley relay").
    package init(writerSeed seed: Bytes32) {
        let readKey = KeyDerivation.hkdf(seed, label: "parley read")
        self.init(
            publicWriteKey: Capability.writeKey(seed: seed).publicKey,
            relayKey: Capability.relayKey(readKey: readKey),
            readKey: readKey,
            writerSeed: seed
        )
    }

    /// The capability of a reader, derived from the read key K and the public half of W.
    package init(readKey: Bytes32, publicWriteKey: Bytes32) {
        self.init(
            publicWriteKey: publicWriteKey,
            relayKey: Capability.relayKey(readKey: readKey),
            readKey: readKey,
            writerSeed: nil
        )
    }

    /// The capability of a relay: the relay key R and the public half of W.
    package init(relayKey: Bytes32, publicWriteKey: Bytes32) {
        self.init(
            publicWriteKey: publicWriteKey,
            relayKey: relayKey,
            readKey: nil,
            writerSeed: nil
        )
    }

    /// The writer capability of a new conversation.
    ///
    /// `random` must be cryptographically secure, as `SystemRandomNumberGenerator` is.
    package static func newConversation(
        using random: inout some RandomNumberGenerator
    ) -> Capability {
        Capability(
            writerSeed: Bytes32(random.next(), random.next(), random.next(), random.next())
        )
    }

    /// The ID of a conversation without a creator, as an open one, with these keys at its birth.
    package var conversationID: ConversationID {
        ConversationID(SHA256.hash(publicWriteKey.bytes))
    }

    /// This capability, reduced to the role of a reader.
    ///
    /// - Throws: `roleTooLow` for a relay, because it has no read key.
    package var readerCapability: Capability {
        get throws(CapabilityError) {
            guard let readKey else { throw .roleTooLow(held: role, needed: .reader) }
            return Capability(readKey: readKey, publicWriteKey: publicWriteKey)
        }
    }

    /// This capability, reduced to the role of a relay.
    package var relayCapability: Capability {
        Capability(relayKey: relayKey, publicWriteKey: publicWriteKey)
    }

    /// This capability, reduced to `role`.
    ///
    /// - Throws: `roleTooLow` if `role` is above the role of this capability.
    package func limited(to role: Capability.Role) throws(CapabilityError) -> Capability {
        guard role <= self.role else { throw .roleTooLow(held: self.role, needed: role) }
        return switch role {
        case .writer: self
        case .reader: try readerCapability
        case .relay: relayCapability
        }
    }

    /// W's signature over "parley device 1" and the 32 bytes of the device's ID.
    ///
    /// - Throws: `roleTooLow` unless this is the capability of a writer.
    package func certify(_ device: DeviceID) throws(CapabilityError) -> Signature {
        guard let writerSeed else { throw .roleTooLow(held: role, needed: .writer) }
        return Capability.certifiedBytes(device).withUnsafeBytes {
            Capability.writeKey(seed: writerSeed).sign($0)
        }
    }

    /// Whether W signed `certificate` for the device.
    package func hasCertified(_ device: DeviceID, by certificate: Signature) -> Bool {
        Capability.certifiedBytes(device).withUnsafeBytes {
            certificate.isValid(for: $0, by: publicWriteKey)
        }
    }

    /// The 47 bytes that a certificate of `device` signs.
    package static func certifiedBytes(_ device: DeviceID) -> [UInt8] {
        Array("parley device 1".utf8) + device.bytes
    }

    private static func writeKey(seed: Bytes32) -> SigningKey {
        SigningKey(seed: KeyDerivation.hkdf(seed, label: "parley write"))
    }

    private static func relayKey(readKey: Bytes32) -> Bytes32 {
        KeyDerivation.hkdf(readKey, label: "parley relay")
    }
}
