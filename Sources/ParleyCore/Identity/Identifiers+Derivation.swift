extension DeviceID {
    /// The bytes in front of a raw Ed25519 key in a SubjectPublicKeyInfo in DER, RFC 8410.
    private static let keyInfoPrefix: [UInt8] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// The identity of the device with this raw Ed25519 public key.
    package init(publicKey: Bytes32, using cryptography: some Cryptography) {
        self.init(cryptography.sha256(Self.keyInfoPrefix + publicKey.bytes))
    }

    /// The bytes that W signs to let the device write: "parley device 1" ‖ device ID.
    package var certifiedBytes: [UInt8] { Array("parley device 1".utf8) + bytes }
}

extension OriginID {
    /// The first 16 bytes of SHA-256(conversation ID ‖ device ID ‖ epoch), the epoch big-endian.
    package init(
        conversation: ConversationID,
        device: DeviceID,
        epoch: Epoch,
        using cryptography: some Cryptography
    ) {
        var bytes = conversation.bytes
        device.append(to: &bytes)
        bytes.appendBigEndian(epoch.value)
        self.init(cryptography.sha256(bytes).prefix16)
    }
}

extension ParticipantID {
    /// A UUID of version 8, RFC 9562: the first 16 bytes of SHA-256("parley participant" ‖
    /// conversation ID ‖ device ID) with the bits of version and variant set.
    package init(
        conversation: ConversationID,
        device: DeviceID,
        using cryptography: some Cryptography
    ) {
        var bytes = Array("parley participant".utf8)
        conversation.append(to: &bytes)
        device.append(to: &bytes)
        let hash = cryptography.sha256(bytes).prefix16
        self.init(
            Bytes16(
                hash.words.0 & ~0xf000 | 0x8000,
                hash.words.1 & ~(3 << 62) | 2 << 62
            )
        )
    }
}
