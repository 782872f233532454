/// A note of a device about itself, which members pass on to those without a link to the device.
package struct Card: Sendable, Equatable {
    /// The raw Ed25519 key of the device.
    package let key: Bytes32
    package let role: Capability.Role
    /// Whether the device is about to stop.
    package let isLeaving: Bool
    /// The generation whose keys prove the role, by its tag; nil for the birth generation.
    package let generation: UInt64?
    /// Higher than the numbers of earlier cards of the device.
    package let number: UInt64
    /// The certificate of a writer (64 bytes); else the code of the role (32 bytes).
    package let proof: Slice
    /// The text, sealed under the current keys for readers, or for all members if the device is a
    /// relay.
    package let sealedText: Slice
    /// The device's signature over `signedBytes`.
    package var signature = Signature(first: .zero, second: .zero)
    /// For how many seconds the card has been on its way; not signed.
    package var age: UInt32 = 0

    /// u32 age ‖ statement ‖ signature (64).
    package var packed: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(age)
        return bytes + statement + signature.bytes
    }

    /// Key (32) ‖ u8 role, with 128 for a leaving device ‖ tag of the generation (8), zero for the
    /// birth generation ‖ u64 number ‖ proof ‖ sealed text.
    private var statement: [UInt8] {
        var bytes = key.bytes + [role.rawValue | (isLeaving ? 128 : 0)]
        bytes.appendBigEndian(generation ?? 0)
        bytes.appendBigEndian(number)
        return bytes + proof.bytes + sealedText.bytes
    }

    /// "parley card 1" ‖ conversation ID ‖ statement.
    package func signedBytes(in conversation: ConversationID) -> [UInt8] {
        Array("parley card 1".utf8) + conversation.bytes + statement
    }

    /// The card after some more time on its way.
    func aged(by time: Interval) -> Card {
        var card = self
        card.age = UInt32(clamping: Int64(age) + time.milliseconds / 1_000)
        return card
    }

    private static let headBytes = 4 + Bytes32.count + 1 + 8 + 8
    package static let sealedBytesMax = CardText.packedBytesMax + SealNonce.overhead

    /// Reads `packed`; nil if a part is not legal.
    package init?(packed: Slice) {
        guard packed.count > Self.headBytes,
            let role = Capability.Role(rawValue: packed[36] & 127)
        else { return nil }
        let textStart = Self.headBytes + Self.proofBytes(role)
        let textEnd = packed.count - Signature.count
        guard textStart...textStart + Self.sealedBytesMax ~= textEnd else { return nil }
        let tag: UInt64 = packed.bigEndian(at: 37)
        self.init(
            key: Bytes32(reading: packed, at: 4),
            role: role,
            isLeaving: packed[36] & 128 != 0,
            generation: tag == 0 ? nil : tag,
            number: packed.bigEndian(at: 45),
            proof: packed[Self.headBytes..<textStart].compacted(),
            sealedText: packed[textStart..<textEnd].compacted()
        )
        signature = Signature(reading: packed, at: textEnd)
        age = packed.bigEndian(at: 0)
    }

    private static func proofBytes(_ role: Capability.Role) -> Int {
        role == .writer ? Signature.count : Bytes32.count
    }

    package init(
        key: Bytes32,
        role: Capability.Role,
        isLeaving: Bool,
        generation: UInt64?,
        number: UInt64,
        proof: Slice,
        sealedText: Slice
    ) {
        self.key = key
        self.role = role
        self.isLeaving = isLeaving
        self.generation = generation
        self.number = number
        self.proof = proof
        self.sealedText = sealedText
    }

    /// Whether the device has signed the card.
    func isSigned(in conversation: ConversationID, using crypto: some Cryptography) -> Bool {
        crypto.verify(signature, of: signedBytes(in: conversation).span.bytes, by: key)
    }
}
