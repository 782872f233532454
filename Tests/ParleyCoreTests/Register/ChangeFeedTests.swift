import ParleyCore
import ParleyFaults
import Testing

@Suite struct ChangeFeedTests {
    @Test func positionsCountFromTheStart() {
        var feed = ChangeFeed()
        #expect(feed.record(3) == 1)
        #expect(feed.record(0) == 2)
        #expect(feed.latest == 2)

        var later = ChangeFeed(start: 40)
        #expect(later.latest == 40)
        #expect(later.record(0) == 41)
    }

    @Test func sessionHasOnlyItsLatestEntry() {
        var feed = ChangeFeed()
        for session: Int32 in [0, 1, 2, 0, 0, 1] { feed.record(session) }

        #expect(feed.read(after: 0) == [[3, 2], [5, 0], [6, 1]])
        #expect(feed.read(after: 3) == [[5, 0], [6, 1]])
        #expect(feed.read(after: 4) == [[5, 0], [6, 1]])
        #expect(feed.read(after: 6) == [])
        #expect(feed.read(after: .max) == [])
        #expect(feed.position(of: 0) == 5)
        #expect(feed.position(of: 9) == nil)
        #expect(feed.position(of: -1) == nil)
        #expect(feed.count == 3)
    }

    @Test func emptyFeedHasNothingToRead() {
        #expect(ChangeFeed().next(after: 0) == nil)
        #expect(ChangeFeed(start: 9).next(after: 0) == nil)
    }

    /// Recording and reading in any mixture gives what a dictionary gives that is sorted each time.
    @Test(arguments: 0..<UInt64(200))
    func readsLikeASortedDictionary(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let sessions = Int32.random(in: 1...200, using: &random)
        var model: [Int32: UInt64] = [:]
        var feed = ChangeFeed(start: seed)
        var rows: [(session: Int32, position: UInt64)] = []
        for session in 0..<sessions where random.chance(1, in: 2) {
            rows.append((session, seed + 1 + UInt64(rows.count) * 3))
        }
        for row in rows.shuffled(using: &random) {
            feed.recover(session: row.session, position: row.position)
            model[row.session] = row.position
        }
        feed.recoveryEnded()
        #expect(feed.latest == rows.last?.position ?? seed)

        for step in 0..<400 {
            let hot = random.chance(1, in: 2) ? min(2, sessions) : sessions
            let session = Int32.random(in: 0..<hot, using: &random)
            let position = feed.record(session)
            model[session] = position
            #expect(position == feed.latest)
            #expect(feed.entryCount <= 2 * feed.count + 32)
            guard step.isMultiple(of: 10) else { continue }
            let after = UInt64.random(in: 0...feed.latest + 1, using: &random)
            #expect(feed.read(after: after) == sorted(model, after: after), "seed \(seed)")
            #expect(feed.position(of: session) == position)
        }
    }

    @Test func readerGoesOnWhileSessionsChange() {
        var feed = ChangeFeed()
        for session in 0..<Int32(1_000) { feed.record(session) }
        var cursor: UInt64 = 0
        var sent: [Int32: Int] = [:]
        while let (position, session) = feed.next(after: cursor), position > cursor {
            cursor = position
            sent[session, default: 0] += 1
            if position < 500 { feed.record(999) }
        }
        #expect(sent.count == 1_000)
        #expect(sent.values.allSatisfy { $0 == 1 }, "the changing session is read once, at the end")
    }

    @Test func damagedRowsAreReadAgainAndNeverSkipped() {
        var feed = ChangeFeed(start: 10)
        for (session, position) in [(0, 7), (1, 7), (2, 0), (3, .max), (4, 3), (1, 7), (4, 5)]
            as [(Int32, UInt64)]
        {
            feed.recover(session: session, position: position)
        }
        feed.recoveryEnded()

        #expect(feed.read(after: 0) == [[5, 4], [7, 0], [11, 2], [12, 3], [13, 1]])
        #expect(feed.latest == 13)
        #expect(feed.count == 5)
        #expect(feed.record(0) == 14)
    }

    @Test func recordingEndsTheRecovery() {
        var feed = ChangeFeed()
        feed.recover(session: 1, position: 9)
        feed.recover(session: 0, position: 4)
        feed.record(0)
        #expect(feed.read(after: 0) == [[9, 1], [10, 0]])
    }

    private func sorted(_ model: [Int32: UInt64], after position: UInt64) -> [[UInt64]] {
        model.filter { $0.value > position }.sorted { $0.value < $1.value }
            .map { [$0.value, UInt64($0.key)] }
    }
}

extension ChangeFeed {
    /// Everything after `position` as pairs of position and session.
    fileprivate func read(after position: UInt64) -> [[UInt64]] {
        var pairs: [[UInt64]] = []
        var cursor = position
        while let next = next(after: cursor) {
            guard next.position > cursor else {
                Issue.record("a reader after \(cursor) is given \(next) again")
                break
            }
            pairs.append([next.position, UInt64(next.session)])
            cursor = next.position
        }
        return pairs
    }
}
