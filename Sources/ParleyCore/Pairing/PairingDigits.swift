/// The six digits that two people compare.
package struct PairingDigits: Sendable, Hashable, CustomStringConvertible {
    /// Below 1,000,000.
    package let value: UInt32

    /// The digits for two devices and their nonces, the same on both sides.
    ///
    /// The value is the first 8 bytes of SHA-256("parley pairing digits 1" ‖ lower device ID ‖
    /// higher device ID ‖ nonce of the lower ‖ nonce of the higher), as a number modulo 1,000,000.
    /// Of 64 bits, no value is likelier than another by more than 1 in 10^13.
    package init(
        _ one: (device: DeviceID, nonce: Bytes32),
        _ other: (device: DeviceID, nonce: Bytes32),
        using crypto: some Cryptography
    ) {
        let (low, high) = one.device < other.device ? (one, other) : (other, one)
        var bytes = Array("parley pairing digits 1".utf8)
        low.device.append(to: &bytes)
        high.device.append(to: &bytes)
        low.nonce.append(to: &bytes)
        high.nonce.append(to: &bytes)
        value = UInt32(crypto.sha256(bytes).words.0 % 1_000_000)
    }

    /// Six digits, with leading zeros.
    package var description: String {
        let digits = String(value)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The commitment that binds a device to a nonce without telling it.
    ///
    /// The value is SHA-256("parley pairing commit 1" ‖ device ID ‖ nonce): the device ID keeps
    /// other devices from using the commitment.
    package static func commitment(
        of device: DeviceID,
        to nonce: Bytes32,
        using crypto: some Cryptography
    ) -> Bytes32 {
        var bytes = Array("parley pairing commit 1".utf8)
        device.append(to: &bytes)
        nonce.append(to: &bytes)
        return crypto.sha256(bytes)
    }
}
