import ParleyCore
import ParleyNode
import ParleyStore
import Testing

/// A caller that waits for the disk is answered when all that was submitted before is there.
@Suite struct PendingCommitsTests {
    /// The words of those who were answered.
    private final class Answered {
        var words: [String] = []
    }

    private let answered = Answered()
    private let start = Moment(nanoseconds: 0)

    private func add(_ word: String, to commits: inout PendingCommits) -> Bool {
        commits.add { [answered] error in answered.words.append(word + (error == nil ? "" : "!")) }
    }

    @Test func nobodyWaitsForNothing() {
        var commits = PendingCommits()
        #expect([add("one", to: &commits)] == [false])
        commits.submitted(Ticket(3), at: start)
        commits.committed(through: Ticket(3)).done.forEach { $0(nil) }
        #expect([add("two", to: &commits)] == [false])
        #expect(answered.words.isEmpty)
    }

    @Test func eachWaitsForWhatWasSubmittedBefore() {
        var commits = PendingCommits()
        commits.submitted(Ticket(1), at: start)
        #expect([add("one", to: &commits)] == [true])
        commits.submitted(Ticket(2), at: start)
        #expect([add("two", to: &commits), add("three", to: &commits)] == [true, true])
        commits.committed(through: Ticket(1)).done.forEach { $0(nil) }
        #expect(answered.words == ["one"])
        commits.committed(through: Ticket(2)).done.forEach { $0(nil) }
        #expect(answered.words == ["one", "two", "three"])
        #expect(commits.takeAll().isEmpty)
    }

    @Test func aFailureAnswersAll() {
        var commits = PendingCommits()
        commits.submitted(Ticket(1), at: start)
        #expect([add("one", to: &commits)] == [true])
        commits.submitted(Ticket(2), at: start)
        #expect([add("two", to: &commits)] == [true])
        commits.takeAll().forEach { $0(.storeFull) }
        #expect(answered.words == ["one!", "two!"])
        commits.committed(through: Ticket(2)).done.forEach { $0(nil) }
        #expect(answered.words.count == 2, "each is answered once")
    }

    @Test func eachCommitIsTimedOnce() {
        var commits = PendingCommits()
        for number in 1...3 as ClosedRange<Int64> {
            commits.submitted(Ticket(UInt64(number)), at: Moment(nanoseconds: number))
        }
        let first = commits.committed(through: Ticket(2)).starts
        #expect(first.map(\.nanoseconds) == [1, 2])
        #expect(commits.committed(through: Ticket(3)).starts.map(\.nanoseconds) == [3])
        #expect(commits.committed(through: Ticket(3)).starts.isEmpty)
    }

    @Test func aDiskThatReportsNothingIsTimedUpToALimit() {
        var commits = PendingCommits()
        let last = UInt64(PendingCommits.startsMax) + 1
        for number in 1...last { commits.submitted(Ticket(number), at: start) }
        let starts = commits.committed(through: Ticket(last)).starts
        #expect(starts.count == PendingCommits.startsMax)
    }

    /// What a change meets while the disk fails, and whether the failure is news.
    @Test func aTroubleLastsUntilCommitsSucceed() {
        let (full, scarce) = (
            StoreError.full(path: "a"), StoreError.scarce(path: "a", free: 1, least: 2)
        )
        var commits = PendingCommits()
        #expect(commits.obstacle == nil && commits.obstacleToLeaving == nil)
        #expect([commits.failed(scarce), commits.failed(scarce)] == [true, false])
        #expect(commits.obstacle != nil && commits.obstacleToLeaving == nil)
        #expect([commits.failed(full)] == [false])
        #expect(commits.trouble == full && commits.obstacleToLeaving != nil)
        commits.works()
        #expect(commits.trouble == nil && commits.obstacle == nil)
        #expect([commits.failed(full)] == [true])
    }
}
