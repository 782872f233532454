/// The new keys of a generation, sealed for each device that stays: each gets the secret of its
/// role, S, K or R.
package struct KeyBoxes: Sendable, Equatable {
    /// An X25519 key that is used for these boxes only.
    let ephemeral: Bytes32
    /// In the order of the listings of those who stay.
    let boxes: [Box]

    struct Box: Sendable, Equatable {
        let role: Capability.Role
        /// The sealed secret with its tag.
        let sealed: Slice
    }

    private static let sealedBytes = Bytes32.count + SealNonce.overhead - SealNonce.count
    private static let boxBytes = 1 + sealedBytes

    /// Ephemeral key (32), and for each device u8 role ‖ sealed secret (48).
    package var packed: [UInt8] {
        ephemeral.bytes + boxes.flatMap { [$0.role.rawValue] + $0.sealed.bytes }
    }

    init(ephemeral: Bytes32, boxes: [Box]) {
        self.ephemeral = ephemeral
        self.boxes = boxes
    }

    /// Reads `packed`; nil if a part is not legal.
    package init?(packed: Slice) {
        guard packed.count >= Bytes32.count,
            (packed.count - Bytes32.count).isMultiple(of: Self.boxBytes)
        else { return nil }
        ephemeral = Bytes32(reading: packed, at: 0)
        var boxes: [Box] = []
        for start in stride(from: Bytes32.count, to: packed.count, by: Self.boxBytes) {
            guard let role = Capability.Role(rawValue: packed[start]) else { return nil }
            boxes.append(Box(role: role, sealed: packed[start + 1..<start + Self.boxBytes]))
        }
        self.boxes = boxes
    }
}

/// The terms of a box's key, besides the device.
struct BoxTerms {
    let conversation: ConversationID
    let parent: GenerationID
    let publicWriteKey: Bytes32
    let ephemeral: Bytes32

    /// HKDF(SHA-256(shared), "parley box 1" ‖ conversation ID ‖ parent ID ‖ the new public W ‖
    /// ephemeral key ‖ device key ‖ u8 role).
    private func key(
        _ shared: Bytes32,
        of device: Bytes32,
        as role: Capability.Role,
        using crypto: some Cryptography
    ) -> Bytes32 {
        var info = Array("parley box 1".utf8) + conversation.bytes + parent.bytes
        info += publicWriteKey.bytes + ephemeral.bytes + device.bytes + [role.rawValue]
        return crypto.deriveKey(from: crypto.sha256(shared.bytes), info: info.span.bytes)
    }

    /// A box for a device, sealed with the secret half of the ephemeral key; nil if the key of the
    /// device has a part of small order.
    func box(
        _ secret: Bytes32,
        for device: Bytes32,
        as role: Capability.Role,
        by ephemeralSecret: Bytes32,
        using crypto: some Cryptography
    ) -> KeyBoxes.Box? {
        guard let agreement = crypto.agreementKey(ofDevice: device),
            let shared = crypto.agree(ephemeralSecret, with: agreement)
        else { return nil }
        // The key is used once, so the nonce may be a constant, which is not sent.
        let sealed = crypto.seal(
            secret.bytes.span.bytes,
            key: key(shared, of: device, as: role, using: crypto),
            nonce: SealNonce(high: 0, low: 0),
            authenticating: RawSpan()
        )
        return KeyBoxes.Box(role: role, sealed: Slice(Array(sealed.dropFirst(SealNonce.count))))
    }

    /// The secret in the box of this device; nil if the box does not open.
    func open(_ box: KeyBoxes.Box, using crypto: some Cryptography) -> Bytes32? {
        guard let shared = crypto.agreeAsDevice(with: ephemeral) else { return nil }
        let sealed = SealNonce(high: 0, low: 0).bytes + box.sealed.bytes
        let device = crypto.devicePublicKey
        return crypto.open(
            sealed.span.bytes,
            key: key(shared, of: device, as: box.role, using: crypto),
            authenticating: RawSpan()
        ).flatMap { Bytes32($0) }
    }
}
