/// Tells the mesh of the members that have links, and carries out its answers.
extension LinkTable {
    /// The age below which no link is let go, so that both sides catch up.
    package static let tenure = Interval.seconds(3)
    /// A link that is not settled is kept up to this age.
    package static let unsettledTenure = Interval.seconds(60)

    /// The links to members, in their order.
    private var memberLinks: [Int] { indices.filter { self[$0].isMember } }

    /// The member at the other end of a link.
    private func member(_ index: Int) -> Mesh.Member {
        var member = Mesh.Member(self[index].device, sharing: self[index].conversations)
        member.isLive = self[index].isLive
        member.isSpare = self[index].isSpare.here
        return member
    }

    // MARK: Neighbours

    /// Chooses the neighbours in each conversation, and sets the delays of announcements.
    mutating func chooseNeighbours(at now: Moment) {
        guard mesh.areNeighboursStale else { return }
        let neighbours = mesh.chooseNeighbours(among: memberLinks.map { member($0) })
        for index in indices {
            let device = self[index].device
            let isFirst = all.own.device < device
            self[index].forEachReplication { replication in
                let chosen = neighbours[replication.conversation] ?? []
                let delay = AnnouncementDelay(
                    isNeighbour: chosen.contains(device),
                    isFirst: isFirst
                )
                replication.announces(after: delay, at: now)
            }
        }
    }

    // MARK: Letting go

    /// Tells peers whether their links are needed here, and ends the links that neither side needs.
    ///
    /// No link is let go while a wanted one is missing. `isUsed` says whether a link carries blobs.
    package mutating func letGo(
        reachable: () -> Set<UInt64>,
        isUsed: (LinkID) -> Bool,
        into step: inout Step
    ) {
        guard mesh.isReviewDue(at: step.now) else { return }
        let links = memberLinks
        let members = links.map { index in
            var member = member(index)
            member.isBusy = isUsed(self[index].id) || !mayLetGo(index, at: step.now)
            return member
        }
        for notice in mesh.review(members, reachable: reachable(), at: step.now) {
            notify(links[notice.member], isSpare: notice.isSpare)
            endIfSpare(links[notice.member], into: &step)
        }
    }

    /// The peer says whether it needs the link.
    package mutating func spareReceived(_ isSpare: Bool, on index: Int, into step: inout Step) {
        self[index].isSpare.there = isSpare
        endIfSpare(index, into: &step)
    }

    private mutating func notify(_ index: Int, isSpare: Bool) {
        self[index].isSpare.here = isSpare
        // If the peer does not need the link either, closing it says so.
        if !isSpare || !self[index].isSpare.there { self[index].outbox.append(.spare(isSpare)) }
    }

    private mutating func endIfSpare(_ index: Int, into step: inout Step) {
        guard self[index].isSpare.here, self[index].isSpare.there else { return }
        self[index].close(saying: .spare, text: "reached through others", into: &step)
    }

    /// Whether a link has served its purpose, apart from blobs.
    private func mayLetGo(_ index: Int, at now: Moment) -> Bool {
        guard self[index].openedAt + Self.tenure <= now, self[index].duplicate == nil,
            !pairings.needs(self[index].id)
        else { return false }
        return self[index].openedAt + Self.unsettledTenure <= now
            || self[index].replications.allSatisfy(\.isSettled)
    }

    /// A link has ended: if both sides called it spare, its peer need not be dialled.
    ///
    /// - Returns: whether both sides called the link spare.
    package mutating func noteLetGo(_ ended: Link, at now: Moment) -> Bool {
        if ended.cause?.reason == .nothingShared { mesh.sharesNothing(ended.device) }
        guard ended.cause?.reason == .spare, ended.isSpare.here else { return false }
        if !contains(where: { $0.device == ended.device && $0.isMember }) {
            mesh.letGo(ended.device, sharing: ended.conversations, at: now)
        }
        return true
    }

    // MARK: Silence

    /// A silent link answers again: resumes its replications.
    package mutating func resumed(_ index: Int, _ conversations: ConversationTable) {
        mesh.membersChanged()
        self[index].resumed(conversations)
    }

    /// Handles the deadlines of a link that have passed.
    package mutating func meetDeadlines(
        of index: Int,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) -> LinkList.Overdue? {
        let link = self[index].id
        let overdue = all.meetDeadlines(
            of: index,
            isPairing: pairings.needs(link),
            into: &step,
            random: &random
        )
        if case .suspected = overdue { mesh.membersChanged() }
        return overdue
    }

    // MARK: Promotion

    /// Whether `promote` has something to do.
    @inline(__always)
    package func isPromotionDue(after changes: Dialer.Changes, at now: Moment) -> Bool {
        mesh.isPromotionDue(after: changes, at: now)
    }

    /// Promotes members of the passive view that are needed again, or that are due for a check.
    ///
    /// `reachable` names the devices that can be dialled, by the first eight bytes of their IDs.
    package mutating func promote(
        after changes: Dialer.Changes,
        reachable: () -> Set<UInt64>,
        among conversations: ConversationTable,
        at now: Moment
    ) -> Mesh.Promotion {
        var promotion = mesh.promoteDue(after: changes, at: now)
        guard mesh.isStale else { return promotion }
        promotion.devices += mesh.promoteNeeded(
            among: memberLinks.map { member($0) },
            reachable: reachable,
            isHere: { conversations.index(of: $0) != nil },
            at: now
        )
        return promotion
    }
}
