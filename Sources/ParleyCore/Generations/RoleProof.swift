/// The proof of a device's role on a link.
package struct RoleProof: Sendable, Equatable {
    package let role: Capability.Role
    /// The generation whose keys prove the role, by its tag; nil for the birth generation.
    package let generation: UInt64?
    /// The certificate of a writer (64 bytes), the code of a reader (32), nothing of a relay, which
    /// proved its role with the tag of the conversation.
    package let proof: Slice

    /// u8 role ‖ 8 bytes of the generation's tag, zero for the birth generation ‖ proof.
    package var packed: [UInt8] {
        var bytes = [role.rawValue]
        bytes.appendBigEndian(generation ?? 0)
        return bytes + proof.bytes
    }

    package init(role: Capability.Role, generation: UInt64?, proof: Slice) {
        self.role = role
        self.generation = generation
        self.proof = proof
    }

    /// Reads `packed`; nil if a part is not legal.
    package init?(packed: Slice) {
        let lengths: [Capability.Role: Int] = [.relay: 0, .reader: 32, .writer: Signature.count]
        guard packed.count >= 9, let role = Capability.Role(rawValue: packed[0]),
            lengths[role] == packed.count - 9
        else { return nil }
        let tag: UInt64 = packed.bigEndian(at: 1)
        self.init(
            role: role,
            generation: tag == 0 ? nil : tag,
            proof: packed[9..<packed.count].compacted()
        )
    }
}

/// A device whose key and role are proven.
package struct KnownDevice: Sendable, Hashable {
    package let device: DeviceID
    /// The raw Ed25519 key.
    package let key: Bytes32
    package let role: Capability.Role
    /// The generation whose keys prove the role, by its tag; nil for the birth generation.
    package let generation: UInt64?
    /// The person to whom the device belongs, according to its card.
    package var person: Person?

    package init(device: DeviceID, key: Bytes32, role: Capability.Role, generation: UInt64?) {
        self.device = device
        self.key = key
        self.role = role
        self.generation = generation
    }

    /// Key (32) ‖ u8 role ‖ tag of the generation (8), zero for the birth generation ‖ the person,
    /// or nothing.
    var packed: [UInt8] {
        var bytes = key.bytes + [role.rawValue]
        bytes.appendBigEndian(generation ?? 0)
        return bytes + (person?.packed ?? [])
    }

    /// Reads `packed`; nil if a part is not legal.
    init?(of device: DeviceID, packed: Slice) {
        guard packed.count >= 41, let role = Capability.Role(rawValue: packed[32]) else {
            return nil
        }
        let tag: UInt64 = packed.bigEndian(at: 33)
        self.init(
            device: device,
            key: Bytes32(reading: packed, at: 0),
            role: role,
            generation: tag == 0 ? nil : tag
        )
        person = Person(packed: packed[41..<packed.count])
    }
}
