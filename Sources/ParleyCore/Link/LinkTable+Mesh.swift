/// Tells the mesh of the members that have links, and carries out its answers.
extension LinkTable {
    // MARK: Neighbours

    /// Chooses the neighbours in each conversation, and sets the delays of announcements.
    mutating func chooseNeighbours(at now: Moment) {
        guard mesh.areNeighboursStale else { return }
        let neighbours = mesh.chooseNeighbours(among: all.meshMembers)
        for index in indices {
            let isFirst = all.own.device < self[index].device
            self[index].announces(to: neighbours, isFirst: isFirst, at: now)
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
        let links = indices.filter { self[$0].isMember }
        let members = links.map { index in
            var member = Mesh.Member(self[index])
            member.isBusy =
                isUsed(self[index].id) || pairings.needs(self[index].id)
                || !self[index].mayBeSpare(at: step.now)
            return member
        }
        for notice in mesh.review(members, reachable: reachable(), at: step.now) {
            self[links[notice.member]].tell(isSpare: notice.isSpare, into: &step)
        }
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

    /// Promotes members of the passive view that are needed again, or that are due for a check.
    ///
    /// `reachable` names the devices that can be dialled, by the first eight bytes of their IDs.
    package mutating func promote(
        after changes: Dialer.Changes,
        reachable: () -> Set<UInt64>,
        among conversations: ConversationTable,
        at now: Moment
    ) -> Mesh.Promotion {
        mesh.promote(
            after: changes,
            among: all.meshMembers,
            reachable: reachable,
            isHere: { conversations.index(of: $0) != nil },
            at: now
        )
    }
}
