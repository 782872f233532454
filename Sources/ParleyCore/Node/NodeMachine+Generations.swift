/// Changes the keys of conversations, and follows the changes of others.
extension NodeMachine {
    // MARK: Links

    /// Tells a new member the records up to the current generation, before any envelope, the role
    /// of this node, and the sum of the records here.
    mutating func beginMembers(of index: Int, on link: Int) {
        sendLine(of: index, on: link)
        let conversation = conversations[index]
        guard let number = links[link].membership.ownNumber(of: conversation.number) else { return }
        let sum = members.sum(of: conversation)
        let role = conversation.roleProof(exporter: links[link].exporter, using: crypto)
        let asks = members.asksForAdmission(conversation, device, crypto)
        // Nobody changes the keys of a conversation without a creator, but once.
        guard sum != 0 || conversation.generations.birth?.creator != nil else { return }
        links[link].outbox.append(
            .members(
                MembersFrame(
                    conversation: number,
                    sum: sum == 0 ? nil : sum,
                    role: role,
                    asksForAdmission: asks
                )
            )
        )
    }

    private mutating func sendLine(of index: Int, on link: Int) {
        let records = conversations[index].lineEntries
        guard !records.isEmpty else { return }
        members.send(records, sum: nil, of: conversations[index].number, on: link, &links)
    }

    /// Sends a peer that proved earlier keys the records since, so that it learns the new keys, or
    /// that it is out.
    mutating func bringUpToDate(_ link: Int) {
        for index in conversations.indices
        where !conversations[index].keys.earlierRelayKeys.isEmpty
            && links[link].provedEarlier(conversations[index], using: crypto)
        {
            bringUpToDate(link, with: index)
        }
    }

    /// Sends the records up to the current generation to a peer that does not share it, once.
    private mutating func bringUpToDate(_ link: Int, with index: Int) {
        let number = conversations[index].number
        guard links[link].replication(of: number) == nil, links[link].membership.tells(number)
        else { return }
        let records = conversations[index].lineEntries
        for frame in MembersFrame.frames(of: MembersFrame.noNumber, records, sum: nil) {
            links[link].outbox.append(.members(frame))
        }
    }

    // MARK: Records of others

    mutating func membersReceived(
        _ frame: MembersFrame,
        of index: Int,
        on link: Int
    ) throws(Refusal) {
        try take(frame.records, in: index, on: link)
        let admissions = frame.records.compactMap { record in
            if case .admission(let admission) = record { admission } else { nil }
        }
        let conversation = conversations[index]
        try members.admissionsReceived(
            admissions,
            of: conversation,
            on: link,
            &links,
            &step,
            crypto
        )
        if let proof = frame.role {
            members.learn(proof, of: conversation, on: link, links, &step, crypto)
        }
        if frame.asksForAdmission {
            members.admitLinked(link, to: conversation, &links, &step, crypto)
        }
        members.sumReceived(frame.sum, of: conversation, on: link, &links)
    }

    /// A peer that shares nothing yet sends records, as this node proved earlier keys.
    mutating func recordsReceived(_ records: [MemberEntry], on link: Int) throws(Refusal) {
        for index in conversations.indices {
            let id = conversations[index].record.id
            let known = records.filter { $0.conversation == id || $0.isBirth }
            try take(known, in: index, on: link)
            // The peer may be on a line that loses, and know nothing of this one.
            if known.contains(where: { !$0.isBirth }) { bringUpToDate(link, with: index) }
        }
    }

    /// Keeps the new ones of some records, tells others, and follows the line.
    private mutating func take(
        _ records: [MemberEntry],
        in index: Int,
        on link: Int
    ) throws(Refusal) {
        var new: [MemberEntry] = []
        let before = conversations[index].generations
        for record in records {
            guard let name = try conversations[index].generations.add(record, using: crypto) else {
                continue
            }
            let entry = Slice(record.packed)
            let number = conversations[index].number
            step.writes.append(.member(conversation: number, name, entry))
            new.append(record)
        }
        let boxesCame = conversations[index].standing == .withoutKeys
        guard !new.isEmpty || boxesCame else { return }
        members.pass(new, in: conversations[index].number, besides: links[link].id, &links)
        let line = before.line
        let hasTurned = conversations[index].generations.settle(using: crypto)
        // A birth shows what the keys are of.
        let isBirth = before.birth == nil && conversations[index].generations.birth != nil
        guard hasTurned || isBirth || boxesCame || !new.isEmpty else { return }
        adopt(index, after: line, hasTurned: hasTurned || isBirth)
    }

    // MARK: The current generation

    /// Follows the records of a conversation, which differ from those before.
    private mutating func adopt(_ index: Int, after line: [GenerationID], hasTurned: Bool) {
        let number = conversations[index].number
        let relayKey = conversations[index].keys.relayKey
        let adoption = conversations.adopt(
            index,
            epoch: epoch,
            tickets: commits,
            using: crypto,
            into: &step
        )
        blobs.unlist(adoption.unlisted, into: &step)
        members.pass(adoption.vouches.map { .vouch($0) }, in: number, besides: nil, &links)
        if conversations[index].keys.relayKey != relayKey { renewTags(of: index) }
        guard hasTurned, let current = conversations[index].generations.line.last,
            let record = conversations[index].generations.generations[current]?.record
        else { return }
        step.writes += members.invites.revoke(number)
        step.deliver(
            .generation(
                GenerationNotice(
                    conversation: number,
                    number: conversations[index].generations.number,
                    author: DeviceID(publicKey: record.statement.author, using: crypto),
                    standing: conversations[index].standing,
                    hasOvertaken: !conversations[index].generations.line.starts(with: line)
                )
            )
        )
        endLinksOfRemoved(index)
        removeAgain(index)
    }

    /// Proves the new keys where earlier ones did not suffice.
    private mutating func renewTags(of index: Int) {
        let number = conversations[index].number
        for link in links.indices
        where links[link].phase.mayShare && links[link].replication(of: number) == nil {
            links[link].membership.renew(number)
            links[link].sendTags(of: conversations, using: crypto, random: &random)
            match(on: link)
        }
        dialer.joined(at: step.now)
    }

    /// Ends the links to devices that are not members any more.
    private mutating func endLinksOfRemoved(_ index: Int) {
        let conversation = conversations[index]
        guard conversation.standing == .member, let current = conversation.generations.line.last,
            let record = conversation.generations.generations[current]?.record
        else { return }
        for link in links.indices
        where links[link].isMember && links[link].replication(of: conversation.number) != nil
            && !record.lists(links[link].device.listing(in: conversation.record.id, using: crypto))
        {
            let text = "the keys of the conversation were changed without this device"
            links.close(link, saying: .removed, text: text, into: &step)
        }
    }

    // MARK: Changing keys

    /// A person of this node wants other keys.
    mutating func rotate(_ request: RotationRequest) {
        do throws(RotationRefusal) {
            let stays = try rotate(request.conversation, without: request.without)
            commits.afterNext(.rotated(request.request, .success(stays)))
        } catch {
            step.deliver(.rotated(request.request, .failure(error)))
        }
    }

    private mutating func rotate(
        _ number: UInt32,
        without: [DeviceID]
    ) throws(RotationRefusal) -> Int {
        guard let index = conversations.index(of: number) else { throw .unknownConversation }
        guard !commits.isBlocked else { throw .storeFull }
        let terms = try members.rotationTerms(
            of: conversations[index],
            without: without,
            seed: Bytes32(random.next(), random.next(), random.next(), random.next()),
            ephemeral: Bytes32(random.next(), random.next(), random.next(), random.next()),
            crypto
        )
        let listing = conversations[index].ownListing(using: crypto)
        var generations = conversations[index].generations
        let line = generations.line
        guard let parent = generations.parentOfRotation(listing) else {
            throw .notMember(conversations[index].standing)
        }
        let made = try generations.rotate(from: parent, terms, using: crypto)
        conversations[index].generations = generations
        let entry = MemberEntry.generation(made.record, made.boxes)
        let writes: [(MemberRecord, [UInt8])] = [
            (.generation(made.id), entry.packed), (.secret(made.id), terms.seed.bytes),
            (.removal(made.id), without.flatMap(\.bytes)),
        ]
        for (name, bytes) in writes {
            step.writes.append(.member(conversation: number, name, Slice(bytes)))
        }
        members.removals[number, default: [:]][made.id] = without
        members.pass([entry], in: number, besides: nil, &links)
        adopt(index, after: line, hasTurned: true)
        return made.record.statement.stays.count
    }

    /// Makes the removals again that this node made in a generation beside the line.
    private mutating func removeAgain(_ index: Int) {
        let conversation = conversations[index]
        let lost = members.lostRemovals(of: conversation, crypto)
        guard conversation.standing == .member, !lost.isEmpty else { return }
        // Without a path or a disk, nothing can be done about it now.
        _ = try? rotate(conversation.number, without: lost)
    }
}
