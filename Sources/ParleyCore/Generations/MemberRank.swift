/// The place of a device among those who may change the keys; a smaller rank is higher.
///
/// The creator is first, then whom it let in, in the order of its admissions, and so on. A device
/// that a member invents and admits stands below that member.
package struct MemberRank: Sendable, Hashable, Comparable {
    /// The numbers of the admissions from the creator down to the device.
    package let numbers: [UInt32]
    package let device: DeviceID

    package init(numbers: [UInt32], device: DeviceID) {
        self.numbers = numbers
        self.device = device
    }

    /// The rank that a path of admissions from the creator down to a device gives.
    ///
    /// In a conversation without a creator, all devices rank without a path. Nil if the path does
    /// not hold.
    package init?(
        of device: DeviceID,
        by path: [Admission],
        from creator: Bytes32?,
        in conversation: ConversationID,
        using crypto: some Cryptography
    ) {
        guard path.count <= Limits.admissionSteps else { return nil }
        var reached = creator.map { DeviceID(publicKey: $0, using: crypto) } ?? device
        for admission in path {
            guard DeviceID(publicKey: admission.inviterKey, using: crypto) == reached,
                admission.role == .writer,
                admission.isValid(in: conversation, using: crypto)
            else { return nil }
            reached = admission.device
        }
        guard reached == device, creator != nil || path.isEmpty else { return nil }
        self.init(numbers: path.map(\.number), device: device)
    }

    /// The devices from the first one below the creator down to a device, by its path.
    ///
    /// Without a creator each device is the first one.
    static func house(
        of device: DeviceID,
        by path: [Admission],
        from creator: Bytes32?
    ) -> [DeviceID] {
        creator == nil ? [device] : path.map(\.device)
    }

    package static func < (left: MemberRank, right: MemberRank) -> Bool {
        guard left.numbers.count == right.numbers.count else {
            return left.numbers.count < right.numbers.count
        }
        guard left.numbers == right.numbers else {
            return left.numbers.lexicographicallyPrecedes(right.numbers)
        }
        return left.device < right.device
    }
}
