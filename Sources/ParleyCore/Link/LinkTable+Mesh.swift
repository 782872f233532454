/// Lets go of links that neither side needs, where a conversation has more members than should all
/// be linked with one another.
extension LinkTable {
    /// How old a link is at least before it is let go, so that each side has got what it lacked.
    package static let tenure = Interval.seconds(3)
    /// A link that is not settled is kept up to this age.
    package static let unsettledTenure = Interval.seconds(60)
    /// How long this node waits before it looks for links to let go, and between two such looks.
    package static let letGoPause = Interval.seconds(1)

    /// Whether a conversation may have more members than are all linked with one another.
    private var mayBePartial: Bool { !spares.isEmpty || memberCount > Ring.fullMax }

    /// The devices to which this node wants links.
    ///
    /// For each conversation they follow from the ring of its members that have an answering link
    /// here, and of those let go that can be dialled.
    /// `reachable` names the devices that can be dialled, by the first eight bytes of their IDs.
    private func wantedDevices(reachable: Set<UInt64>) -> Set<DeviceID> {
        var members: [UInt32: [DeviceID]] = [:]
        for index in indices where self[index].isLive {
            for number in self[index].conversations {
                members[number, default: []].append(self[index].device)
            }
        }
        for peer in spares.peers where peer.isRecalled || reachable.contains(peer.device.hint) {
            for number in peer.conversations { members[number, default: []].append(peer.device) }
        }
        // The order does not matter, as it is one set in the end.
        var wanted: Set<DeviceID> = []
        for (number, devices) in members {
            let ring = Ring(of: own.device, and: devices)
            wanted.formUnion(ring.wanted(wasPartial: spares.share(number)))
        }
        return wanted
    }

    // MARK: Letting go

    /// Tells peers whether their links are needed here, and ends the links that neither side needs.
    ///
    /// No link is let go while a wanted one is missing. `isUsed` says whether blobs are on their
    /// way on a link.
    package mutating func letGo(
        reachable: () -> Set<UInt64>,
        isUsed: (LinkID) -> Bool,
        into step: inout Step
    ) {
        guard let due = letGoDue, due <= step.now else { return }
        letGoDue = nil
        let wanted = wantedDevices(reachable: reachable())
        let linked = Set(indices.filter { self[$0].isLive }.map { self[$0].device })
        let isComplete = wanted.isSubset(of: linked) && !spares.isFull
        for index in indices where self[index].isLive {
            if wanted.contains(self[index].device) {
                tell(index, isSpare: false)
            } else if !self[index].isSpareHere {
                guard isComplete, mayLetGo(index, at: step.now), !isUsed(self[index].id) else {
                    letGoDue = step.now + Self.letGoPause
                    continue
                }
                tell(index, isSpare: true)
                endIfSpare(index, into: &step)
            }
        }
    }

    /// The peer says whether it needs the link.
    package mutating func spareReceived(_ isSpare: Bool, on index: Int, into step: inout Step) {
        self[index].isSpareThere = isSpare
        endIfSpare(index, into: &step)
    }

    private mutating func tell(_ index: Int, isSpare: Bool) {
        guard self[index].isSpareHere != isSpare else { return }
        self[index].isSpareHere = isSpare
        // If the peer does not need the link either, closing it says so.
        if !isSpare || !self[index].isSpareThere { self[index].outbox.append(.spare(isSpare)) }
    }

    private mutating func endIfSpare(_ index: Int, into step: inout Step) {
        guard self[index].isSpareHere, self[index].isSpareThere else { return }
        close(index, saying: .spare, text: "reached through others", into: &step)
    }

    /// Whether a link has served its purpose, apart from blobs.
    private func mayLetGo(_ index: Int, at now: Moment) -> Bool {
        guard self[index].openedAt + Self.tenure <= now, self[index].duplicate == nil,
            !pairings.needs(self[index].id)
        else { return false }
        return self[index].openedAt + Self.unsettledTenure <= now
            || self[index].replications.allSatisfy(\.isSettled)
    }

    /// A link has ended: if neither side needed it, its peer need not be dialled.
    ///
    /// - Returns: whether that is so.
    package mutating func isLetGo(_ ended: Link, at now: Moment) -> Bool {
        if ended.cause?.reason == .nothingShared { spares.remove(ended.device) }
        guard ended.cause?.reason == .spare, ended.isSpareHere else { return false }
        if !contains(where: { $0.device == ended.device && $0.isMember }) {
            spares.insert(ended.device, sharing: ended.conversations, at: now)
        }
        return true
    }

    // MARK: Recalling

    /// Dials the peers that were let go and are wanted again, and forgets those that were dialled
    /// in vain.
    package mutating func recall(
        with dialer: inout Dialer,
        among conversations: ConversationTable,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        let changes = dialer.takeChanges()
        if changes.areAllDue { spares.removeAll() }
        for device in spares.takeOverdue(at: now) {
            isMeshStale = true
            dialer.turnedAway(device, .dispensable, at: now, random: &random)
        }
        if let device = spares.takeRenewal(at: now) { recall(device, with: &dialer, at: now) }
        guard isMeshStale || changes.areAnnouncementsNew else { return }
        isMeshStale = false
        guard mayBePartial else { return }
        spares.keep { conversations.index(of: $0) != nil }
        let wanted = wantedDevices(reachable: dialer.reachableHints)
        for peer in spares.peers where wanted.contains(peer.device) {
            recall(peer.device, with: &dialer, at: now)
        }
        let isToTell = indices.contains {
            self[$0].isLive && self[$0].isSpareHere == wanted.contains(self[$0].device)
        }
        if isToTell, letGoDue == nil { letGoDue = now + Self.letGoPause }
    }

    private mutating func recall(_ device: DeviceID, with dialer: inout Dialer, at now: Moment) {
        guard spares.recall(device, at: now) else { return }
        dialer.memberLost(device, at: now)
    }
}
