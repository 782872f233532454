/// Knocks, invites that end, and who let whom into a conversation, with the links of the machine.
extension MemberTable {
    // MARK: The door of this node

    /// An invite was made or changed.
    mutating func keep(
        _ invite: EndingInvite,
        of number: UInt32,
        _ clock: NodeClock,
        _ conversations: ConversationTable,
        _ step: inout Step
    ) {
        guard conversations.index(of: number) != nil else { return }
        step.writes += invites.keep(invite, of: number, by: clock, at: step.now)
    }

    /// A frame of a knock, or an answer to one.
    mutating func knockReceived(
        _ frame: KnockFrame,
        on index: Int,
        _ links: inout LinkTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) {
        let (link, device) = (links[index].id, links[index].device)
        switch frame {
        case .knock(let invite, let proof):
            let refusal = invites.knocked(
                InviteTable.Knock(invite: invite, device: device, link: link),
                proof: proof,
                on: links[index].exporter,
                from: links[index].source,
                at: step.now,
                using: crypto
            )
            guard let refusal else { return }
            links[index].outbox.append(.knock(.refused(invite: invite, refusal)))
        case .letIn(let invite, let keys): answered(invite, .letIn(keys), on: link, &step)
        case .refused(let invite, let reason): answered(invite, .refused(reason), on: link, &step)
        }
    }

    /// The time came: judges all knocks that wait for it.
    mutating func judgeKnocks(
        by clock: NodeClock,
        _ links: inout LinkTable,
        _ conversations: ConversationTable,
        until ticket: Ticket,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) {
        let verdict = invites.judge(by: clock, at: step.now)
        step.writes += verdict.writes
        for (knock, reason) in verdict.refused {
            guard let index = links.index(of: knock.link) else { continue }
            links[index].outbox.append(.knock(.refused(invite: knock.invite, reason)))
        }
        for (knock, admitted) in verdict.admitted {
            let admission = admit(admitted, conversations, &step, crypto)
            let frame = KnockFrame.letIn(invite: knock.invite, admitted.entry.invite.keys)
            invites.answer(
                InviteTable.Answer(
                    ticket: ticket,
                    link: knock.link,
                    frame: frame,
                    conversation: admitted.entry.conversation,
                    admission: admission
                )
            )
        }
    }

    /// The node stops: the running time of invites is noted at once, and all links end.
    mutating func stop(_ links: inout LinkTable, _ step: inout Step) {
        invites.noted = nil
        links.stop(into: &step)
    }

    /// Signs and writes the admission of a device, if there is none yet.
    private mutating func admit(
        _ admitted: InviteTable.Admitted,
        _ conversations: ConversationTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) -> Admission? {
        let number = admitted.entry.conversation
        guard let conversation = conversations.index(of: number) else { return nil }
        let (key, role) = (crypto.devicePublicKey, admitted.entry.invite.role)
        let known = self[number].admissions(of: admitted.device)
        guard !known.contains(where: { $0.inviterKey == key }) else { return nil }
        let order = self[number].nextNumber(of: key)
        let signed = Admission.signedBytes(
            for: admitted.device,
            as: role,
            number: order,
            in: conversations[conversation].record.id
        )
        let admission = Admission(
            inviterKey: key,
            device: admitted.device,
            role: role,
            number: order,
            signature: crypto.sign(signed.span.bytes)
        )
        return take(admission, in: number, &step, crypto) ? admission : nil
    }

    /// Answers the knocks that were counted on disk, and tells the members.
    mutating func answerKnocks(
        through ticket: Ticket,
        _ links: inout LinkTable,
        _ step: inout Step
    ) {
        for answer in invites.committed(ticket) {
            if let index = links.index(of: answer.link) {
                links[index].outbox.append(.knock(answer.frame))
            }
            guard let admission = answer.admission else { continue }
            let invite = answer.frame.invite
            let number = answer.conversation
            step.deliver(.letIn(conversation: number, admission.device, invite: invite))
            pass([admission], in: number, besides: nil, &links)
        }
    }

    // MARK: The doors of others

    mutating func knock(
        at door: KnockRequests.Door,
        _ links: inout LinkTable,
        _ dialer: inout Dialer,
        at now: Moment,
        _ crypto: some Cryptography
    ) {
        requests.begin(door, at: now)
        // Each door is tried at once, also beside another one that a person waits for longer.
        dialer.personAwaits(door.device.hint, at: now)
        let linked = links.indices.first {
            links[$0].device == door.device && links[$0].phase.mayShare
        }
        if let linked { knock(on: linked, &links, crypto) }
    }

    /// Knocks where people wait for the device at the other end of a link.
    mutating func knock(on index: Int, _ links: inout LinkTable, _ crypto: some Cryptography) {
        let device = links[index].device
        for door in requests.take(links[index].id, to: device) {
            let proof = KnockFrame.proof(
                of: door.token,
                on: links[index].exporter,
                by: DeviceID(publicKey: crypto.devicePublicKey, using: crypto),
                using: crypto
            )
            links[index].outbox.append(.knock(.knock(invite: door.invite, proof: proof)))
        }
    }

    private mutating func answered(
        _ invite: UInt32,
        _ end: KnockNotice.End,
        on link: LinkID,
        _ step: inout Step
    ) {
        guard let door = requests.answered(invite, on: link) else { return }
        step.deliver(.knocked(KnockNotice(door: door, end: end)))
    }

    mutating func endOverdueKnocks(into step: inout Step) {
        guard let deadline = requests.deadline, deadline <= step.now else { return }
        for door in requests.takeOverdue(at: step.now) {
            step.deliver(.knocked(KnockNotice(door: door, end: .unanswered)))
        }
    }

    // MARK: Who let whom in

    /// Tells a new peer the sum of the admissions here, if there are any.
    func sendSum(of number: UInt32, on index: Int, _ links: inout LinkTable) {
        guard self[number].count > 0 else { return }
        send([], sum: true, of: number, on: index, &links)
    }

    /// A member sends admissions, or a sum: sends all admissions of this node once if the sum
    /// differs from the sum here.
    mutating func membersReceived(
        _ frame: MembersFrame,
        of conversation: Conversation,
        on index: Int,
        _ links: inout LinkTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) throws(Refusal) {
        let number = conversation.number
        let link = links[index].id
        var new: [Admission] = []
        let missing = frame.admissions.filter { self[number].lacks($0) }
        // The peer speaks for itself, and each writer is known by its origin.
        let origins = missing.isEmpty ? [] : Array(conversation.origins.values)
        let known = Set(origins.map(\.device)).union([links[index].device])
        for admission in missing {
            let inviter = DeviceID(publicKey: admission.inviterKey, using: crypto)
            guard
                known.contains(inviter) && !self[number].replaces(admission)
                    || self[number].mayBring(admission, on: link)
            else { continue }
            guard admission.isValid(in: conversation.record.id, using: crypto)
            else { throw .badProof }
            if take(admission, in: number, &step, crypto) { new.append(admission) }
        }
        pass(new, in: number, besides: link, &links)
        if !new.isEmpty { step.deliver(.admissions(conversation: number)) }
        guard let sum = frame.sum, sum != self[number].sum, self[number].tells(link) else {
            return
        }
        send(self[number].all, sum: true, of: number, on: index, &links)
    }

    /// Keeps a checked admission.
    ///
    /// - Returns: whether it is new here.
    private mutating func take(
        _ admission: Admission,
        in number: UInt32,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) -> Bool {
        guard self[number].add(admission, using: crypto) else { return false }
        let name = MemberRecord.admission(of: admission.device, by: admission.inviterKey)
        step.writes.append(.member(conversation: number, name, Slice(admission.packed)))
        return true
    }

    /// Passes new admissions on to all other members.
    private func pass(
        _ new: [Admission],
        in number: UInt32,
        besides source: LinkID?,
        _ links: inout LinkTable
    ) {
        guard !new.isEmpty else { return }
        for index in links.indices where links[index].id != source {
            send(new, sum: false, of: number, on: index, &links)
        }
    }

    /// Sends admissions in as many frames as they need; the sum goes with the last one.
    private func send(
        _ admissions: [Admission],
        sum isWithSum: Bool,
        of number: UInt32,
        on index: Int,
        _ links: inout LinkTable
    ) {
        guard let replication = links[index].replication(of: number) else { return }
        let ownNumber = links[index].replications[replication].ownNumber
        var rest = admissions[...]
        repeat {
            var frame = MembersFrame(
                conversation: ownNumber,
                admissions: Array(rest.prefix(Limits.memberRecords))
            )
            rest = rest.dropFirst(Limits.memberRecords)
            if rest.isEmpty, isWithSum { frame.sum = self[number].sum }
            links[index].outbox.append(.members(frame))
        } while !rest.isEmpty
    }
}
