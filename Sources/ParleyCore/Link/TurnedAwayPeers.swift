/// The members that were turned away lately, because all slots were taken.
///
/// Only a side that needs the link dials again within `memory`; others wait longer. So the same
/// side has to have dialled both times.
package struct TurnedAwayPeers: Sendable {
    private struct Attempt: Sendable {
        let device: DeviceID
        /// Whether this node had dialled.
        let isOwn: Bool
        let at: Moment
    }

    /// How long a peer that was turned away is remembered.
    package static let memory = Interval.seconds(5)
    private static let countMax = 256

    private var attempts: [Attempt] = []

    package init() {}

    /// A peer was turned away; at the limit, the earliest attempt is forgotten.
    package mutating func insert(_ device: DeviceID, isOwnDial: Bool, at now: Moment) {
        attempts.removeAll {
            $0.device == device && $0.isOwn == isOwnDial || $0.at + Self.memory < now
        }
        if attempts.count == Self.countMax { attempts.removeFirst() }
        attempts.append(Attempt(device: device, isOwn: isOwnDial, at: now))
    }

    /// Whether a peer was turned away within `memory`, after a dial of the same side.
    package func contains(_ device: DeviceID, isOwnDial: Bool, at now: Moment) -> Bool {
        attempts.contains {
            $0.device == device && $0.isOwn == isOwnDial && now <= $0.at + Self.memory
        }
    }
}
