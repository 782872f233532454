/// The signed statement of a device that it let another device into a conversation.
package struct Admission: Sendable, Hashable {
    /// The raw Ed25519 key of the device that let the other one in.
    package let inviterKey: Bytes32
    package let device: DeviceID
    package let role: Capability.Role
    /// The inviter's number of the admission in the conversation, from 1.
    package let number: UInt32
    /// The inviter's signature over `signedBytes`.
    package let signature: Signature

    package init(
        inviterKey: Bytes32,
        device: DeviceID,
        role: Capability.Role,
        number: UInt32,
        signature: Signature
    ) {
        self.inviterKey = inviterKey
        self.device = device
        self.role = role
        self.number = number
        self.signature = signature
    }

    /// The bytes of `packed`.
    package static let packedBytes = 2 * Bytes32.count + 5 + Signature.count

    /// Inviter's key (32) ‖ device ID (32) ‖ u8 role ‖ u32 number ‖ signature (64).
    package var packed: [UInt8] {
        inviterKey.bytes + Self.statement(device, role, number) + signature.bytes
    }

    /// Reads `packed`; nil if a part is not legal.
    package init?(packed: Slice) {
        guard packed.count == Self.packedBytes, let role = Capability.Role(rawValue: packed[64])
        else { return nil }
        let number: UInt32 = packed.bigEndian(at: 65)
        guard number > 0 else { return nil }
        self.init(
            inviterKey: Bytes32(reading: packed, at: 0),
            device: DeviceID(reading: packed, at: 32),
            role: role,
            number: number,
            signature: Signature(reading: packed, at: 69)
        )
    }

    /// The bytes that the inviter signs: "parley admission 1" ‖ conversation ID ‖ device ID ‖
    /// u8 role ‖ u32 number.
    package static func signedBytes(
        for device: DeviceID,
        as role: Capability.Role,
        number: UInt32,
        in conversation: ConversationID
    ) -> [UInt8] {
        Array("parley admission 1".utf8) + conversation.bytes + statement(device, role, number)
    }

    /// Whether the inviter signed the statement about this conversation.
    package func isValid(in conversation: ConversationID, using crypto: some Cryptography) -> Bool {
        let bytes = Self.signedBytes(for: device, as: role, number: number, in: conversation)
        return crypto.verify(signature, of: bytes.span.bytes, by: inviterKey)
    }

    private static func statement(
        _ device: DeviceID,
        _ role: Capability.Role,
        _ number: UInt32
    ) -> [UInt8] {
        var bytes = device.bytes
        bytes.append(role.rawValue)
        bytes.appendBigEndian(number)
        return bytes
    }
}
