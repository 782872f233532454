/// A writer's signed statement about its envelopes of a former member.
package struct Vouch: Sendable, Equatable {
    package let conversation: ConversationID
    /// The generation of keys at which the voucher signed.
    package let generation: GenerationID
    /// The author's origin.
    package let origin: OriginID
    /// The first 16 bytes of the envelopes' digests, ascending.
    package let digests: [Bytes16]
    /// The raw Ed25519 key of the device that vouches.
    package let device: Bytes32
    /// The signature of the generation's W, which shows that a writer vouches.
    package let writeSignature: Signature
    package let deviceSignature: Signature

    private static let headBytes = 3 * Bytes32.count + OriginID.count
    private static let tailBytes = 2 * Signature.count

    /// Conversation ID (32) ‖ generation ID (32) ‖ device key (32) ‖ origin (16) ‖ digests (16
    /// each) ‖ signature of W (64) ‖ signature of the device (64).
    package var packed: [UInt8] {
        Self.statement(conversation, generation, device, origin, digests)
            + writeSignature.bytes + deviceSignature.bytes
    }

    /// Reads `packed`, whose signatures are yet to be checked; nil if a part is not legal.
    package init?(packed: Slice) {
        let bytes = packed.count - Self.headBytes - Self.tailBytes
        guard bytes > 0, bytes.isMultiple(of: Bytes16.count),
            bytes / Bytes16.count <= Limits.vouchedEnvelopes
        else { return nil }
        conversation = ConversationID(reading: packed, at: 0)
        generation = GenerationID(reading: packed, at: 32)
        device = Bytes32(reading: packed, at: 64)
        origin = OriginID(reading: packed, at: 96)
        let end = Self.headBytes + bytes
        digests = stride(from: Self.headBytes, to: end, by: Bytes16.count)
            .map { Bytes16(reading: packed, at: $0) }
        guard zip(digests, digests.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        writeSignature = Signature(reading: packed, at: end)
        deviceSignature = Signature(reading: packed, at: end + Signature.count)
    }

    /// Signs for envelopes of an origin, as a writer with the seed of the generation's W.
    package init(
        for digests: [Bytes16],
        of origin: OriginID,
        in conversation: ConversationID,
        at generation: GenerationID,
        writeSeed: Bytes32,
        using crypto: some Cryptography
    ) {
        self.conversation = conversation
        self.generation = generation
        self.origin = origin
        self.digests = digests.sorted()
        device = crypto.devicePublicKey
        let statement = Self.statement(conversation, generation, device, origin, self.digests)
        let signed = Self.signedBytes(crypto.sha256(statement))
        writeSignature = crypto.sign(signed.span.bytes, bySeed: writeSeed)
        deviceSignature = crypto.sign(signed.span.bytes)
    }

    /// SHA-256 of the statement.
    package func id(using crypto: some Cryptography) -> Bytes32 {
        crypto.sha256(Self.statement(conversation, generation, device, origin, digests))
    }

    /// The bytes that W and the device sign: "parley vouch 1" ‖ ID.
    package static func signedBytes(_ id: Bytes32) -> [UInt8] {
        Array("parley vouch 1".utf8) + id.bytes
    }

    func isSigned(as id: Bytes32, by writeKey: Bytes32, using crypto: some Cryptography) -> Bool {
        let signed = Self.signedBytes(id)
        return crypto.verify(writeSignature, of: signed.span.bytes, by: writeKey)
            && crypto.verify(deviceSignature, of: signed.span.bytes, by: device)
    }

    private static func statement(
        _ conversation: ConversationID,
        _ generation: GenerationID,
        _ device: Bytes32,
        _ origin: OriginID,
        _ digests: [Bytes16]
    ) -> [UInt8] {
        conversation.bytes + generation.bytes + device.bytes + origin.bytes
            + digests.flatMap(\.bytes)
    }
}
