/// Work on many seeds, several at a time, whose results come in the order of the seeds.
struct OrderedSeeds<Outcome: Sendable>: Sendable {
    /// The number of tasks at a time.
    let jobs: Int
    /// The number of seeds that one task works on.
    let batch: UInt64
    let work: @Sendable (UInt64) -> Outcome

    /// Works on all seeds of `range` until `each` returns false.
    func run(
        _ range: Range<UInt64>,
        each: (UInt64, Outcome) throws -> Bool
    ) async throws {
        try await withThrowingTaskGroup(of: (UInt64, [Outcome]).self) { group in
            var next = range.lowerBound
            var waiting: [UInt64: [Outcome]] = [:]
            var due = range.lowerBound
            func start() {
                guard next < range.upperBound else { return }
                let first = next
                next += min(batch, range.upperBound - first)
                let seeds = first..<next
                group.addTask {
                    var outcomes: [Outcome] = []
                    for seed in seeds where !Task.isCancelled { outcomes.append(work(seed)) }
                    return (first, outcomes)
                }
            }
            for _ in 0..<jobs { start() }
            while let (first, outcomes) = try await group.next() {
                waiting[first] = outcomes
                start()
                while let ready = waiting.removeValue(forKey: due) {
                    for outcome in ready {
                        guard try each(due, outcome) else {
                            group.cancelAll()
                            return
                        }
                        due += 1
                    }
                }
            }
        }
    }
}
