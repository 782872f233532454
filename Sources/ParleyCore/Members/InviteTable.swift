/// The invites of this node that end, and the knocks at its door.
///
/// A knock waits twice: for the clock, by which its invite is judged, and for the disk, on which it
/// is counted before the answer. Equal knocks in equal order have equal answers, so that of two for
/// the last use the first one is let in.
package struct InviteTable: Sendable {
    /// An invite with the number of its conversation.
    package struct Entry: Sendable, Equatable {
        package let conversation: UInt32
        package internal(set) var invite: EndingInvite

        /// Ends the invite; who came stays.
        package mutating func revoke() { invite.isRevoked = true }
    }

    /// A device with the token of an invite.
    struct Knock: Sendable {
        let invite: UInt32
        let device: DeviceID
        let link: LinkID
    }

    /// The answer for a link, and the new admission, once `ticket` is on disk.
    struct Answer: Sendable {
        let ticket: Ticket
        let link: LinkID
        let frame: KnockFrame
        let conversation: UInt32
        let admission: Admission?
    }

    /// A device that was let in.
    struct Admitted: Sendable {
        let entry: Entry
        let device: DeviceID
    }

    /// Ascending by number.
    package private(set) var entries: [Entry] = []
    /// Knocks with the right token that wait for the clock.
    private var waiting: [Knock] = []
    private var answers: [Answer] = []
    private var wrong: [(source: String, at: Moment)] = []
    /// The running time at the last reading of the clock in this process.
    private var running: UInt64?
    var noted: Moment?
    private var isAsking = false

    /// How often the running time is noted on disk, while it matters.
    private static let interval = Interval.seconds(60)

    package init() {}

    /// Whether the clock is to be read, for a knock or to note the running time; only once until
    /// `judge`.
    mutating func asksForClock(at now: Moment) -> Bool {
        guard !isAsking, !waiting.isEmpty || deadline.map({ $0 <= now }) ?? false else {
            return false
        }
        isAsking = true
        return true
    }

    /// The moment at which the running time is noted next; nil while no invite ends by time, or the
    /// clock is being read.
    var deadline: Moment? {
        guard !isAsking, entries.contains(where: \.invite.isTimed) else { return nil }
        return noted.map { $0 + Self.interval } ?? .start
    }

    /// One more than the highest number here.
    package var nextNumber: UInt32 { (entries.last?.invite.number ?? 0) + 1 }

    // MARK: The person here

    /// Puts an invite into the table at a time, instead of the one of its number.
    ///
    /// - Returns: the writes; the oldest invite gives way at the limit, an ended one first.
    mutating func keep(
        _ invite: EndingInvite,
        of conversation: UInt32,
        by clock: NodeClock,
        at now: Moment
    ) -> [StoreWrite] {
        var writes = pass(to: clock, at: now)
        var invite = invite
        if let known = self[invite.number]?.invite, known.token == invite.token {
            // Somebody may have come since the change was made.
            let isRevoked = invite.isRevoked || known.isRevoked
            invite = known
            invite.isRevoked = isRevoked
        }
        entries.removeAll { $0.invite.number == invite.number }
        if entries.count >= Limits.invites {
            let index = entries.firstIndex { $0.invite.state != .open } ?? 0
            let dropped = entries.remove(at: index)
            writes.append(dropped.write(nil))
        }
        let entry = Entry(conversation: conversation, invite: invite)
        insert(entry)
        writes.append(entry.write(invite))
        return writes
    }

    /// An invite from the data directory.
    mutating func recover(_ invite: EndingInvite, of conversation: UInt32) {
        insert(Entry(conversation: conversation, invite: invite))
    }

    private mutating func insert(_ entry: Entry) {
        let number = entry.invite.number
        let index = entries.firstIndex { $0.invite.number > number } ?? entries.count
        entries.insert(entry, at: index)
    }

    /// The keys of a conversation were changed: the invites with the old ones end.
    mutating func revoke(_ conversation: UInt32) -> [StoreWrite] {
        var writes: [StoreWrite] = []
        for index in entries.indices
        where entries[index].conversation == conversation && !entries[index].invite.isRevoked {
            entries[index].revoke()
            writes.append(entries[index].write(entries[index].invite))
        }
        return writes
    }

    /// The conversation was left.
    mutating func left(_ conversation: UInt32) {
        entries.removeAll { $0.conversation == conversation }
    }

    // MARK: Knocks

    /// Somebody knocks on a link with `exporter`, from an address.
    ///
    /// Wrong proofs from an address never stand in the way of a right one from there.
    ///
    /// - Returns: the reason against an answer by the clock; nil also if the answer to an earlier
    ///   knock of the link is under way.
    mutating func knocked(
        _ knock: Knock,
        proof: Bytes32,
        on exporter: Bytes32,
        from source: String,
        at now: Moment,
        using crypto: some Cryptography
    ) -> KnockRefusal? {
        wrong.removeAll { $0.at + Limits.knockPeriod <= now }
        let invite = self[knock.invite]?.invite
        let expected = invite.map {
            KnockFrame.proof(of: $0.token, on: exporter, by: knock.device, using: crypto)
        }
        guard expected == proof else {
            guard wrong.count(where: { $0.source == source }) < Limits.wrongKnocks else {
                return .later
            }
            if wrong.count >= Limits.wrongKnocksKept { wrong.removeFirst() }
            wrong.append((source, now))
            return .unknown
        }
        let isAnswered =
            waiting.contains { $0.link == knock.link && $0.invite == knock.invite }
            || answers.contains { $0.link == knock.link && $0.frame.invite == knock.invite }
        guard !isAnswered else { return nil }
        guard waiting.count + answers.count < Limits.waitingKnocks else { return .later }
        waiting.append(knock)
        return nil
    }

    /// The time passes, and all knocks that wait for it are judged.
    ///
    /// - Returns: the refusals, and who is let in, in order.
    mutating func judge(
        by clock: NodeClock,
        at now: Moment
    ) -> (refused: [(Knock, KnockRefusal)], admitted: [(Knock, Admitted)], writes: [StoreWrite]) {
        var writes = pass(to: clock, at: now)
        var refused: [(Knock, KnockRefusal)] = []
        var admitted: [(Knock, Admitted)] = []
        for knock in waiting {
            guard let index = entries.firstIndex(where: { $0.invite.number == knock.invite }) else {
                refused.append((knock, .unknown))
                continue
            }
            if let reason = entries[index].invite.admit(knock.device) {
                refused.append((knock, reason))
                continue
            }
            let entry = entries[index]
            admitted.append((knock, Admitted(entry: entry, device: knock.device)))
            writes.append(entry.write(entry.invite))
        }
        waiting = []
        isAsking = false
        return (refused, admitted, writes)
    }

    /// Notes how long the node has run, for all invites that end by time.
    private mutating func pass(to clock: NodeClock, at now: Moment) -> [StoreWrite] {
        let seconds = running.map { clock.running >= $0 ? clock.running - $0 : 0 } ?? 0
        running = clock.running
        let isDue = noted.map { $0 + Self.interval <= now } ?? true
        var writes: [StoreWrite] = []
        for index in entries.indices where entries[index].invite.isTimed {
            entries[index].invite.pass(seconds, wall: clock.wall)
            let isOver = !entries[index].invite.isTimed
            if isDue || isOver { writes.append(entries[index].write(entries[index].invite)) }
        }
        if isDue { noted = now }
        return writes
    }

    // MARK: Answers

    mutating func answer(_ answer: Answer) { answers.append(answer) }

    /// Takes the answers that were counted on disk.
    mutating func committed(_ ticket: Ticket) -> [Answer] {
        let done = answers.prefix { $0.ticket <= ticket }
        answers.removeFirst(done.count)
        return Array(done)
    }

    /// The entry of an invite.
    package subscript(number: UInt32) -> Entry? { entries.first { $0.invite.number == number } }
}

extension InviteTable.Entry {
    /// The write of the invite as it is now, or of its end.
    func write(_ invite: EndingInvite?) -> StoreWrite {
        .member(
            conversation: conversation,
            .invite(self.invite.number),
            invite.map { Slice($0.stored) }
        )
    }
}
