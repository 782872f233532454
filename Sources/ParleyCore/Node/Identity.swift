/// Who a node is: its device, its epoch, and this process of it.
package struct Identity: Sendable {
    package let device: DeviceID
    package var epoch: Epoch
    /// Tells this process from others with the same device's key.
    package let processNonce: UInt64
    /// Nonces of other processes that use this device's key.
    private var duplicates: [UInt64] = []

    /// Processes with this device's key that are told apart.
    private static let duplicatesMax = 16

    package init(device: DeviceID, epoch: Epoch, processNonce: UInt64) {
        self.device = device
        self.epoch = epoch
        self.processNonce = processNonce
    }

    /// Another process has this device's key.
    ///
    /// - Returns: whether it was not met before.
    package mutating func met(duplicate nonce: UInt64) -> Bool {
        guard !duplicates.contains(nonce) else { return false }
        if duplicates.count == Self.duplicatesMax { duplicates.removeFirst() }
        duplicates.append(nonce)
        return true
    }
}
