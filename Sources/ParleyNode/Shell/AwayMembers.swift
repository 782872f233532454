package import ParleyCore

/// The choice of the members that are listed as peers while they are away.
package enum AwayMembers {
    /// The most members that are listed.
    package static let countMax = 1_024

    /// Chooses the devices to list.
    ///
    /// Members that share only open conversations can be anybody, and are left out first. Otherwise
    /// the lowest IDs stay.
    ///
    /// - Parameters:
    ///   - shared: The numbers of the conversations that each device shares.
    ///   - open: The numbers of the open conversations.
    /// - Returns: At most `countMax` devices, in the order of their IDs.
    package static func listed(_ shared: [DeviceID: [UInt32]], open: Set<UInt32>) -> [DeviceID] {
        let devices = shared.keys.sorted()
        guard devices.count > countMax else { return devices }
        let strangers = Set(shared.filter { $0.value.allSatisfy(open.contains) }.keys)
        let others = devices.filter { !strangers.contains($0) }
        return (others + devices.filter(strangers.contains)).prefix(countMax).sorted()
    }
}
