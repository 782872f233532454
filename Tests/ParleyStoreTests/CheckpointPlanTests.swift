import ParleyStore
import Testing

@Suite struct CheckpointPlanTests {
    /// A commit: the pages of the log after it, the result of a checkpoint that has ended, whether
    /// one is running, and what is to be done.
    private typealias Step = (pages: Int, copied: Int?, isCopying: Bool, need: CheckpointPlan.Need)

    private static let first = StoreLimits.checkpointPages
    private static let second = StoreLimits.logPages
    private static let last = StoreLimits.logPagesMax

    private static let cases: [[Step]] = [
        // A log of which little was used, up to the first checkpoint.
        [
            (2, nil, false, .nothing), (first - 1, nil, false, .nothing),
            (first, nil, false, .checkpoint),
        ],
        // Nothing is planned while a checkpoint runs, and the next one only for some more pages.
        [
            (first, nil, false, .checkpoint), (first + 100, nil, true, .nothing),
            (first + 101, first, false, .checkpoint), (first + 150, first + 101, false, .nothing),
            (first + 165, nil, false, .checkpoint),
        ],
        // SQLite has started the log over.
        [
            (first, nil, false, .checkpoint), (3, first, false, .nothing),
            (first, nil, false, .checkpoint),
        ],
        // Few pages are left of a long log.
        [
            (first, nil, false, .checkpoint), (second, second - 200, false, .pause),
            (second + 10, nil, false, .nothing),
        ],
        // Many pages are left of a long log.
        [(first, nil, false, .checkpoint), (second, first, false, .checkpoint)],
        // The log is too long, whether a checkpoint runs or not.
        [(first, nil, false, .checkpoint), (last, nil, true, .pause)],
        [
            (last, nil, false, .pause), (last + 1, nil, false, .nothing),
            (last + 64, nil, false, .pause),
        ],
    ]

    @Test(arguments: cases.indices)
    func theLogIsCopiedBesideCommitsAsFarAsPossible(index: Int) {
        var plan = CheckpointPlan()
        for step in Self.cases[index] {
            let need = plan.committed(
                pages: step.pages,
                copied: step.copied,
                isCopying: step.isCopying
            )
            #expect(need == step.need, "\(step.pages) pages")
        }
    }

    /// After a pause, the rest that it could not copy is tried again some pages later.
    @Test func aPauseThatAReaderHoldsUpIsNotRepeatedAtOnce() {
        var plan = CheckpointPlan()
        let first = plan.committed(pages: Self.last, copied: nil, isCopying: false)
        #expect(first == .pause)
        plan.paused(copied: 10)
        for more in 1..<CheckpointPlan.pagesBetween {
            let need = plan.committed(pages: Self.last + more, copied: nil, isCopying: false)
            #expect(need == .nothing)
        }
    }
}
