/// The number of a guest's seat at a device in one conversation: 1 to 64.
package struct SeatNumber: Hashable, Comparable, Sendable {
    package static let all: ClosedRange<UInt8> = 1...64

    package let value: UInt8

    /// Nil outside of `all`.
    package init?(_ value: some BinaryInteger) {
        guard let value = UInt8(exactly: value), Self.all.contains(value) else { return nil }
        self.value = value
    }

    package static func < (left: SeatNumber, right: SeatNumber) -> Bool {
        left.value < right.value
    }
}

/// A seat for a guest of this node: somebody without a node who writes in one conversation.
///
/// The node keeps the guest's key, and signs for the guest.
package struct GuestSeat: Sendable, Equatable {
    package let number: SeatNumber
    /// The guest's private key as RFC 8032 defines it; secret.
    package let seed: Bytes32
    /// The name of the guest for people: 1 to `Limits.deviceNameBytes` bytes.
    package let name: String
    /// SHA-256 of the secret by which the node knows the guest's browser.
    package let secretHash: Bytes32

    package init(number: SeatNumber, seed: Bytes32, name: String, secretHash: Bytes32) {
        self.number = number
        self.seed = seed
        self.name = name
        self.secretHash = secretHash
    }
}
