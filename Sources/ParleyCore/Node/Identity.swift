/// The identity of a node: device, epoch and process.
package struct Identity: Sendable {
    package let device: DeviceID
    package var epoch: Epoch
    /// Distinguishes this process from others with the same device key.
    package let processNonce: UInt64
    /// Nonces of other processes that use this device's key.
    private var duplicates: [UInt64] = []

    /// The most processes with this device's key that are remembered.
    private static let duplicatesMax = 16

    package init(device: DeviceID, epoch: Epoch, processNonce: UInt64) {
        self.device = device
        self.epoch = epoch
        self.processNonce = processNonce
    }

    /// Notes another process with this device's key.
    ///
    /// - Returns: whether it was not met before.
    package mutating func met(duplicate nonce: UInt64) -> Bool {
        guard !duplicates.contains(nonce) else { return false }
        if duplicates.count == Self.duplicatesMax { duplicates.removeFirst() }
        duplicates.append(nonce)
        return true
    }
}
