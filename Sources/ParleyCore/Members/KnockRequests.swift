/// The doors at which people of this node knock.
package struct KnockRequests: Sendable {
    /// An invite of another node, as its link says.
    package struct Door: Sendable, Hashable {
        package let device: DeviceID
        package let invite: UInt32
        package let token: Bytes16

        package init(device: DeviceID, invite: UInt32, token: Bytes16) {
            self.device = device
            self.invite = invite
            self.token = token
        }
    }

    /// A door with the link on which this node knocks, and the last moment of patience.
    private struct Request: Sendable {
        let door: Door
        var link: LinkID?
        let deadline: Moment
    }

    private var requests: [Request] = []

    /// How long people wait for the other node.
    package static let patience = Interval.seconds(30)
    /// Doors at a time.
    package static let countMax = 4

    package init() {}

    package var deadline: Moment? { requests.map(\.deadline).min() }

    /// The device that a person waits for, by the first eight bytes of its ID.
    package var wantedHint: UInt64? { requests.first { $0.link == nil }?.door.device.hint }

    package var isFull: Bool { requests.count >= Self.countMax }

    /// A person wants to knock; nothing happens at the limit, or at the same door again.
    package mutating func begin(_ door: Door, at now: Moment) {
        guard !isFull, !requests.contains(where: { $0.door == door }) else { return }
        requests.append(Request(door: door, link: nil, deadline: now + Self.patience))
    }

    /// The doors of a device at which a link lets this node knock now.
    package mutating func take(_ link: LinkID, to device: DeviceID) -> [Door] {
        var doors: [Door] = []
        for index in requests.indices
        where requests[index].door.device == device && requests[index].link == nil {
            requests[index].link = link
            doors.append(requests[index].door)
        }
        return doors
    }

    /// A link has ended: its doors wait for another one.
    package mutating func linkClosed(_ link: LinkID) {
        for index in requests.indices where requests[index].link == link {
            requests[index].link = nil
        }
    }

    /// An answer came on a link; nil if nobody asked there.
    package mutating func answered(_ invite: UInt32, on link: LinkID) -> Door? {
        requests.firstIndex { $0.door.invite == invite && $0.link == link }
            .map { requests.remove(at: $0).door }
    }

    /// Takes the doors at which nobody answered in time.
    package mutating func takeOverdue(at now: Moment) -> [Door] {
        let overdue = requests.filter { $0.deadline <= now }.map(\.door)
        requests.removeAll { $0.deadline <= now }
        return overdue
    }
}

/// How a knock at the door of another node ended.
package struct KnockNotice: Sendable, Equatable {
    package enum End: Sendable, Equatable {
        /// The text of an invite with the keys.
        case letIn(Slice)
        case refused(KnockRefusal)
        /// The node was not found, or did not answer, within `KnockRequests.patience`.
        case unanswered
    }

    package let door: KnockRequests.Door
    package let end: End
}
