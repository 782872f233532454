import Foundation
import ParleyCore
import ParleyKeys

/// Invites that end, at both doors of a node.
enum EndingInvites {
    // MARK: The door of this node

    /// Makes an invite that ends after so many seconds, or uses.
    static func make(
        to name: String,
        _ role: Role,
        lasting seconds: UInt64?,
        _ uses: UInt32?,
        on shell: isolated NodeShell
    ) async throws(NodeError) -> Invite {
        let record = try shell.machine.conversation(named: name).record
        let keys = try shell.reader.invite(to: name, role: role, isRelay: shell.settings.isRelay)
        guard !record.isOpen else {
            throw .badInvite(
                reason: "Everybody may join an open conversation, so no invite to it ends.",
                hint: "Make one without an end."
            )
        }
        if let obstacle = shell.commits.obstacle { throw obstacle }
        let table = shell.machine.members.invites
        let open = table.entries.count { $0.invite.state == .open }
        guard open < Limits.invites else { throw .tooManyInvites(limit: Limits.invites) }
        let clock = NodeClock.now
        let invite = EndingInvite(
            number: table.nextNumber,
            role: role.core,
            token: Bytes16(.random(in: .min ... .max), .random(in: .min ... .max)),
            keys: Slice(Array(keys.link.utf8)),
            uses: uses ?? Limits.inviteUses.upperBound,
            lasts: seconds,
            madeAt: clock.wall
        )
        let link = KnockLink(
            role: role.core,
            token: invite.token,
            conversation: record.id,
            device: shell.key.id,
            number: invite.number,
            addresses: doorAddresses(of: shell),
            name: try NewConversation.invitedName(record.name)
        )
        shell.feed(.invited(conversation: record.number, invite, clock))
        shell.news.listeners.emit(.conversationsChanged)
        try await shell.untilStored()
        return Invite(
            link: link.text,
            role: role,
            conversation: record.name,
            ending: InviteDetail(
                invite,
                in: record.name,
                at: clock,
                naming: { shownName($0, on: shell) }
            )
        )
    }

    /// The invites of this node that end, by number.
    static func all(of shell: isolated NodeShell) -> [InviteDetail] {
        let clock = NodeClock.now
        return shell.machine.members.invites.entries.map { entry in
            let name = shell.machine.conversationName(entry.conversation)
            return InviteDetail(
                entry.invite,
                in: name,
                at: clock,
                naming: { shownName($0, on: shell) }
            )
        }
    }

    /// Ends an invite; who came by it stays.
    static func revoke(_ number: Int, on shell: isolated NodeShell) async throws(NodeError) {
        guard let short = UInt32(exactly: number), var entry = shell.machine.members.invites[short]
        else { throw .unknownInvite(number) }
        if let obstacle = shell.commits.obstacle { throw obstacle }
        entry.revoke()
        shell.feed(.invited(conversation: entry.conversation, entry.invite, .now))
        shell.news.listeners.emit(.conversationsChanged)
        try await shell.untilStored()
    }

    /// The addresses for a link, at most as many as it takes, those that mean the same everywhere
    /// first.
    private static func doorAddresses(of shell: isolated NodeShell) -> [String] {
        let all = shell.ownAddresses().filter { $0.utf8.count <= Limits.addressBytes }
        let usual = all.filter { !$0.contains("%") }
        return Array((usual.isEmpty ? shell.ownAddresses(withLoopback: true) : usual).prefix(3))
    }

    // MARK: The doors of others

    /// Knocks at the door of a link, and returns the invite with the keys.
    static func keys(
        behind link: KnockLink,
        as name: String?,
        on shell: isolated NodeShell
    ) async throws(NodeError) -> String {
        guard !shell.settings.isRelay || link.role == .relay else { throw .relayOnly }
        let own = try NewConversation.name(name, in: link.name)
        try shell.checkCapacity(for: link.conversation, named: own)
        let inviter = shownName(link.device, on: shell)
        guard link.device != shell.key.id else {
            throw .badInvite(
                reason: "This node made this invite, so there is nobody to ask for the keys.",
                hint: "Join with an invite of another member."
            )
        }
        guard !shell.machine.members.requests.isFull, !shell.requests.isAwaiting(link.door) else {
            throw .notLetIn(by: inviter, .later)
        }
        for address in link.addresses {
            let found = FoundAddress(text: address, source: .told, hint: link.device.hint)
            shell.feed(.addressFound(found))
        }
        let end = await withCheckedContinuation { answered in
            shell.requests.await(link.door, answered)
            shell.feed(.knock(link.door))
        }
        guard let end else { throw .stopped }
        guard case .letIn(let keys) = end else {
            throw .notLetIn(by: shownName(link.device, on: shell), InviteEnd(end))
        }
        let text = String(decoding: keys.bytes, as: UTF8.self)
        guard let invite = try? InviteLink(parsing: text), invite.role == link.role,
            invite.conversationID == link.conversation
        else { throw .notLetIn(by: inviter, .unknown) }
        return text
    }

    private static func shownName(_ device: DeviceID, on shell: isolated NodeShell) -> String {
        shell.news.acquaintances.printableName(of: device, in: shell.machine)
            ?? String(device.text.prefix(7))
    }
}

extension KnockLink {
    /// Reads what a person pasted; nil for an invite that has the keys.
    init?(pasted text: String) throws(NodeError) {
        do throws(InviteError) {
            guard let link = try KnockLink(parsing: text) else { return nil }
            self = link
        } catch {
            throw .badInvite(reason: error.message, hint: error.hint)
        }
    }
}

extension InviteEnd {
    init(_ end: KnockNotice.End) {
        switch end {
        case .refused(.ended): self = .ended
        case .refused(.usedUp): self = .usedUp
        case .refused(.revoked): self = .revoked
        case .refused(.later): self = .later
        case .refused(.unknown), .letIn: self = .unknown
        case .unanswered: self = .unanswered
        }
    }
}

extension InviteDetail {
    init(
        _ invite: EndingInvite,
        in conversation: String,
        at clock: NodeClock,
        naming name: (DeviceID) -> String
    ) {
        let isOver = invite.endsAt.map { $0 <= clock.wall } ?? false
        let state: State =
            switch invite.state {
            case .revoked: .revoked
            case .ended: .ended
            case .open, .usedUp: isOver ? .ended : invite.state == .open ? .open : .usedUp
            }
        self.init(
            number: Int(invite.number),
            conversation: conversation,
            role: Role(invite.role),
            state: state,
            uses: Int(invite.uses),
            ends: invite.endsAt.map { Date(timeIntervalSince1970: Double($0)) },
            came: invite.came.map { .init(device: $0.text, name: name($0)) }
        )
    }
}
