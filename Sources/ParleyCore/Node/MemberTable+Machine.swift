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
            guard let index = links.all.index(of: knock.link) else { continue }
            links[index].outbox.append(.knock(.refused(invite: knock.invite, reason)))
        }
        for (knock, admitted) in verdict.admitted {
            let admission = conversations.index(of: admitted.entry.conversation)
                .flatMap { index in
                    let role = admitted.entry.invite.role
                    return admit(admitted.device, as: role, conversations[index], &step, crypto)
                }
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

    /// Signs and writes the admission of a device, if this device has not admitted it yet.
    mutating func admit(
        _ device: DeviceID,
        as role: Capability.Role,
        _ conversation: Conversation,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) -> Admission? {
        let number = conversation.number
        let key = crypto.devicePublicKey
        guard !self[number].admissions(of: device).contains(where: { $0.inviterKey == key }) else {
            return nil
        }
        let order = self[number].nextNumber(of: key)
        let signed = Admission.signedBytes(
            for: device,
            as: role,
            number: order,
            in: conversation.record.id
        )
        let admission = Admission(
            inviterKey: key,
            device: device,
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
            if let index = links.all.index(of: answer.link) {
                links[index].outbox.append(.knock(answer.frame))
            }
            guard let admission = answer.admission else { continue }
            let invite = answer.frame.invite
            let number = answer.conversation
            step.deliver(.letIn(conversation: number, admission.device, invite: invite))
            pass([.admission(admission)], in: number, besides: nil, &links)
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

    /// Keeps new admissions of a frame, and tells the other members.
    ///
    /// - Returns: whether some are new here.
    mutating func admissionsReceived(
        _ admissions: [Admission],
        of conversation: Conversation,
        on index: Int,
        _ links: inout LinkTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) throws(Refusal) {
        let number = conversation.number
        let link = links[index].id
        var new: [Admission] = []
        let missing = admissions.filter { self[number].lacks($0) }
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
        pass(new.map { .admission($0) }, in: number, besides: link, &links)
        if !new.isEmpty { step.deliver(.admissions(conversation: number)) }
    }

    /// Answers the sum of a peer that has other records: with all records of this node, once.
    mutating func sumReceived(
        _ sum: UInt64?,
        of conversation: Conversation,
        on index: Int,
        _ links: inout LinkTable
    ) {
        let number = conversation.number
        guard let sum, sum != self.sum(of: conversation), self[number].tells(links[index].id) else {
            return
        }
        let records =
            conversation.generations.memberEntries + self[number].all.map { .admission($0) }
        send(records, sum: self.sum(of: conversation), of: number, on: index, &links)
    }

    /// The sum of all records here, by which two nodes compare.
    func sum(of conversation: Conversation) -> UInt64 {
        self[conversation.number].sum &+ conversation.generations.sum
    }

    /// Keeps a checked admission.
    ///
    /// - Returns: whether it is new here.
    mutating func take(
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

    /// Passes new records on to all other members.
    func pass(
        _ new: [MemberEntry],
        in number: UInt32,
        besides source: LinkID?,
        _ links: inout LinkTable
    ) {
        guard !new.isEmpty else { return }
        for index in links.indices where links[index].id != source {
            send(new, sum: nil, of: number, on: index, &links)
        }
    }

    /// Sends records in as many frames as they need; the sum goes with the last one.
    func send(
        _ records: [MemberEntry],
        sum: UInt64?,
        of number: UInt32,
        on index: Int,
        _ links: inout LinkTable
    ) {
        guard let replication = links[index].replication(of: number) else { return }
        let ownNumber = links[index].replications[replication].ownNumber
        for frame in MembersFrame.frames(of: ownNumber, records, sum: sum) {
            links[index].outbox.append(.members(frame))
        }
    }
}
