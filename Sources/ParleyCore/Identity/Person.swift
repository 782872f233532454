/// A person with several devices, as others see the person.
///
/// The devices of a person share a key, which signs the ID of each.
package struct Person: Sendable, Hashable {
    /// The raw Ed25519 key of the person.
    package let key: Bytes32
    /// The name of the person: 1 to `Limits.deviceNameBytes` bytes.
    package let name: String
    /// The signature of the person's key over `signedBytes`.
    package let signature: Signature

    package init(key: Bytes32, name: String, signature: Signature) {
        self.key = key
        self.name = name
        self.signature = signature
    }

    /// "parley person 1" ‖ device ID ‖ name.
    package static func signedBytes(of device: DeviceID, name: String) -> [UInt8] {
        Array("parley person 1".utf8) + device.bytes + Array(name.utf8)
    }

    /// Whether the device is one of the person's.
    func owns(_ device: DeviceID, using crypto: some Cryptography) -> Bool {
        let signed = Self.signedBytes(of: device, name: name)
        return crypto.verify(signature, of: signed.span.bytes, by: key)
    }

    /// Key (32) ‖ signature (64) ‖ name.
    var packed: [UInt8] { key.bytes + signature.bytes + Array(name.utf8) }

    static let packedBytesMax = Bytes32.count + Signature.count + Limits.deviceNameBytes

    /// Reads `packed`; nil if a part is not legal.
    init?(packed: Slice) {
        let nameStart = Bytes32.count + Signature.count
        guard nameStart + 1...Self.packedBytesMax ~= packed.count,
            let name = String(validating: packed[nameStart..<packed.count].bytes, as: UTF8.self)
        else { return nil }
        self.init(
            key: Bytes32(reading: packed, at: 0),
            name: name,
            signature: Signature(reading: packed, at: Bytes32.count)
        )
    }
}
