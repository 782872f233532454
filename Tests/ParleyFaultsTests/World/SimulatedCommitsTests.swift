import ParleyCore
import ParleyFaults
import Testing

/// The commit queue of a simulated node, alone.
@Suite struct SimulatedCommitsTests {
    private var commits = SimulatedCommits()

    private func persist(_ ticket: UInt64) -> Persist {
        Persist(ticket: Ticket(ticket), writes: [.epoch(Epoch(ticket))])
    }

    private func tickets(_ persists: some Sequence<Persist>) -> [UInt64] {
        persists.map(\.ticket.value)
    }

    @Test mutating func aTransactionHasWhatWaitedAtItsBeginning() {
        commits.add(persist(1))
        commits.add(persist(2))
        #expect(commits.begin() == true)
        #expect(commits.begin() == false)
        commits.add(persist(3))
        #expect(
            commits.end(inGroups: true) == .done([persist(1), persist(2)], unblocks: false)
        )
        #expect(commits.end(inGroups: true) == nil)
        #expect(tickets(commits.waiting) == [3])
        #expect(commits.end(inGroups: false) == .done([persist(3)], unblocks: false))
    }

    @Test mutating func aFailedTransactionIsTriedAgainLaterAndLater() {
        commits.trouble = DiskTrouble(.full, after: 1)
        commits.add(persist(1))
        #expect(commits.begin() == true)
        #expect(commits.end(inGroups: true) == .done([persist(1)], unblocks: false))
        commits.add(persist(2))
        #expect(commits.begin() == true)
        for milliseconds in [200, 400, 800, 1_600, 3_200, 5_000, 5_000] as [Int64] {
            #expect(commits.end(inGroups: true) == .failed(.full))
            #expect(commits.fail() == .milliseconds(milliseconds))
            #expect(commits.begin() == false, "only a retry begins")
            #expect(commits.begin(isRetry: true) == true)
        }
        commits.trouble = nil
        #expect(commits.end(inGroups: true) == .done([persist(2)], unblocks: true))
        commits.add(persist(3))
        #expect(commits.begin() == true)
    }

    @Test mutating func nothingBeginsOrEndsWhileTheDiskStalls() {
        commits.add(persist(1))
        #expect(commits.begin() == true)
        commits.isStalled = true
        #expect(commits.end(inGroups: true) == nil)
        commits.isStalled = false
        #expect(commits.end(inGroups: true) != nil)
    }

    @Test mutating func aCrashKeepsWholeTransactions() {
        for ticket in 1...3 as ClosedRange<UInt64> {
            if ticket == 3 { #expect(commits.begin() == true) }
            commits.add(persist(ticket))
        }
        var random = SeededRandom(seed: 1)
        let kept = (0..<50).map { _ in
            tickets(commits.settled(inGroups: true, using: &random))
        }
        #expect(Set(kept) == [[], [1, 2], [1, 2, 3]])
        commits.trouble = DiskTrouble(.error, after: 0)
        #expect(commits.settled(inGroups: true, using: &random).isEmpty)
        commits.restart()
        #expect(commits.waiting.isEmpty)
        #expect(commits.trouble != nil, "the disk is the same")
    }
}
