/// Changes the keys of the conversations of a machine, and follows the changes of others.
///
/// Keys are read by `record` and `generations` of a conversation in place: the compiler of Swift
/// 6.3 releases too early what is read by `keys` there, in builds without optimization.
enum KeyChanges {
    // MARK: Links

    /// Tells a new member the records up to the current generation, before any envelope, the role
    /// of this node, and the sum of the records here.
    static func beginMembers(of index: Int, on link: Int, _ machine: inout NodeMachine) {
        sendLine(of: index, on: link, &machine)
        Cards.begin(of: machine.conversations[index], on: link, &machine)
        tellRole(of: index, on: link, &machine)
    }

    private static func tellRole(of index: Int, on link: Int, _ machine: inout NodeMachine) {
        let conversation = machine.conversations[index]
        guard let number = machine.links[link].membership.ownNumber(of: conversation.number) else {
            return
        }
        let sum = machine.members.sum(of: conversation)
        let role = conversation.keys.roleProof(
            of: machine.device,
            exporter: machine.links[link].exporter,
            using: machine.crypto
        )
        let asks = machine.members.asksForAdmission(conversation, machine.device, machine.crypto)
        // Nobody changes the keys of a conversation without a creator, but once.
        guard sum != 0 || conversation.generations.birth?.creator != nil else { return }
        machine.links[link].outbox.append(
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

    private static func sendLine(of index: Int, on link: Int, _ machine: inout NodeMachine) {
        let records = machine.conversations[index].generations.lineEntries
        guard !records.isEmpty else { return }
        machine.members.send(
            records,
            sum: nil,
            of: machine.conversations[index].number,
            on: link,
            &machine.links
        )
    }

    /// Sends a peer with earlier keys the later records, for the new keys or for the news of its
    /// removal.
    static func bringUpToDate(_ link: Int, _ machine: inout NodeMachine) {
        for index in machine.conversations.indices
        where !machine.conversations[index].generations.arePlain
            && machine.links[link].provedEarlier(
                machine.conversations[index],
                using: machine.crypto
            )
        {
            bringUpToDate(link, with: index, &machine)
        }
    }

    /// Sends the records up to the current generation to a peer that does not share it, once.
    private static func bringUpToDate(_ link: Int, with index: Int, _ machine: inout NodeMachine) {
        let number = machine.conversations[index].number
        guard machine.links[link].replication(of: number) == nil,
            machine.links[link].membership.tells(number)
        else { return }
        let records = machine.conversations[index].generations.lineEntries
        for frame in MembersFrame.frames(of: MembersFrame.noNumber, records, sum: nil) {
            machine.links[link].outbox.append(.members(frame))
        }
    }

    // MARK: Records of others

    static func membersReceived(
        _ frame: MembersFrame,
        of index: Int,
        on link: Int,
        _ machine: inout NodeMachine
    ) throws(Refusal) {
        try take(frame.records, in: index, on: link, &machine)
        let admissions = frame.records.compactMap { record in
            if case .admission(let admission) = record { admission } else { nil }
        }
        let conversation = machine.conversations[index]
        try machine.members.admissionsReceived(
            admissions,
            of: conversation,
            on: link,
            &machine.links,
            &machine.step,
            machine.crypto
        )
        let cards = frame.records.compactMap { record in
            if case .card(let card) = record { card } else { nil }
        }
        try Cards.received(cards, of: conversation, on: link, &machine)
        if let proof = frame.role {
            machine.members.learn(
                proof,
                of: conversation,
                on: link,
                machine.links,
                &machine.step,
                machine.crypto
            )
        }
        if frame.asksForAdmission {
            machine.members.admit(
                writers: [machine.links[link].device],
                to: conversation,
                &machine.links,
                &machine.step,
                machine.crypto
            )
        }
        machine.members.sumReceived(frame.sum, of: conversation, on: link, &machine.links)
    }

    /// A peer that shares nothing yet sends records, as this node proved earlier keys.
    static func recordsReceived(
        _ records: [MemberEntry],
        on link: Int,
        _ machine: inout NodeMachine
    ) throws(Refusal) {
        for index in machine.conversations.indices {
            let id = machine.conversations[index].record.id
            let known = records.filter { entry in
                // Only members vouch, and tell one another.
                if case .vouch = entry { return false }
                return entry.conversation == id || entry.isBirth
            }
            try take(known, in: index, on: link, &machine)
            // The peer may know only a losing line. A stranger knows no record that holds.
            let generations = machine.conversations[index].generations
            let isMember = known.contains { entry in
                guard case .generation(let record, _) = entry else { return false }
                return generations.has(.generation(record.statement.id(using: machine.crypto)))
            }
            if isMember { bringUpToDate(link, with: index, &machine) }
        }
    }

    /// Keeps the new ones of some records, tells others, and follows the line.
    private static func take(
        _ records: [MemberEntry],
        in index: Int,
        on link: Int,
        _ machine: inout NodeMachine
    ) throws(Refusal) {
        var new: [(name: MemberRecord, entry: MemberEntry)] = []
        let isBorn = machine.conversations[index].generations.birth != nil
        // What came before a bad record counts nevertheless.
        var refusal: Refusal?
        for record in records where refusal == nil {
            do throws(Refusal) {
                let name = try machine.conversations[index].keys.generations.add(
                    record,
                    using: machine.crypto
                )
                if let name { new.append((name, record)) }
            } catch {
                refusal = error
            }
        }
        follow(new, in: index, on: link, wasBorn: isBorn, &machine)
        if let refusal { throw refusal }
    }

    /// Follows the line after new records of a peer, tells others, and keeps what has a place.
    private static func follow(
        _ new: [(name: MemberRecord, entry: MemberEntry)],
        in index: Int,
        on link: Int,
        wasBorn: Bool,
        _ machine: inout NodeMachine
    ) {
        let number = machine.conversations[index].number
        guard !new.isEmpty else { return }
        let line = machine.conversations[index].generations.line
        machine.conversations[index].keys.generations.settle(using: machine.crypto)
        let kept = new.filter { machine.conversations[index].generations.has($0.name) }
        guard !kept.isEmpty else {
            machine.conversations[index].keys.generations.forgetUnwritten(new.map(\.name))
            return
        }
        for (name, entry) in kept {
            machine.step.writes.append(
                .member(conversation: number, name, Slice(entry.packed))
            )
        }
        machine.members.pass(
            kept.map(\.entry),
            in: number,
            besides: machine.links[link].id,
            &machine.links
        )
        // A birth shows what the keys are of, and so the role of this node.
        let isBirth = !wasBorn && machine.conversations[index].generations.birth != nil
        adopt(index, after: line, isBirth: isBirth, &machine)
        guard isBirth else { return }
        for link in machine.links.indices
        where machine.links[link].replication(of: number) != nil {
            tellRole(of: index, on: link, &machine)
        }
    }

    // MARK: The current generation

    /// Follows the records of a conversation, which differ from those before with another line or
    /// without a birth.
    private static func adopt(
        _ index: Int,
        after before: [GenerationID],
        isBirth: Bool,
        _ machine: inout NodeMachine
    ) {
        let number = machine.conversations[index].number
        let standing = machine.conversations[index].standing
        let relayKey = machine.conversations[index].record.capability.relayKey
        let adoption = Adoption(
            of: index,
            in: &machine.conversations,
            epoch: machine.epoch,
            tickets: machine.commits,
            using: machine.crypto,
            into: &machine.step
        )
        machine.blobs.unlist(adoption.unlisted, into: &machine.step)
        machine.members.pass(
            adoption.vouches.map { .vouch($0) },
            in: number,
            besides: nil,
            &machine.links
        )
        machine.author.receipts.activate(number)
        if machine.conversations[index].record.capability.relayKey != relayKey {
            renewTags(of: index, &machine)
        }
        askForUncounted(of: index, &machine)
        let conversation = machine.conversations[index]
        // A box that came late turns nothing, but people see that this device is back.
        let isNews =
            isBirth || conversation.generations.line != before || conversation.standing != standing
        guard isNews,
            let notice = GenerationNotice(of: conversation, after: before, using: machine.crypto)
        else { return }
        machine.members.cards[number].renew(at: machine.step.now)
        machine.step.writes += machine.members.invites.revoke(number)
        machine.step.deliver(.generation(notice))
        for link in machine.links.indices where machine.links[link].phase.mayShare {
            machine.links[link].membership.forgetTold(number)
            guard
                machine.links[link].provedEarlier(
                    machine.conversations[index],
                    using: machine.crypto
                )
            else { continue }
            bringUpToDate(link, with: index, &machine)
        }
        endLinksOfRemoved(index, &machine)
        removeAgain(index, &machine)
    }

    /// Proves the new keys where earlier ones did not suffice.
    ///
    /// A peer that has not asked for the feed may have changed keys before it got the tag: then
    /// only this side takes the conversation for shared, and both begin again.
    private static func renewTags(of index: Int, _ machine: inout NodeMachine) {
        let number = machine.conversations[index].number
        for link in machine.links.indices where machine.links[link].isMember {
            guard let shared = machine.links.all.replication(of: number, on: link),
                !machine.links[shared].hasBegun
            else { continue }
            let text = "the keys of the conversation were changed meanwhile"
            machine.links[link].close(saying: .other, text: text, into: &machine.step)
        }
        for link in machine.links.indices
        where machine.links[link].phase.mayShare
            && machine.links[link].replication(of: number) == nil
        {
            machine.links[link].membership.renew(number)
            machine.links[link].sendTags(
                of: machine.conversations,
                using: machine.crypto,
                random: &machine.random
            )
            machine.match(on: link)
        }
        machine.dialer.joined(at: machine.step.now)
    }

    /// Ends the links to devices that are not members any more.
    private static func endLinksOfRemoved(_ index: Int, _ machine: inout NodeMachine) {
        let conversation = machine.conversations[index]
        guard conversation.standing == .member, let current = conversation.generations.line.last,
            let record = conversation.generations.generations[current]?.record
        else { return }
        for link in machine.links.indices
        where machine.links[link].isMember
            && machine.links[link].replication(of: conversation.number) != nil
            && !record.lists(
                machine.links[link].device.listing(
                    in: conversation.record.id,
                    as: .relay,
                    using: machine.crypto
                )
            )
        {
            let text = "the keys of the conversation were changed without this device"
            machine.links[link].close(saying: .removed, text: text, into: &machine.step)
        }
    }

    // MARK: Changing keys

    /// A person of this node wants other keys.
    static func rotate(_ request: RotationRequest, _ machine: inout NodeMachine) {
        do throws(RotationRefusal) {
            let stays = try rotate(request.conversation, without: request.without, &machine)
            machine.commits.afterNext(.rotated(request.request, .success(stays)))
        } catch {
            machine.step.deliver(.rotated(request.request, .failure(error)))
        }
    }

    private static func rotate(
        _ number: UInt32,
        without: [DeviceID],
        _ machine: inout NodeMachine
    ) throws(RotationRefusal) -> Int {
        guard let index = machine.conversations.index(of: number) else {
            throw .unknownConversation
        }
        guard !machine.commits.isBlocked else { throw .storeFull }
        let terms = try machine.members.rotationTerms(
            of: machine.conversations[index],
            without: without,
            seed: secret(&machine),
            ephemeral: secret(&machine),
            machine.crypto
        )
        var generations = machine.conversations[index].generations
        let made = try generations.rotate(by: terms, using: machine.crypto)
        let line = machine.conversations[index].generations.line
        machine.conversations[index].keys.generations = generations
        let entry = MemberEntry.generation(made.record, made.boxes)
        let writes: [(MemberRecord, [UInt8])] = [
            (.generation(made.id), entry.packed), (.secret(made.id), terms.seed.bytes),
            (.removal(made.id), without.flatMap(\.bytes)),
        ]
        for (name, bytes) in writes {
            machine.step.writes.append(.member(conversation: number, name, Slice(bytes)))
        }
        machine.members.removals[number, default: [:]][made.id] = without
        machine.members.pass([entry], in: number, besides: nil, &machine.links)
        adopt(index, after: line, isBirth: false, &machine)
        return made.record.statement.stays.count
    }

    /// 32 random bytes.
    private static func secret(_ machine: inout NodeMachine) -> Bytes32 {
        let words = (0..<4).map { _ in machine.random.next() as UInt64 }
        return Bytes32(words[0], words[1], words[2], words[3])
    }

    /// Makes the removals again that this node made in a generation beside the line.
    private static func removeAgain(_ index: Int, _ machine: inout NodeMachine) {
        let conversation = machine.conversations[index]
        let lost = machine.members.lostRemovals(of: conversation, machine.crypto)
        guard conversation.standing == .member, !lost.isEmpty else { return }
        // Without a path or a disk, nothing can be done about it now.
        _ = try? rotate(conversation.number, without: lost, &machine)
    }
}

extension GenerationNotice {
    /// The news of a conversation that was on another line before; nil without a change of keys.
    init?(
        of conversation: Conversation,
        after before: [GenerationID],
        using crypto: some Cryptography
    ) {
        let generations = conversation.generations
        guard let current = generations.line.last,
            let record = generations.generations[current]?.record
        else { return nil }
        self.init(
            conversation: conversation.number,
            number: generations.number,
            author: DeviceID(publicKey: record.statement.author, using: crypto),
            new: generations.line.filter { !before.contains($0) },
            standing: conversation.standing,
            hidesEarlier: ReadKeys(of: generations, using: crypto).hidesEarlier(using: crypto)
        )
    }
}
