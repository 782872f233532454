/// Decides to which members this node keeps links, where a conversation has more members than
/// should all be linked with one another, and which of them are its neighbours.
///
/// It is told of the members that have links, and answers with the links that are needed or not. A
/// member without a link, as neither side needed it, is in the passive view until it is needed
/// again.
///
/// This is the active and the passive view of HyParView (J. Leitão, J. Pereira, L. Rodrigues:
/// "HyParView: A Membership Protocol for Reliable Gossip-Based Broadcast", DSN 2007). There both
/// views are random and of fixed sizes, and nodes shuffle them. Here a `Ring` determines the active
/// view, so nodes agree without a message, and the passive view has all members that were met. A
/// link ends only if both sides agree, while a HyParView node drops one to make capacity; that, and
/// the priority of who comes, is the part of `LinkSlots` and `BusyWait`.
package struct Mesh: Sendable {
    /// A member that has a link.
    package struct Member: Sendable, Equatable {
        package let device: DeviceID
        /// The conversations that are shared on the link.
        package let conversations: [UInt32]
        /// Whether the member answers.
        package var isLive = true
        /// Whether the member was told that this side does not need the link.
        package var isSpare = false
        /// Whether the link has still something to carry, so that it is not let go.
        package var isBusy = false

        package init(_ device: DeviceID, sharing conversations: [UInt32]) {
            self.device = device
            self.conversations = conversations
        }
    }

    /// Another word to a member on whether its link is needed here.
    package struct Notice: Sendable, Equatable {
        /// The index of the member.
        package let member: Int
        package let isSpare: Bool

        package init(member: Int, isSpare: Bool) {
            self.member = member
            self.isSpare = isSpare
        }
    }

    /// The members without a link to which one is to be made again.
    package struct Promotion: Sendable, Equatable {
        /// The members to which no link was made in time.
        package var inVain: [DeviceID]
        /// The members to dial now.
        package var devices: [DeviceID]

        package init(inVain: [DeviceID] = [], devices: [DeviceID] = []) {
            self.inVain = inVain
            self.devices = devices
        }
    }

    /// The pause before and between reviews of the links.
    package static let pause = Interval.seconds(1)

    /// This node's device.
    private let own: DeviceID
    /// Members without a link, as neither side needs one.
    package private(set) var passiveView = PassiveView()
    /// When to look for links to let go.
    package private(set) var reviewDue: Moment?
    /// Whether members came, went, or answer or not since it was decided which links are needed.
    package private(set) var isStale = true
    /// Whether they did since the neighbours were chosen.
    package private(set) var areNeighboursStale = false

    /// The mesh of a device without links.
    package init(of own: DeviceID) {
        self.own = own
    }

    /// When a review is due, or a member without a link.
    package var deadline: Moment? {
        var next = Earliest()
        next.add(reviewDue)
        next.add(passiveView.deadline)
        return next.moment
    }

    // MARK: Members

    /// Members came, went, or answer or not.
    package mutating func membersChanged() {
        isStale = true
        areNeighboursStale = true
    }

    /// A device has a link to a member.
    package mutating func linked(_ device: DeviceID) {
        passiveView.remove(device)
        membersChanged()
    }

    /// The link to a member has ended, as neither side needed it.
    package mutating func letGo(
        _ device: DeviceID,
        sharing conversations: [UInt32],
        at now: Moment
    ) {
        passiveView.insert(device, sharing: conversations, at: now)
    }

    /// A device shares nothing any more.
    package mutating func sharesNothing(_ device: DeviceID) { passiveView.remove(device) }

    // MARK: Neighbours

    /// Chooses for each conversation the two members before and after this node in the ring of
    /// those that answer.
    ///
    /// In a full mesh, each member is the neighbour of two others.
    package mutating func chooseNeighbours(among members: [Member]) -> [UInt32: [DeviceID]] {
        areNeighboursStale = false
        return devices(of: members).mapValues { Ring(of: own, and: $0).neighbours }
    }

    // MARK: Letting go

    /// Whether to review the links now.
    package func isReviewDue(at now: Moment) -> Bool { reviewDue.map { $0 <= now } ?? false }

    /// Decides which links are needed.
    ///
    /// None is let go while one is missing that is wanted. `reachable` names the devices that can
    /// be dialled, by the first eight bytes of their IDs.
    ///
    /// - Returns: the notices to the members that were told otherwise before, in their order.
    package mutating func review(
        _ members: [Member],
        reachable: Set<UInt64>,
        at now: Moment
    ) -> [Notice] {
        reviewDue = nil
        let wanted = wanted(among: members, reachable: reachable)
        let linked = Set(members.filter(\.isLive).map(\.device))
        let isComplete = wanted.isSubset(of: linked) && !passiveView.isFull
        var notices: [Notice] = []
        for (index, member) in members.enumerated() where member.isLive {
            let isWanted = wanted.contains(member.device)
            guard isWanted == member.isSpare else { continue }
            guard isWanted || isComplete && !member.isBusy else {
                reviewDue = now + Self.pause
                continue
            }
            notices.append(Notice(member: index, isSpare: !isWanted))
        }
        return notices
    }

    /// The devices to which this node wants links: of each conversation, those that follow from the
    /// ring of the members that have a link here and answer, or were let go and can be dialled.
    private func wanted(among members: [Member], reachable: Set<UInt64>) -> Set<DeviceID> {
        var devices = devices(of: members)
        for peer in passiveView.peers where peer.isPromoted || reachable.contains(peer.device.hint)
        {
            for number in peer.conversations { devices[number, default: []].append(peer.device) }
        }
        // The order does not matter, as it is one set in the end.
        var wanted: Set<DeviceID> = []
        for (number, devices) in devices {
            let ring = Ring(of: own, and: devices)
            wanted.formUnion(ring.wanted(wasPartial: passiveView.share(number)))
        }
        return wanted
    }

    /// The devices of each conversation that have a link here and answer.
    private func devices(of members: [Member]) -> [UInt32: [DeviceID]] {
        var devices: [UInt32: [DeviceID]] = [:]
        for member in members where member.isLive {
            for number in member.conversations {
                devices[number, default: []].append(member.device)
            }
        }
        return devices
    }

    // MARK: Promotion

    /// Whether a member without a link may have to be promoted, or forgotten, now.
    @inline(__always)
    package func isPromotionDue(after changes: Dialer.Changes, at now: Moment) -> Bool {
        isStale || changes.areAllDue || changes.areAnnouncementsNew
            || passiveView.deadline.map { $0 <= now } ?? false
    }

    /// Promotes the member whose turn it is although it is not needed, and forgets those that were
    /// dialled in vain.
    package mutating func promoteDue(after changes: Dialer.Changes, at now: Moment) -> Promotion {
        if changes.areAllDue { passiveView.removeAll() }
        let inVain = passiveView.takeOverdue(at: now)
        if changes.areAnnouncementsNew || !inVain.isEmpty { isStale = true }
        let renewed = passiveView.takeRenewal(at: now).map { [$0] } ?? []
        return Promotion(
            inVain: inVain,
            devices: renewed.filter { passiveView.promote($0, at: now) }
        )
    }

    /// Promotes the members without a link that are needed, and plans a review if a member has to
    /// be told something else than before.
    ///
    /// `isHere` says whether this node is in a conversation. `reachable` names the devices that can
    /// be dialled; it is called only if there are many members.
    ///
    /// - Returns: the devices to dial.
    package mutating func promoteNeeded(
        among members: [Member],
        reachable: () -> Set<UInt64>,
        isHere: (UInt32) -> Bool,
        at now: Moment
    ) -> [DeviceID] {
        isStale = false
        guard !passiveView.isEmpty || members.count > Ring.fullMax else { return [] }
        passiveView.keep(isHere)
        let wanted = wanted(among: members, reachable: reachable())
        let needed = passiveView.peers.map(\.device).filter(wanted.contains)
        let hasNotice = members.contains { $0.isLive && $0.isSpare == wanted.contains($0.device) }
        if hasNotice, reviewDue == nil { reviewDue = now + Self.pause }
        return needed.filter { passiveView.promote($0, at: now) }
    }
}
