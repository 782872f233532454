/// Decides to which members a node keeps links, and chooses the neighbours.
///
/// A conversation may have too many members to link all with one another. The mesh is told of the
/// members with links, and answers which links are needed. A member whose link neither side needs
/// is in the passive view until a need arises.
///
/// This is the active and the passive view of HyParView (J. Leitão, J. Pereira, L. Rodrigues:
/// "HyParView: A Membership Protocol for Reliable Gossip-Based Broadcast", DSN 2007). There both
/// views are random and of fixed sizes, and nodes shuffle them. Here a `Ring` determines the active
/// view, so nodes agree without a message, and the passive view has all members that were met. A
/// link ends only if both sides agree; `LinkSlots` and `BusyWait` decide if there is no slot.
package struct Mesh: Sendable {
    /// A member that has a link.
    package struct Member: Sendable, Equatable {
        package let device: DeviceID
        /// The conversations that are shared on the link.
        package let conversations: [UInt32]
        /// Whether the member answers.
        package var isLive = true
        /// Whether this side has told the member that the link is spare.
        package var isSpare = false
        /// Whether the link still has something to carry, so that it is not let go.
        package var isBusy = false

        package init(_ device: DeviceID, sharing conversations: [UInt32]) {
            self.device = device
            self.conversations = conversations
        }
    }

    /// A word to a member: its link is spare here, or is needed after all.
    package struct Notice: Sendable, Equatable {
        /// The index of the member.
        package let member: Int
        package let isSpare: Bool
    }

    /// The members of the passive view to dial again, and those to forget.
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
    /// Whether members came, went, or began or ceased to answer since the last decision on links.
    package private(set) var isStale = true
    /// Whether members did so since the neighbours were chosen.
    package private(set) var areNeighboursStale = false

    /// The mesh of a device without links.
    package init(of own: DeviceID) {
        self.own = own
    }

    /// When a review or a promotion is due.
    package var deadline: Moment? {
        var next = Earliest()
        next.add(reviewDue)
        next.add(passiveView.deadline)
        return next.moment
    }

    // MARK: Members

    /// Notes that members came, went, or began or ceased to answer.
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

    /// Chooses the neighbours in each conversation among the members that answer.
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
    /// No link is let go while a wanted link is missing. `reachable` names the devices that can be
    /// dialled, by the first eight bytes of their IDs.
    ///
    /// - Returns: the notices that differ from the last ones, in the order of the members.
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

    /// The devices to which this node wants links, by the ring of each conversation.
    ///
    /// A ring has the members that answer here, and promoted or reachable members of the passive
    /// view.
    private func wanted(among members: [Member], reachable: Set<UInt64>) -> Set<DeviceID> {
        var devices = devices(of: members)
        for peer in passiveView.peers where peer.isPromoted || reachable.contains(peer.device.hint)
        {
            for number in peer.conversations { devices[number, default: []].append(peer.device) }
        }
        // The order does not matter in a set.
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

    /// Promotes members of the passive view that are needed again, or that are due for a check.
    ///
    /// `members` is read only if some came, went, or began or ceased to answer.
    package mutating func promote(
        after changes: Dialer.Changes,
        among members: @autoclosure () -> [Member],
        reachable: () -> Set<UInt64>,
        isHere: (UInt32) -> Bool,
        at now: Moment
    ) -> Promotion {
        var promotion = promoteDue(after: changes, at: now)
        guard isStale else { return promotion }
        promotion.devices += promoteNeeded(
            among: members(),
            reachable: reachable,
            isHere: isHere,
            at: now
        )
        return promotion
    }

    /// Promotes a member that is due for a check, and forgets the members that were dialled in
    /// vain.
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

    /// Promotes needed members of the passive view, and plans a review if a member needs a notice.
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
