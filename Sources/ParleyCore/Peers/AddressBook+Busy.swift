/// Waits for slots on nodes that have none.
extension AddressBook {
    /// The node of `device` has no slot for this node, or none any more.
    package mutating func turnedAway(
        _ device: DeviceID,
        _ need: BusyWait.Need,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        change(where: { $0.hint == device.hint }) { entry in
            entry.due = now + entry.busy.turnedAway(need, using: &random)
        }
    }

    /// The node of `device` is not dialled before a moment.
    mutating func wait(for device: DeviceID, until moment: Moment) {
        change(where: { $0.hint == device.hint }) { $0.due = max($0.due, moment) }
    }

    /// Lowers the priority of the devices that other links lead to.
    mutating func lowerPriority(at now: Moment, isReached: (UInt64) -> Bool) {
        change(
            where: { $0.busy.isHighPriority && $0.due <= now && ($0.hint.map(isReached) ?? false) }
        ) { entry in
            entry.due = now + entry.busy.lowerPriority()
        }
    }
}
