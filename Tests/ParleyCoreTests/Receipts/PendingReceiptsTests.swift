import ParleyCore
import ParleyFaults
import Testing

/// Which messages of a conversation are reported to their authors, and when.
@Suite struct PendingReceiptsTests {
    private static let quiet = PendingReceipts.quiet.milliseconds

    private func dot(_ sequence: UInt64, by author: Int = 1) -> Dot { Dot(author, sequence) }

    // MARK: Disk

    @Test func aMessageIsReportedOnceItIsOnDisk() {
        var pending = PendingReceipts()
        #expect(!pending.isWaiting)
        pending.add(dot(1), ticket: 3)
        #expect(pending.isWaiting)
        #expect([2, 3].map { pending.isAnyOnDisk(Ticket($0)) } == [false, true])
        #expect(pending.deadline == nil, "the disk is awaited, and no moment")
        #expect(pending.take(committed: 2) == [])
        #expect([2, 3].map { pending.isAnyOnDisk(Ticket($0)) } == [false, true])
        #expect(pending.take(committed: 3) == [dot(1)])
        #expect(!pending.isWaiting && !pending.isAnyOnDisk(Ticket(9)))
        #expect(pending.take(committed: 9) == [])
    }

    @Test func theEarliestCommitIsAwaited() {
        var pending = PendingReceipts()
        for (sequence, ticket) in zip(UInt64(1)..., [UInt64(7), 4, 6]) {
            pending.add(dot(sequence), in: sequence, ticket: ticket)
        }
        #expect([3, 4].map { pending.isAnyOnDisk(Ticket($0)) } == [false, true])
        #expect(pending.take(committed: 4) == [dot(2)])
        #expect([5, 6].map { pending.isAnyOnDisk(Ticket($0)) } == [false, true])
    }

    /// The blobs are looked for again after so much quiet.
    @Test func aMessageIsReportedOnceItsBlobsAreOnDisk() {
        var pending = PendingReceipts()
        let blobs = [BlobReference(1), BlobReference(2)]
        pending.add(dot(1), blobs: blobs)
        pending.add(dot(2), in: 2)
        #expect(pending.take(at: 5, stored: [blobs[0].id]) == [dot(2)])
        #expect(pending.isWaiting)
        #expect(pending.deadline == Moment(milliseconds: 5 + Self.quiet))
        #expect(pending.take(at: 4 + Self.quiet, stored: blobs.map(\.id)) == [])
        #expect(pending.take(at: 5 + Self.quiet, stored: blobs.map(\.id)) == [dot(1)])
        #expect(pending.deadline == nil)
    }

    /// Whatever replaced a message may have come to the disk in its place.
    @Test func aMessageThatIsNoHeadAnyMoreIsLeftOut() {
        var pending = PendingReceipts()
        pending.add(dot(1))
        pending.add(dot(2), in: 2)
        var asked: Set<[UInt64]> = []
        let taken = pending.take(committed: Ticket(1), at: .start) { dot, tag in
            asked.insert([dot.sequence, tag == SessionTag(number: dot.sequence) ? 1 : 0])
            return dot.sequence == 2
        } isStored: { _ in
            true
        }
        #expect(taken == [dot(2)])
        #expect(asked == [[1, 1], [2, 1]], "each is asked about in its session")
        #expect(!pending.isWaiting)
    }

    @Test func messagesAreReportedInTheirOrder() {
        var pending = PendingReceipts()
        for number in (0..<40 as Range<UInt64>).reversed() {
            pending.add(dot(9 + number / 4, by: Int(number % 4)), in: number)
        }
        let taken = pending.take()
        #expect(taken.count == 40)
        #expect(taken == taken.sorted())
    }

    // MARK: Quiet

    /// Of changes that follow one another soon, the last one is reported, after so much quiet.
    @Test(arguments: [
        Changes(at: [0], reported: 0, is: 1),
        Changes(at: [0, quiet - 1], reported: 2 * quiet - 1, is: 2),
        Changes(at: [0, quiet], reported: quiet, is: 2),
        Changes(at: [7, 8], reported: quiet + 8, is: 2),
        Changes(at: [0, 100, 200, 300, 400, 500], reported: quiet + 500, is: 6),
        // A change in the period before counts, and one that is as old as that does not.
        Changes(at: [quiet - 1, quiet], reported: 2 * quiet, is: 2),
        Changes(at: [1, quiet, 2 * quiet], reported: 2 * quiet, is: 3),
        Changes(at: [quiet - 1, 2 * quiet - 2], reported: 3 * quiet - 2, is: 2),
        Changes(at: [quiet - 1, 2 * quiet - 1], reported: 2 * quiet - 1, is: 2),
    ])
    func aSessionInChangeIsReportedLater(_ changes: Changes) {
        var pending = PendingReceipts()
        for (sequence, moment) in zip(UInt64(1)..., changes.moments) {
            pending.add(dot(sequence), at: moment)
        }
        let last = changes.moments.last ?? 0
        if changes.reported > last {
            let due = Moment(milliseconds: changes.reported)
            #expect(pending.deadline.map { $0 <= due } == true)
            #expect(pending.take(at: changes.reported - 1) == [])
            #expect(pending.deadline == due)
            #expect(!pending.isAnyOnDisk(Ticket(1)), "quiet is awaited first")
        }
        #expect(pending.take(at: changes.reported) == [dot(changes.sequence)])
        #expect(!pending.isWaiting)
    }

    /// When a session changes, in milliseconds, and when which message is reported.
    struct Changes: Sendable {
        let moments: [Int64]
        let reported: Int64
        let sequence: UInt64

        init(at moments: [Int64], reported: Int64, is sequence: UInt64) {
            (self.moments, self.reported, self.sequence) = (moments, reported, sequence)
        }
    }

    /// A session in conflict changes with each of its authors, and each of them hears of it.
    @Test func aConflictIsReportedToEachAuthor() {
        var pending = PendingReceipts()
        for (number, author) in zip(UInt64(1)..., [2, 1, 2, 1]) {
            pending.add(dot(number, by: author), at: Int64(number))
        }
        #expect(pending.deadline.map { $0 <= Moment(milliseconds: Self.quiet + 3) } == true)
        #expect(pending.take(at: Self.quiet + 3) == [dot(3, by: 2)])
        #expect(pending.deadline == Moment(milliseconds: Self.quiet + 4))
        #expect(pending.take(at: Self.quiet + 4) == [dot(4)])
    }

    /// Each message is due as if every change of its session were remembered for ever.
    @Test(arguments: 0..<UInt64(50))
    func periodsForgetNothingThatCounts(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (pending, model) = (PendingReceipts(), Model())
        var now: Int64 = 0
        for sequence in 1...400 as ClosedRange<UInt64> {
            now += Int64.random(in: 0...(random.chance(1, in: 12) ? 700 : 60), using: &random)
            let (tag, author) = (random.next() % 5, Int(random.next() % 2))
            pending.add(dot(sequence, by: author), in: tag, at: now)
            model.add(dot(sequence, by: author), in: tag, at: now)
            guard random.chance(1, in: 3) else { continue }
            #expect(pending.take(at: now) == model.take(at: now), "at \(now)")
            #expect(pending.deadline == model.deadline, "at \(now)")
        }
    }

    private struct Model {
        private struct Series: Hashable {
            let tag: UInt64
            let origin: OriginID
        }

        private var messages: [Series: (dot: Dot, due: Int64)] = [:]
        private var changed: [UInt64: Int64] = [:]

        mutating func add(_ dot: Dot, in tag: UInt64, at now: Int64) {
            let isHot = changed[tag].map { now - $0 < quiet } ?? false
            changed[tag] = now
            let series = Series(tag: tag, origin: dot.origin)
            messages[series] = (dot, isHot ? now + quiet : now)
        }

        mutating func take(at now: Int64) -> [Dot] {
            defer { messages = messages.filter { $0.value.due > now } }
            return messages.values.filter { $0.due <= now }.map(\.dot).sorted()
        }

        var deadline: Moment? { messages.values.map(\.due).min().map(Moment.init(milliseconds:)) }
    }

    // MARK: Limits

    private static let most = UInt64(Limits.receiptsPending)

    /// As many messages as may be pending, of sessions from 1 on.
    private func full(blobs: (UInt64) -> [BlobReference] = { _ in [] }) -> PendingReceipts {
        var pending = PendingReceipts()
        for number in 1...Self.most { pending.add(dot(number), in: number, blobs: blobs(number)) }
        return pending
    }

    @Test func whatIsBeyondTheLimitIsNotReported() {
        var pending = full()
        pending.add(dot(Self.most + 1), in: Self.most + 1)
        // A later message takes the place of an earlier one.
        pending.add(dot(Self.most + 2), in: 1, at: Self.quiet)
        let taken = pending.take(at: Self.quiet)
        #expect(taken == (2...Self.most).map { dot($0) } + [dot(Self.most + 2)])
        pending.add(dot(1), in: Self.most + 1, at: Self.quiet)
        #expect(pending.take(at: Self.quiet) == [dot(1)], "there are places again")
    }

    /// They give way if their blobs were looked for in vain, and only then.
    @Test(arguments: [false, true])
    func messagesWithoutTheirBlobsGiveWay(wasLookedFor: Bool) {
        var pending = full { $0 <= 2 ? [BlobReference($0)] : [] }
        if wasLookedFor {
            let taken = pending.take(stored: [])
            #expect(taken == (3...Self.most).map { dot($0) })
            for number in 3...Self.most { pending.add(dot(number), in: number, at: Self.quiet) }
        }
        let others = Self.most + 1...Self.most + 4
        for number in others { pending.add(dot(number), in: number, at: Self.quiet) }
        let taken = pending.take(at: Self.quiet, stored: [1, 2].map { BlobReference($0).id })
        let reported = wasLookedFor ? 3...Self.most + 2 : 1...Self.most
        #expect(taken == reported.map { dot($0) })
    }

    /// A period ends as soon as it is long enough, and the next one has places for all.
    @Test func eachPeriodRemembersSoMany() {
        var pending = PendingReceipts()
        let next = 1 + Self.quiet
        for number in 1...Self.most { pending.add(dot(number), in: number, at: 1) }
        _ = pending.take(at: 1)
        for moment in [next, next + 1] { pending.add(dot(2), in: Self.most + 1, at: moment) }
        #expect(pending.take(at: next + 1) == [])
        #expect(pending.take(at: next + 1 + Self.quiet) == [dot(2)])
    }

    /// Sessions beyond the limit are not remembered, but those in change are.
    @Test func changesAreRememberedUpToALimit() {
        var pending = PendingReceipts()
        let (others, beyond) = (2...Self.most + 1, Self.most + 2)
        pending.add(dot(1), in: 0)
        pending.add(dot(2), in: 1, at: Self.quiet - 1)
        for number in others { pending.add(dot(number), in: number, at: Self.quiet) }
        _ = pending.take(at: Self.quiet)
        for moment in [Self.quiet, 2 * Self.quiet - 1] {
            pending.add(dot(4), in: beyond, at: moment)
            pending.add(dot(3), in: 1, at: moment)
        }
        #expect(pending.take(at: 2 * Self.quiet - 1) == [dot(4)])
        #expect(pending.deadline == Moment(milliseconds: 3 * Self.quiet - 1))
    }
}

extension PendingReceipts {
    /// A message comes that is on disk with a commit, the first one unless the test says another.
    fileprivate mutating func add(
        _ dot: Dot,
        in session: UInt64 = 1,
        blobs: [BlobReference] = [],
        ticket: UInt64 = 1,
        at milliseconds: Int64 = 0
    ) {
        add(
            dot,
            in: SessionTag(number: session),
            blobs: blobs,
            ticket: Ticket(ticket),
            at: Moment(milliseconds: milliseconds)
        )
    }

    /// Takes what is due while all messages are heads.
    fileprivate mutating func take(
        committed: UInt64 = 1,
        at milliseconds: Int64 = 0,
        stored: [BlobID] = []
    ) -> [Dot] {
        take(
            committed: Ticket(committed),
            at: Moment(milliseconds: milliseconds),
            isHead: { _, _ in true },
            isStored: { stored.contains($0) }
        )
    }
}
