/// The members without a link because neither side needs one; they are not dialled.
///
/// This is the passive view of HyParView (see `Mesh`). A member that is needed again is *promoted*:
/// dialled, and counted as linked until a deadline. Now and then another member is promoted for a
/// check: such a member may have joined conversations, or be gone.
package struct PassiveView: Sendable {
    /// A member without a link.
    package struct Peer: Sendable, Equatable {
        package let device: DeviceID
        /// The conversations that were shared on the last link.
        package fileprivate(set) var conversations: [UInt32]
        /// When the last link ended.
        package let since: Moment
        /// The deadline for the link to a promoted member.
        package fileprivate(set) var promotedUntil: Moment?

        package var isPromoted: Bool { promotedUntil != nil }
    }

    /// How long the link to a promoted peer may take before another one is wanted instead.
    package static let patience = Interval.milliseconds(500)
    /// The pause between checks; up to a quarter is added, so that nodes do not check all at once.
    package static let renewal = Interval.seconds(900)
    /// Members that are remembered; the links to further ones stay.
    package static let countMax = 1_024

    /// The members in the order of their devices.
    package private(set) var peers: [Peer] = []
    /// When the next member is promoted for a check.
    private var renewalDue: Moment?
    /// The next deadline of a promoted member, or the next check.
    package private(set) var deadline: Moment?

    package init() {}

    package var isEmpty: Bool { peers.isEmpty }

    package var isFull: Bool { peers.count >= Self.countMax }

    /// Whether the view has a member of a conversation.
    package func share(_ conversation: UInt32) -> Bool {
        peers.contains { $0.conversations.contains(conversation) }
    }

    /// The devices that are not to be dialled, by the first eight bytes of their IDs.
    package var hints: [UInt64] { peers.filter { !$0.isPromoted }.map(\.device.hint) }

    /// The link to a device has ended, as neither side needs it.
    package mutating func insert(
        _ device: DeviceID,
        sharing conversations: [UInt32],
        at now: Moment
    ) {
        remove(device)
        let index = peers.firstIndex { device < $0.device } ?? peers.count
        peers.insert(Peer(device: device, conversations: conversations, since: now), at: index)
        if renewalDue == nil { planRenewal(after: device, at: now) }
        updateDeadline()
    }

    /// The device has a link again, or shares nothing any more.
    package mutating func remove(_ device: DeviceID) {
        guard let index = index(of: device) else { return }
        peers.remove(at: index)
        updateDeadline()
    }

    /// Forgets all members, as all addresses are dialled.
    package mutating func removeAll() { self = PassiveView() }

    /// Forgets the conversations that this node has left, and then members without a conversation.
    package mutating func keep(_ isHere: (UInt32) -> Bool) {
        for index in peers.indices { peers[index].conversations.removeAll { !isHere($0) } }
        peers.removeAll { $0.conversations.isEmpty }
        updateDeadline()
    }

    // MARK: Promotion

    /// Notes that a link to a device is needed again.
    ///
    /// - Returns: whether the device has to be dialled now.
    package mutating func promote(_ device: DeviceID, at now: Moment) -> Bool {
        guard let index = index(of: device), !peers[index].isPromoted else { return false }
        peers[index].promotedUntil = now + Self.patience
        updateDeadline()
        return true
    }

    /// Forgets the devices that were promoted in vain.
    ///
    /// - Returns: these devices, in their order.
    package mutating func takeOverdue(at now: Moment) -> [DeviceID] {
        guard let deadline, deadline <= now else { return [] }
        let overdue = peers.filter { $0.promotedUntil.map { $0 <= now } ?? false }.map(\.device)
        for device in overdue { remove(device) }
        return overdue
    }

    /// The device to check now, if a check is due: the member without a link for longest.
    package mutating func takeRenewal(at now: Moment) -> DeviceID? {
        guard let due = renewalDue, due <= now else { return nil }
        renewalDue = nil
        defer { updateDeadline() }
        let waiting = peers.filter { !$0.isPromoted }
        guard let oldest = waiting.min(by: { $0.since < $1.since }) else { return nil }
        planRenewal(after: oldest.device, at: now)
        return oldest.device
    }

    private mutating func planRenewal(after device: DeviceID, at now: Moment) {
        let jitter = device.hint % UInt64(Self.renewal.nanoseconds / 4)
        renewalDue = now + Interval(nanoseconds: Self.renewal.nanoseconds + Int64(jitter))
    }

    private mutating func updateDeadline() {
        if peers.isEmpty { renewalDue = nil }
        var next = Earliest()
        next.add(renewalDue)
        for peer in peers { next.add(peer.promotedUntil) }
        deadline = next.moment
    }

    private func index(of device: DeviceID) -> Int? {
        peers.firstIndex { $0.device == device }
    }
}
