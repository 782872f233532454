package import ParleyCore

/// Why a capability does not do what was asked.
package enum CapabilityError: Error, Equatable, Sendable {
    /// Only `needed` and above may do this, and the capability is that of `held`.
    case roleTooLow(held: Role, needed: Role)
}

extension CapabilityError: CustomStringConvertible {
    /// The stable name of the case.
    package var name: String { "roleTooLow" }

    /// What is wrong, one sentence.
    package var message: String {
        switch self {
        case .roleTooLow(let held, let needed):
            "This node is a \(held) of the conversation, and this takes a \(needed)."
        }
    }

    /// What to do, one sentence.
    package var hint: String {
        switch self {
        case .roleTooLow(_, let needed):
            "Ask a member for an invite with the role \(needed)."
        }
    }

    package var description: String { "\(message) \(hint)" }
}

extension Capability {
    /// What the writer seed S gives: W from HKDF(S, "parley write"), K from HKDF(S, "parley read")
    /// and R from HKDF(K, "parley relay").
    package init(writerSeed seed: Bytes32) {
        let readKey = KeyDerivation.hkdf(seed, label: "parley read")
        self.init(
            publicWriteKey: KeyDerivation.publicKey(of: Capability.writeKey(seed: seed)),
            relayKey: Capability.relayKey(readKey: readKey),
            readKey: readKey,
            writerSeed: seed
        )
    }

    /// What the read key K gives, together with the public half of W.
    package init(readKey: Bytes32, publicWriteKey: Bytes32) {
        self.init(
            publicWriteKey: publicWriteKey,
            relayKey: Capability.relayKey(readKey: readKey),
            readKey: readKey,
            writerSeed: nil
        )
    }

    /// What the relay key R gives, together with the public half of W.
    package init(relayKey: Bytes32, publicWriteKey: Bytes32) {
        self.init(
            publicWriteKey: publicWriteKey,
            relayKey: relayKey,
            readKey: nil,
            writerSeed: nil
        )
    }

    /// The writer of a new conversation.
    ///
    /// `random` must be fit for keys, as `SystemRandomNumberGenerator` is.
    package static func newConversation(
        using random: inout some RandomNumberGenerator
    ) -> Capability {
        Capability(
            writerSeed: Bytes32(random.next(), random.next(), random.next(), random.next())
        )
    }

    /// SHA-256 of the public write key.
    package var conversationID: ConversationID {
        ConversationID(KeyDerivation.sha256(publicWriteKey.bytes))
    }

    /// The same conversation with no more than reading.
    ///
    /// - Throws: `roleTooLow` for a relay, who has nothing to read with.
    package var readerCapability: Capability {
        get throws(CapabilityError) {
            guard let readKey else { throw .roleTooLow(held: role, needed: .reader) }
            return Capability(readKey: readKey, publicWriteKey: publicWriteKey)
        }
    }

    /// The same conversation with no more than relaying.
    package var relayCapability: Capability {
        Capability(relayKey: relayKey, publicWriteKey: publicWriteKey)
    }

    /// The same conversation with exactly `role`.
    ///
    /// - Throws: `roleTooLow` if that is more than this capability gives.
    package func limited(to role: Role) throws(CapabilityError) -> Capability {
        guard role <= self.role else { throw .roleTooLow(held: self.role, needed: role) }
        return switch role {
        case .writer: self
        case .reader: try readerCapability
        case .relay: relayCapability
        }
    }

    /// W's signature over "parley device 1" and the 32 bytes of the device's ID.
    ///
    /// - Throws: `roleTooLow` unless a writer.
    package func certify(_ device: DeviceID) throws(CapabilityError) -> Signature {
        guard let writerSeed else { throw .roleTooLow(held: role, needed: .writer) }
        return Capability.certifiedBytes(device).withUnsafeBytes {
            KeyDerivation.sign($0, with: Capability.writeKey(seed: writerSeed))
        }
    }

    /// What a certificate of `device` is a signature over, 47 bytes.
    package static func certifiedBytes(_ device: DeviceID) -> [UInt8] {
        Array("parley device 1".utf8) + device.bytes
    }

    private static func writeKey(seed: Bytes32) -> KeyDerivation.SigningKey {
        KeyDerivation.signingKey(seed: KeyDerivation.hkdf(seed, label: "parley write"))
    }

    private static func relayKey(readKey: Bytes32) -> Bytes32 {
        KeyDerivation.hkdf(readKey, label: "parley relay")
    }
}
