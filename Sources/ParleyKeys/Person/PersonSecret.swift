package import ParleyCore

/// The common secret of the devices of one person.
///
/// Whoever has it can show devices as the person's. Never printed.
package struct PersonSecret: Sendable {
    private let key: SigningKey
    /// 0 until two devices are linked, then 1, and one more with each new key, at most `numberMax`.
    package let number: UInt32
    /// The time at which the device that made the secret was new, in milliseconds since 1970.
    package let since: UInt64
    /// The name of the person: 1 to `Limits.deviceNameBytes` bytes.
    package let name: String

    /// The secret with the RFC 8032 private key `seed`, which may be any 32 bytes.
    package init(seed: Bytes32, number: UInt32, since: UInt64, name: String) {
        self.init(key: SigningKey(seed: seed), number: number, since: since, name: name)
    }

    private init(key: SigningKey, number: UInt32, since: UInt64, name: String) {
        self.key = key
        self.number = number
        self.since = since
        self.name = name
    }

    /// The secret of a person of whom no two devices are linked.
    package static func new(named name: String, since: UInt64) -> PersonSecret {
        PersonSecret(key: .random(), number: 0, since: since, name: name)
    }

    /// The same person with another key, unknown to other devices until they are linked again.
    package func renewed() -> PersonSecret {
        let next = min(max(number, 1) + 1, Self.numberMax)
        return PersonSecret(key: .random(), number: next, since: since, name: name)
    }

    /// A key for each minute of 7,000 years.
    private static let numberMax: UInt32 = .max - 1

    /// The raw Ed25519 key of the person.
    package var publicKey: Bytes32 { key.publicKey }

    /// Whether several devices have the secret, so that others may be shown the person.
    package var isLinked: Bool { number > 0 }

    /// The secret of two linked devices, the same on both sides: the secret with the higher number,
    /// else of the earlier person.
    package func linked(to other: PersonSecret) -> PersonSecret {
        let isKept =
            (other.number, since, publicKey.words.0) <= (
                number, other.since, other.publicKey.words.0
            )
        let kept = isKept ? self : other
        return PersonSecret(
            key: kept.key,
            number: max(kept.number, 1),
            since: kept.since,
            name: kept.name
        )
    }

    /// The person as a device shows it to others; nil while no other device has the secret.
    package func shown(by device: DeviceID) -> Person? { isLinked ? person(of: device) : nil }

    /// The person with a signature for a device.
    package func person(of device: DeviceID) -> Person {
        let signed = Person.signedBytes(of: device, name: name)
        let signature = signed.withUnsafeBytes { key.sign($0) }
        return Person(key: publicKey, name: name, signature: signature)
    }

    /// u32 number ‖ u64 since ‖ private key (32) ‖ name.
    package var packed: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(number)
        bytes.appendBigEndian(since)
        return bytes + key.seed.bytes + Array(name.utf8)
    }

    /// Reads `packed`; nil if a part is not legal.
    package init?(packed: Slice) {
        let nameStart = 12 + Bytes32.count
        let number: UInt32 = packed.count < 4 ? .max : packed.bigEndian(at: 0)
        guard Limits.personSecretBytes ~= packed.count, number <= Self.numberMax,
            let name = String(validating: packed[nameStart..<packed.count].bytes, as: UTF8.self)
        else { return nil }
        self.init(
            seed: Bytes32(reading: packed, at: 12),
            number: number,
            since: packed.bigEndian(at: 4),
            name: name
        )
    }
}

extension PersonSecret: Equatable {
    package static func == (left: PersonSecret, right: PersonSecret) -> Bool {
        left.packed == right.packed
    }
}

extension PersonSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { name }
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
