/// Decides which members get slots for their links, and remembers those that got none.
package struct MemberSlots: Sendable {
    /// The answer to a peer that has proved a conversation.
    package enum Admission: Sendable, Equatable {
        case admitted
        /// There is a slot once the links to this device have ended.
        case replaces(DeviceID)
        case turnedAway
    }

    private var turnedAway = TurnedAwayPeers()

    package init() {}

    /// Whether there is a slot for the peer of a link that has proved a conversation, and whose.
    ///
    /// Of two links to a device, only the older counts, as a duplicate is closed soon.
    package func admission(
        of index: Int,
        sharing conversation: Conversation,
        among conversations: ConversationTable,
        _ links: LinkList,
        countMax: Int,
        at now: Moment
    ) -> Admission {
        guard !links[index].isMember else { return .admitted }
        let device = links[index].device
        let members = links.indices.filter { links[$0].isMember && links[$0].device != device }
        let inSlots = linksWithSlots(among: members, links)
        let open = conversations.openNumbers
        var newcomer = LinkSlots.Newcomer(source: links[index].source)
        newcomer.sharesOnlyOpen = conversation.record.isOpen
        newcomer.needsSlot =
            turnedAway.contains(device, isOwnDial: links[index].isInitiator, at: now)
            || !links.hasLiveLink(sharing: conversation.number)
        // A newcomer that needs no slot replaces nobody, so the holders need no comparison.
        let others = newcomer.needsSlot ? members : []
        let holders = inSlots.map { holder(at: $0, among: others, links, open: open) }
        return switch LinkSlots(holders, countMax: countMax).admission(of: newcomer, at: now) {
        case .admitted: .admitted
        case .replaces(let slot): .replaces(links[inSlots[slot]].device)
        case .turnedAway: .turnedAway
        }
    }

    /// There was no slot for the peer of a link, which is remembered for a while.
    package mutating func turnedAway(_ link: Link, at now: Moment) {
        turnedAway.insert(link.device, isOwnDial: link.isInitiator, at: now)
    }

    /// The members' links that take slots: all but the second one to a device.
    private func linksWithSlots(among members: [Int], _ links: LinkList) -> [Int] {
        var counts: [DeviceID: Int] = [:]
        return members.filter { index in
            counts[links[index].device, default: 0] += 1
            return counts[links[index].device] != 2
        }
    }

    /// The reasons to keep a link, compared with the other links at `members`.
    private func holder(
        at index: Int,
        among members: [Int],
        _ links: LinkList,
        open: Set<UInt32>
    ) -> LinkSlots.Holder {
        let link = links[index]
        let conversations = link.conversations
        var holder = LinkSlots.Holder(source: link.source)
        holder.openedAt = link.openedAt
        holder.broughtNews = link.broughtNews
        holder.isSuspect = link.isSuspect
        holder.sharesOnlyOpen = conversations.allSatisfy(open.contains)
        let others = members.filter { $0 != index && links[$0].isLive }
        holder.isOnlyLink = conversations.contains { number in
            !others.contains { links[$0].replication(of: number) != nil }
        }
        holder.isReachable = others.contains { other in
            link.peersLinked.contains(links[other].device.hint)
                && conversations.allSatisfy { links[other].replication(of: $0) != nil }
        }
        return holder
    }
}

extension BusyWait.Need {
    /// How much this node needs a link to the peer of `ended`, which ended for lack of a slot.
    package init(of ended: Link, besides links: LinkList) {
        // Low priority. A used link has served its purpose. Otherwise this node gave the link up,
        // or turned away a peer that dials again by itself.
        self = .dispensable
        guard !ended.replications.contains(where: \.hasBegun) else { return }
        if case .said = ended.cause, !ended.isInitiator || !ended.replications.isEmpty { return }
        let isAlone = ended.conversations.contains { !links.hasLiveLink(sharing: $0) }
        self = isAlone ? .onlyLink : .furtherLink
    }
}
