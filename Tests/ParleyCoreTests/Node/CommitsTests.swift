import ParleyCore
import Testing

/// Actions that wait until writes are on disk.
struct CommitsTests {
    private let write = StoreWrite.conversationLeft(1)

    private func cursor(_ position: UInt64) -> PendingCursor {
        PendingCursor(
            conversation: 1,
            peer: DeviceID(number: 9),
            cursor: FeedCursor(incarnation: 7, position: position)
        )
    }

    private func delivered(_ done: CommitsDone) -> [Int] {
        done.deliveries.compactMap { delivery in
            if case .delivered(_, let nodes) = delivery { nodes } else { nil }
        }
    }

    /// Tickets ascend by one, and a step without writes uses none.
    @Test func ticketsAreIssuedForWritesOnly() {
        var commits = Commits()
        #expect(commits.next == Ticket(1))
        let nothing = commits.issue([], bytes: 5)
        #expect(nothing == nil)
        #expect(commits.issued == Ticket(0))
        #expect(commits.pendingBytes == 0)
        let first = commits.issue([write], bytes: 5)
        #expect(first?.ticket == Ticket(1))
        let second = commits.issue([write, write], bytes: 7)
        #expect(second?.writes == [write, write])
        #expect(commits.issued == Ticket(2))
        #expect(commits.next == Ticket(3))
        #expect(commits.pendingBytes == 12)
        #expect(commits.committed == Ticket(0))
    }

    /// Three tickets of 10, 20 and 40 bytes; what waits for each has its number.
    @Test(arguments: [
        Completion(done: [0], waited: [[]], pendingBytes: 70, committed: 0),
        Completion(done: [1], waited: [[1]], pendingBytes: 60, committed: 1),
        Completion(done: [1, 2, 3], waited: [[1], [2], [3]], pendingBytes: 0, committed: 3),
        Completion(done: [2, 3], waited: [[1, 2], [3]], pendingBytes: 0, committed: 3),
        Completion(done: [3], waited: [[1, 2, 3]], pendingBytes: 0, committed: 3),
        // A ticket that is done already changes nothing.
        Completion(done: [2, 1], waited: [[1, 2], []], pendingBytes: 40, committed: 2),
        Completion(done: [2, 2], waited: [[1, 2], []], pendingBytes: 40, committed: 2),
    ])
    func whatWaitedComesInOrder(_ completion: Completion) {
        var commits = Commits()
        for number in 1...3 {
            commits.afterNext(.delivered(RequestID(0), nodes: number))
            commits.reservesSequences(of: UInt32(number))
            _ = commits.write(cursor(UInt64(number)), at: .start)
            _ = commits.issue([write], bytes: 5 << number)
        }
        for (ticket, waited) in zip(completion.done, completion.waited) {
            let done = commits.done(Ticket(ticket))
            #expect(delivered(done) == waited)
            #expect(done.reserved == waited.map(UInt32.init))
            #expect(done.cursors.map(\.cursor.position) == waited.map(UInt64.init))
        }
        #expect(commits.pendingBytes == completion.pendingBytes)
        #expect(commits.committed == Ticket(completion.committed))
    }

    struct Completion: Sendable {
        let done: [UInt64]
        let waited: [[Int]]
        let pendingBytes: Int
        let committed: UInt64
    }

    /// An action that waits for writes which are still being gathered does not come with earlier
    /// writes.
    @Test func gatheredWritesAreWaitedFor() {
        var commits = Commits()
        _ = commits.issue([write], bytes: 0)
        commits.afterNext(.delivered(RequestID(0), nodes: 1))
        let early = delivered(commits.done(Ticket(1)))
        _ = commits.issue([write], bytes: 0)
        let late = delivered(commits.done(Ticket(2)))
        #expect([early, late] == [[], [1]])
    }

    /// A step that gathers no writes leaves what waits to the next one that does.
    @Test func whatWaitsNeedsWrites() {
        var commits = Commits()
        commits.afterNext(.delivered(RequestID(0), nodes: 1))
        commits.reservesSequences(of: 2)
        _ = commits.write(cursor(3), at: .start)
        let nothing = commits.issue([], bytes: 0)
        #expect(nothing == nil)
        let early = commits.done(Ticket(0))
        #expect(delivered(early) == [])
        #expect(early.reserved == [])
        #expect(early.cursors.isEmpty)
        let persist = commits.issue([write], bytes: 0)
        #expect(persist?.ticket == Ticket(1))
        let done = commits.done(Ticket(1))
        #expect(delivered(done) == [1])
        #expect(done.reserved == [2])
        #expect(done.cursors.map(\.cursor.position) == [3])
    }

    // MARK: Feed positions

    /// When positions that wait since these milliseconds are due; nil: none wait any more.
    @Test(arguments: [
        Waiting(since: [], due: nil),
        Waiting(since: [0], due: 1_000),
        Waiting(since: [500], due: 1_500),
        // Later writes do not delay the first ones.
        Waiting(since: [500, 700, 1_499], due: 1_500),
        Waiting(since: [500, nil], due: nil),
        Waiting(since: [500, nil, 700], due: 1_700),
    ])
    func feedPositionsWaitASecondForCompany(_ waiting: Waiting) {
        var commits = Commits()
        for since in waiting.since {
            let now = Moment(milliseconds: since ?? 600)
            commits.cursorsWait(since != nil, at: now)
        }
        #expect(commits.cursorsDue == waiting.due.map { Moment(milliseconds: $0) })
        let last = Moment(nanoseconds: (waiting.due ?? 9_999) * 1_000_000)
        let before = Moment(nanoseconds: last.nanoseconds - 1)
        #expect(!commits.areCursorsDue(at: before, isWriting: false))
        let isDue = waiting.due != nil
        #expect(commits.areCursorsDue(at: last, isWriting: false) == isDue)
        #expect(commits.areCursorsDue(at: last + .seconds(9), isWriting: false) == isDue)
    }

    /// Cursors go along with other writes ten times a second at most.
    @Test func feedPositionsGoAlongWithWritesFromTimeToTime() {
        var commits = Commits()
        #expect(commits.areCursorsDue(at: Moment(milliseconds: 5), isWriting: true))
        _ = commits.write(cursor(1), at: Moment(milliseconds: 5))
        #expect(!commits.areCursorsDue(at: Moment(milliseconds: 104), isWriting: true))
        #expect(commits.areCursorsDue(at: Moment(milliseconds: 105), isWriting: true))
        #expect(!commits.areCursorsDue(at: Moment(milliseconds: 105), isWriting: false))
    }

    struct Waiting: Sendable {
        let since: [Int64?]
        let due: Int64?
    }

    // MARK: Conversations that were left

    /// Nobody hears news of a conversation that was left; an author still has its answer.
    @Test(arguments: [
        Leaving(.blobArrived(conversation: 1, BlobID(Bytes32(1, 0, 0, 0))), isKept: false),
        Leaving(.blobArrived(conversation: 2, BlobID(Bytes32(1, 0, 0, 0))), isKept: true),
        Leaving(
            .divergence(conversation: 1, device: DeviceID(number: 1), buckets: 1),
            isKept: false
        ),
        Leaving(.answer(RequestID(1), .storeFull), isKept: true),
        Leaving(.delivered(RequestID(1), nodes: 1), isKept: true),
        Leaving(.damaged(row: 1, "lost"), isKept: true),
    ])
    func newsOfALeftConversationIsDropped(_ leaving: Leaving) {
        var commits = Commits()
        commits.afterNext(leaving.delivery)
        _ = commits.issue([write], bytes: 0)
        commits.forget(1)
        let deliveries = commits.done(Ticket(1)).deliveries
        #expect(deliveries.isEmpty != leaving.isKept)
    }

    struct Leaving: Sendable {
        let delivery: Delivery
        let isKept: Bool

        init(_ delivery: Delivery, isKept: Bool) {
            self.delivery = delivery
            self.isKept = isKept
        }
    }

    @Test func unknownTicketIsACrash() async {
        await #expect(processExitsWith: .failure) {
            var commits = Commits()
            _ = commits.done(Ticket(1))
        }
    }
}
