import ParleyCore
import Testing

/// How far this node has one peer's feed of a conversation.
struct IncomingFeedTests {
    private let name = HaveEntry(1).name

    /// A feed that goes on after position 10 of the peer's incarnation 7, which has come to 20.
    private func feed() -> IncomingFeed {
        var feed = IncomingFeed(cursor: FeedCursor(incarnation: 7, position: 10))
        feed.began(incarnation: 7, latest: 20)
        return feed
    }

    @Test(arguments: [
        Beginning(incarnation: 7, latest: 20, highest: 10, isReplaying: true),
        Beginning(incarnation: 7, latest: 10, highest: 10, isReplaying: false),
        Beginning(incarnation: 7, latest: 0, highest: 10, isReplaying: false),
        Beginning(incarnation: 8, latest: 20, highest: 0, isReplaying: true),
        Beginning(incarnation: 8, latest: 0, highest: 0, isReplaying: false),
    ])
    func cursorCountsInItsIncarnationOnly(_ beginning: Beginning) {
        var feed = IncomingFeed(cursor: FeedCursor(incarnation: 7, position: 10))
        #expect(!feed.isReplaying)
        feed.began(incarnation: beginning.incarnation, latest: beginning.latest)
        #expect(feed.incarnation == beginning.incarnation)
        #expect(
            [feed.highest, feed.stored, feed.saved] == Array(repeating: beginning.highest, count: 3)
        )
        #expect(feed.isReplaying == beginning.isReplaying)
    }

    struct Beginning: Sendable {
        let incarnation: UInt64
        let latest: UInt64
        let highest: UInt64
        let isReplaying: Bool
    }

    @Test func receivedPositionNeverDescends() {
        var feed = feed()
        feed.received(position: 0)
        #expect(feed.highest == 10)
        feed.received(position: 20)
        #expect(!feed.isReplaying)
        feed.received(position: 15)
        #expect(feed.highest == 20)
        #expect(feed.complete == 20)
    }

    /// Only positions of this link count: a peer whose feed was set back goes on below the cursor.
    @Test(arguments: [
        Arrival(arrived: [], position: 1, isAllowed: true),
        Arrival(arrived: [6], position: 5, isAllowed: false),
        Arrival(arrived: [6], position: 6, isAllowed: true),
        Arrival(arrived: [6, 0], position: 5, isAllowed: false),
        Arrival(arrived: [6, 30], position: 0, isAllowed: true),
    ])
    func positionsOfALinkNeverDescend(_ arrival: Arrival) {
        var feed = feed()
        for position in arrival.arrived { feed.received(position: position) }
        #expect(feed.mayReceive(position: arrival.position) == arrival.isAllowed)
    }

    struct Arrival: Sendable {
        let arrived: [UInt64]
        let position: UInt64
        let isAllowed: Bool
    }

    // MARK: Missing envelopes

    /// The feed is complete up to what was announced before the first envelope that is missing.
    @Test(arguments: [
        Gap(settled: [], complete: 11),
        Gap(settled: [1], complete: 12),
        Gap(settled: [2], complete: 11),
        Gap(settled: [1, 2], complete: 12),
        Gap(settled: [1, 3], complete: 12),
        Gap(settled: [3, 2, 1], complete: 14),
        Gap(settled: [9], complete: 11),
    ])
    func completeEndsBeforeTheFirstGap(_ gap: Gap) {
        var feed = feed()
        feed.received(position: 11)
        feed.misses(HaveEntry(1).name)
        feed.received(position: 12)
        feed.misses(HaveEntry(2).name)
        feed.misses(HaveEntry(3).name)
        feed.received(position: 14)
        for sequence in gap.settled { feed.settled(HaveEntry(sequence).name) }
        #expect(feed.complete == gap.complete)
        let left = [1, 2, 3].filter { !gap.settled.contains($0) }
        #expect([1, 2, 3].filter { feed.missing.contains(HaveEntry($0).name) } == left)
        #expect(feed.missing.count == left.count)
        #expect(feed.missing.isEmpty == left.isEmpty)
    }

    struct Gap: Sendable {
        let settled: [UInt64]
        let complete: UInt64
    }

    /// An envelope that is announced twice is missing once, from the first announcement on.
    @Test func announcedTwiceIsMissingOnce() {
        var feed = feed()
        feed.misses(name)
        feed.received(position: 12)
        feed.misses(name)
        #expect(feed.missing.count == 1)
        #expect(feed.complete == 10)
        feed.settled(name)
        #expect(feed.complete == 12)
    }

    /// Regression: names that a peer could forge to look alike were counted as one.
    @Test func namesThatDifferInTheSessionAloneAreCounted() {
        var feed = feed()
        for number in UInt64(0)..<50 {
            let tag = SessionTag(Bytes16(number, number))
            feed.misses(EnvelopeName(tag: tag, dot: HaveEntry(1).dot, digestPrefix: 1))
        }
        #expect(feed.missing.count == 50)
    }

    /// A peer is asked for four envelopes when nothing arrives in order, and for more each time.
    @Test func aFeedThatStandsStillAgainIsAskedForMore() {
        var feed = feed()
        for sequence in UInt64(1)...30 { feed.misses(HaveEntry(sequence).name) }
        var asked: [Int] = []
        for second in Int64(0)...16 {
            let now = Moment(milliseconds: second * 1_000)
            let names = feed.standingStill(at: now)
            if !names.isEmpty { asked.append(names.count) }
            if second == 13 { feed.settled(HaveEntry(1).name) }
        }
        #expect(asked == [4, 8, 16])
        #expect(feed.standingStill(at: Moment(milliseconds: 18_000)).first == HaveEntry(2).name)
        #expect(feed.standingStill(at: Moment(milliseconds: 60_000)).count == 4)
    }

    /// An envelope that never comes does not make the node remember all later ones.
    @Test func settledOnesTakeNoMemoryBehindOneThatIsMissing() {
        var feed = feed()
        feed.misses(name)
        for sequence in UInt64(2)...5_000 {
            feed.received(position: 10 + sequence)
            feed.misses(HaveEntry(sequence).name)
            feed.settled(HaveEntry(sequence).name)
        }
        #expect(feed.missing.bytes <= 80 * Limits.missingBytes)
        #expect(feed.complete == 10)
        feed.settled(name)
        #expect(feed.complete == 5_010)
    }

    // MARK: Envelopes on disk

    @Test(arguments: [
        Commit(follows: [], done: [1], stored: [nil]),
        // The position counts once its ticket is committed, and is said once.
        Commit(follows: [(1, 12)], done: [0, 1, 1], stored: [nil, 12, nil]),
        Commit(follows: [(1, 12), (2, 15)], done: [1, 2], stored: [12, 15]),
        // Several tickets at once give the last position.
        Commit(follows: [(1, 12), (2, 15)], done: [2], stored: [15]),
        // The same ticket takes over what came while it was gathered.
        Commit(follows: [(1, 12), (1, 15)], done: [1], stored: [15]),
        // A position that did not grow waits for the ticket that it follows already.
        Commit(follows: [(1, 12), (2, 12)], done: [1, 2], stored: [12, nil]),
        Commit(follows: [(1, 10)], done: [1], stored: [nil]),
    ])
    func positionIsConfirmedOnceItIsOnDisk(_ commit: Commit) {
        var feed = feed()
        for (ticket, position) in commit.follows {
            feed.received(position: position)
            feed.follows(Ticket(ticket))
        }
        let stored = commit.done.map { feed.committed(Ticket($0), at: .start) }
        #expect(stored == commit.stored)
        #expect(feed.stored == commit.stored.compactMap(\.self).last ?? 10)
    }

    struct Commit: Sendable {
        let follows: [(ticket: UInt64, position: UInt64)]
        let done: [UInt64]
        let stored: [UInt64?]
    }

    /// A position that the peer does not wait for is confirmed with one that it waits for, or with
    /// many others.
    @Test func whatNobodyAwaitsIsConfirmedLater() {
        var feed = feed()
        feed.received(position: 21, urgency: .none)
        feed.follows(Ticket(1))
        #expect(feed.committed(Ticket(1), at: .start) == nil)
        #expect(feed.stored == 10)
        feed.received(position: 22)
        feed.follows(Ticket(2))
        #expect(
            feed.committed(Ticket(1), at: .start) == nil,
            "the position that is awaited is not on disk"
        )
        #expect(feed.committed(Ticket(2), at: .start) == 22)
        for number in 1..<UInt64(Confirmations.unawaitedMax) {
            feed.received(position: 22 + number, urgency: .none)
        }
        feed.follows(Ticket(3))
        #expect(feed.committed(Ticket(3), at: .start) == nil)
        feed.received(position: 900, urgency: .none)
        feed.follows(Ticket(3))
        #expect(feed.committed(Ticket(3), at: .start) == 900)
    }

    /// Positions that nobody is known to wait for are confirmed together, with something that is
    /// urgent, or with another frame.
    @Test(arguments: [
        Gathered("at once after a silence", urgency: .gathered, stored: [20, nil, 22]),
        Gathered("at once if it is urgent", urgency: .prompt, stored: [20, 21, 22]),
        Gathered("along with a frame", urgency: .gathered, ridesAlong: true, stored: [20, 21, 22]),
    ])
    func confirmationsAreGathered(_ gathered: Gathered) {
        var feed = feed()
        feed.received(position: 20, urgency: .gathered)
        feed.follows(Ticket(1))
        var stored = [feed.committed(Ticket(1), at: .start)]
        #expect(feed.confirmationDue == nil)
        for (number, milliseconds) in [Int64(11), 12].enumerated() {
            let position = 21 + UInt64(number)
            feed.received(position: position, urgency: gathered.urgency)
            feed.follows(Ticket(position))
            stored.append(
                feed.committed(
                    Ticket(position),
                    ridesAlong: gathered.ridesAlong,
                    at: .start + .milliseconds(milliseconds)
                )
            )
            let isLate = stored.last == .some(nil)
            #expect(feed.confirmationDue == (isLate ? .start + Confirmations.gathering : nil))
        }
        #expect(stored == gathered.stored)
    }

    struct Gathered: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let urgency: AwaitedPositions.Urgency
        let ridesAlong: Bool
        /// The confirmations 0, 11 and 12 ms after the first one.
        let stored: [UInt64?]

        init(
            _ testDescription: String,
            urgency: AwaitedPositions.Urgency,
            ridesAlong: Bool = false,
            stored: [UInt64?]
        ) {
            self.testDescription = testDescription
            self.urgency = urgency
            self.ridesAlong = ridesAlong
            self.stored = stored
        }
    }

    /// Nothing behind a missing envelope is confirmed, whatever is committed.
    @Test func gapIsNotConfirmed() {
        var feed = feed()
        feed.received(position: 11)
        feed.misses(name)
        feed.received(position: 14)
        feed.follows(Ticket(1))
        let first = feed.committed(Ticket(1), at: .start)
        #expect(first == 11)
        feed.follows(Ticket(2))
        let second = feed.committed(Ticket(2), at: .start)
        #expect(second == nil)
        feed.settled(name)
        feed.follows(Ticket(3))
        let third = feed.committed(Ticket(3), at: .start)
        #expect(third == 14)
    }

    /// When something could not be taken, neither the peer nor the disk hears of later positions.
    @Test func heldFeedStandsStill() {
        var feed = feed()
        feed.received(position: 12)
        feed.follows(Ticket(1))
        feed.isHeld = true
        #expect(feed.shouldSayFull)
        feed.hasSaidFull = true
        #expect(!feed.shouldSayFull)
        feed.received(position: 14)
        feed.follows(Ticket(2))
        #expect(feed.unsavedCursor == nil)
        let position = feed.committed(Ticket(2), at: .start)
        #expect(position == 12, "what was complete before")
    }

    @Test func cursorIsWrittenWhenItGrew() {
        var feed = IncomingFeed(cursor: FeedCursor(incarnation: 7, position: 10))
        feed.received(position: 12)
        #expect(feed.unsavedCursor == nil, "the incarnation is not known yet")
        feed.began(incarnation: 7, latest: 20)
        #expect(feed.unsavedCursor == FeedCursor(incarnation: 7, position: 12))
        feed.saved = 12
        #expect(feed.unsavedCursor == nil)
        feed.misses(name)
        feed.received(position: 14)
        #expect(feed.unsavedCursor == nil, "an envelope is missing")
        feed.settled(name)
        #expect(feed.unsavedCursor == FeedCursor(incarnation: 7, position: 14))
    }
}
