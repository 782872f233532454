/// Assigns the slots for links to members.
extension LinkTable {
    /// Makes a slot for a peer that has proved a conversation, perhaps by closing another link.
    ///
    /// Of two links to a device, only the older counts, as a duplicate is closed soon.
    ///
    /// - Returns: whether there is a slot.
    package mutating func makeSlot(
        for index: Int,
        sharing conversation: Conversation,
        among conversations: ConversationTable,
        countMax: Int,
        into step: inout Step
    ) -> Bool {
        guard !self[index].isMember else { return true }
        let device = self[index].device
        let members = indices.filter { self[$0].isMember && self[$0].device != device }
        let inSlots = linksWithSlots(among: members)
        let open = conversations.openNumbers
        var newcomer = LinkSlots.Newcomer(source: self[index].source)
        newcomer.sharesOnlyOpen = conversation.record.isOpen
        newcomer.needsSlot =
            turnedAway.contains(device, isOwnDial: self[index].isInitiator, at: step.now)
            || !all.hasLiveLink(sharing: conversation.number)
        // A newcomer that needs no slot replaces nobody, so the holders need no comparison.
        let others = newcomer.needsSlot ? members : []
        let holders = inSlots.map { holder(at: $0, among: others, open: open) }
        switch LinkSlots(holders, countMax: countMax).admission(of: newcomer, at: step.now) {
        case .admitted:
            return true
        case .replaces(let slot):
            let text = "another member needs the place"
            let replaced = self[inSlots[slot]].device
            for member in members where self[member].device == replaced {
                self[member].close(saying: .busy, text: text, into: &step)
            }
            return true
        case .turnedAway:
            return false
        }
    }

    /// There is no slot for the peer of a link: turns the peer away, and remembers it for a while.
    package mutating func turnAway(_ index: Int, into step: inout Step) {
        let isOwnDial = self[index].isInitiator
        turnedAway.insert(self[index].device, isOwnDial: isOwnDial, at: step.now)
        self[index].close(saying: .busy, text: "as many links as there may be", into: &step)
    }

    /// How much this node needs a link to a peer whose link ended for lack of a slot.
    package func need(of link: Link) -> BusyWait.Need {
        // Low priority. A used link has served its purpose. Otherwise this node gave the link up,
        // or turned away a peer that dials again by itself.
        guard !link.replications.contains(where: \.hasBegun) else { return .dispensable }
        if case .said = link.cause, !link.isInitiator || !link.replications.isEmpty {
            return .dispensable
        }
        let isAlone = link.conversations.contains { !all.hasLiveLink(sharing: $0) }
        return isAlone ? .onlyLink : .furtherLink
    }

    /// The members' links that take slots: all but the second one to a device.
    private func linksWithSlots(among members: [Int]) -> [Int] {
        var counts: [DeviceID: Int] = [:]
        return members.filter { index in
            counts[self[index].device, default: 0] += 1
            return counts[self[index].device] != 2
        }
    }

    /// The reasons to keep a link, compared with the other links at `members`.
    private func holder(at index: Int, among members: [Int], open: Set<UInt32>) -> LinkSlots.Holder
    {
        let link = self[index]
        let conversations = link.conversations
        var holder = LinkSlots.Holder(source: link.source)
        holder.openedAt = link.openedAt
        holder.broughtNews = link.broughtNews
        holder.isSuspect = link.isSuspect
        holder.sharesOnlyOpen = conversations.allSatisfy(open.contains)
        let others = members.filter { $0 != index && self[$0].isLive }
        holder.isOnlyLink = conversations.contains { number in
            !others.contains { self[$0].replication(of: number) != nil }
        }
        holder.isReachable = others.contains { other in
            link.peersLinked.contains(self[other].device.hint)
                && conversations.allSatisfy { self[other].replication(of: $0) != nil }
        }
        return holder
    }
}
