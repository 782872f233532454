/// Waiting for a slot on a node that has none free.
extension AddressBook {
    /// The node of `device` has no slot for this node, or has taken the slot back.
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

    /// Puts off dials to a device until a moment.
    mutating func wait(for device: DeviceID, until moment: Moment) {
        change(where: { $0.hint == device.hint }) { $0.due = max($0.due, moment) }
    }

    /// Lowers the priority of due devices that are reachable through other links.
    mutating func lowerPriority(at now: Moment, isReached: (UInt64) -> Bool) {
        change(
            where: { $0.busy.isHighPriority && $0.due <= now && ($0.hint.map(isReached) ?? false) }
        ) { entry in
            entry.due = now + entry.busy.lowerPriority()
        }
    }
}
