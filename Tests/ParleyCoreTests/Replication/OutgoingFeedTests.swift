import ParleyCore
import ParleyFaults
import Testing

/// How far one peer has this node's feed of a conversation.
struct OutgoingFeedTests {
    /// A feed that begins after position 10, when 20 is the latest.
    private func feed() -> OutgoingFeed {
        var feed = OutgoingFeed(number: 3, link: LinkID(9))
        feed.requested(after: 10, latest: 20)
        return feed
    }

    @Test func beginsAfterWhatThePeerHas() {
        #expect(!OutgoingFeed(number: 3, link: LinkID(9)).isRequested)
        let feed = feed()
        #expect(feed.isRequested)
        #expect(
            [feed.sent, feed.claimed, feed.confirmations.stored, feed.replayEnd] == [
                10, 10, 10, 20,
            ]
        )
    }

    /// Changes during a silence are replayed, but only if the peer asked for the feed.
    @Test func silenceExtendsTheReplay() {
        var silent = feed()
        silent.resumed(latest: 35)
        #expect(silent.replayEnd == 35)
        var unasked = OutgoingFeed(number: 3, link: LinkID(9))
        unasked.resumed(latest: 35)
        #expect(unasked.replayEnd == 0)
    }

    @Test(arguments: [
        Confirmation([11], [true], 11),
        Confirmation([10], [false], 10),
        Confirmation([9], [false], 10),
        Confirmation([15, 15], [true, false], 15),
        Confirmation([15, 12, 16], [true, false, true], 16),
    ])
    func confirmationsAscend(_ confirmation: Confirmation) {
        var feed = feed()
        let news = confirmation.positions.map { feed.confirmed($0) }
        #expect(news == confirmation.news)
        #expect(feed.confirmations.stored == confirmation.stored)
    }

    struct Confirmation: Sendable {
        let positions: [UInt64]
        let news: [Bool]
        let stored: UInt64

        init(_ positions: [UInt64], _ news: [Bool], _ stored: UInt64) {
            self.positions = positions
            self.news = news
            self.stored = stored
        }
    }

    /// 0 names no position, and a position that was claimed is never taken back.
    @Test func claimedPositionNeverDescends() {
        var feed = feed()
        feed.claims(0)
        #expect(feed.claimed == 10)
        feed.claims(pushed: 14)
        feed.claims(12)
        #expect(feed.claimed == 14)
        feed.announce(HaveEntry(1, position: 16), at: .start)
        #expect(feed.claimed == 16)
    }

    /// Regression: replacements of a session waited for ever.
    ///
    /// An envelope of it was pushed without a position, and the position that covers it came with a
    /// head that nobody confirms, so the peer did not confirm it.
    @Test(arguments: [
        Asking(.envelope, isOwed: false), Asking(.ownHead, isOwed: false),
        Asking(.headOfAnother, isOwed: false), Asking(.audit, isOwed: true),
    ])
    func aWatermarkAsksForWhatNobodyConfirms(_ asking: Asking) {
        var feed = feed()
        feed.passed(20)
        #expect(feed.owesWatermark)
        feed.announceWatermark(at: .start)
        _ = feed.confirmed(20)
        // The push of a session at 21, while the position must not be sent.
        feed.pushed(4, at: 21)
        feed.passed(22)
        #expect(feed.owesWatermark)
        switch asking.frame {
        case .envelope: feed.claims(pushed: 22)
        case .ownHead: feed.announce(HaveEntry(1, position: 22), isOwn: true, at: .start)
        case .headOfAnother: feed.announce(HaveEntry(1, position: 22), at: .start)
        case .audit: feed.claims(22)
        }
        #expect(feed.owesWatermark == asking.isOwed)
        feed.announceWatermark(at: .start)
        #expect(!feed.owesWatermark)
        #expect(feed.awaitsConfirmation(of: 4))
        _ = feed.confirmed(22)
        #expect(!feed.awaitsConfirmation(of: 4))
    }

    /// The frame in which the peer gets position 22, and whether a watermark is owed after it.
    struct Asking: Sendable {
        enum Frame { case envelope, ownHead, headOfAnother, audit }

        let frame: Frame
        let isOwed: Bool

        init(_ frame: Frame, isOwed: Bool) {
            self.frame = frame
            self.isOwed = isOwed
        }
    }

    /// Once what somebody waits for is sent, a watermark asks for its confirmation at once.
    @Test func aWatermarkAsksForWhatSomebodyWaitsFor() {
        var feed = feed()
        feed.passed(20)
        feed.announceWatermark(at: .start)
        _ = feed.takeAnnouncements(at: .start, force: true)
        _ = feed.confirmed(20)
        feed.asksToConfirm(22)
        feed.claims(pushed: 21)
        feed.passed(21)
        #expect(!feed.owesWatermark, "22 is not sent")
        feed.claims(pushed: 22)
        feed.passed(22)
        #expect(feed.owesWatermark)
        feed.announceWatermark(at: .start)
        #expect(!feed.owesWatermark)
        #expect(feed.takeAnnouncements(at: .start, force: false) == [.watermark(position: 22)])
        // It is asked once, and not for what the peer has confirmed by itself.
        feed.asksToConfirm(23)
        feed.claims(pushed: 23)
        feed.passed(23)
        _ = feed.confirmed(23)
        #expect(!feed.owesWatermark)
    }

    /// The last entry of the replay requests the confirmation, or the first one behind it; if there
    /// is none, a watermark does.
    @Test(arguments: [
        (announced: [UInt64(15), 20, 21], requests: [20]), ([15, 22], [22]), ([15], []),
        // The position of the last one must not be sent yet.
        ([15, 0], []),
    ])
    func theEndOfTheReplayIsRequested(announced: [UInt64], requests: [UInt64]) {
        var feed = feed()
        for position in announced {
            feed.announce(HaveEntry(1, position: position), at: .start)
        }
        #expect(feed.announcements.entries.filter(\.isAwaited).map(\.position) == requests)
        #expect(!feed.owesWatermark, "the replay is not over")
        feed.passed(22)
        #expect(feed.owesWatermark == requests.isEmpty)
    }

    /// A push for one peer requests what somebody waits for, and needs no watermark behind it.
    @Test func aPushRequestsWhatSomebodyWaitsFor() {
        var feed = feed()
        feed.asksToConfirm(22)
        #expect([21, 22].map { feed.confirmations.areUrgent(upTo: $0) } == [false, true])
        feed.requests(22)
        feed.passed(22)
        #expect(!feed.owesWatermark)
    }

    /// Heads of one session that were sent already are remembered until the feed passes it.
    @Test func begunSessionIsOneAtATime() {
        var feed = feed()
        let names = (0...3).map { HaveEntry($0 + 10).name }
        feed.began(3, with: names[1])
        feed.began(3, with: names[2])
        #expect(names.map { feed.hasSent($0, at: 3) } == [false, true, true, false])
        #expect(!feed.hasSent(names[1], at: 4))
        feed.began(4, with: names[3])
        #expect(feed.hasSent(names[3], at: 4))
        #expect(!feed.hasSent(names[1], at: 3))
        feed.passed(14)
        #expect(!feed.hasSent(names[3], at: 4))
        #expect(feed.sent == 14)
    }

    // MARK: Announcements

    @Test(arguments: [
        // The first entry waits 50 ms; a later one does not begin anew.
        Gathering(waits: [0], askedAt: 49, taken: 0),
        Gathering(waits: [0], askedAt: 50, taken: 1),
        Gathering(waits: [0, 40], askedAt: 50, taken: 2),
        Gathering(waits: [7, 40], askedAt: 56, taken: 0),
        Gathering(waits: [7, 40], askedAt: 57, taken: 2),
        // A full frame does not wait, nor does what is asked for, nor the replay.
        Gathering(waits: Array(repeating: 0, count: 1_023), askedAt: 0, taken: 0),
        Gathering(waits: Array(repeating: 0, count: 1_024), askedAt: 0, taken: 1_024),
        Gathering(waits: [0], askedAt: 0, force: true, taken: 1),
        Gathering(waits: [0], askedAt: 0, sent: 20, taken: 1),
        Gathering(waits: [0], askedAt: 0, sent: 21, taken: 0),
        Gathering(waits: [], askedAt: 99, force: true, taken: 0),
    ])
    func announcementsWaitForCompany(_ gathering: Gathering) {
        var feed = feed()
        feed.passed(gathering.sent)
        for (index, time) in gathering.waits.enumerated() {
            feed.announce(HaveEntry(UInt64(index) + 1), at: Moment(milliseconds: time))
        }
        let taken = feed.takeAnnouncements(
            at: Moment(milliseconds: gathering.askedAt),
            force: gathering.force
        )
        #expect(taken.map(\.dot.sequence) == (0..<gathering.taken).map { UInt64($0) + 1 })
        #expect(feed.announcements.entries.count == gathering.waits.count - gathering.taken)
        #expect((feed.announcements.deadline == nil) == feed.announcements.isEmpty)
    }

    struct Gathering: Sendable {
        /// When each entry was put in line.
        let waits: [Int64]
        let askedAt: Int64
        var force = false
        /// The replay ends at 20.
        var sent: UInt64 = 21
        let taken: Int
    }

    // MARK: Entries in flight

    /// A replacement waits until its session's last push is confirmed, also if an earlier one is.
    @Test func replacementWaitsForTheConfirmation() {
        var feed = feed()
        feed.pushed(3, at: 11)
        feed.pushed(5, at: 12)
        #expect(feed.awaitsConfirmation(of: 3))
        #expect(feed.awaitsConfirmation(of: 5))
        #expect(!feed.awaitsConfirmation(of: 4))
        _ = feed.confirmed(11)
        #expect(!feed.awaitsConfirmation(of: 3))
        #expect(feed.awaitsConfirmation(of: 5))
    }

    /// A full peer confirms nothing more, so nothing waits for its confirmation.
    @Test func nothingWaitsForAFullPeer() {
        var feed = feed()
        feed.pushed(3, at: 11)
        feed.isPeerFull = true
        #expect(!feed.awaitsConfirmation(of: 3))
        feed.pushed(4, at: 12)
        feed.isPeerFull = false
        #expect(feed.awaitsConfirmation(of: 3))
        #expect(!feed.awaitsConfirmation(of: 4))
    }
}
