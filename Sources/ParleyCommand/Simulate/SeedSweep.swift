import Foundation
import ParleyFaults

/// Runs many seeds, several at a time, and returns their results in the order of the seeds.
struct SeedSweep {
    let options: SimulationOptions
    let jobs: Int
    var progress = SimulationProgress()
    /// The result, if there was only one seed.
    private(set) var only: SimulationResult?

    /// The number of seeds that one task runs at a time.
    private static let batch: UInt64 = 4

    init(options: SimulationOptions, jobs: Int?) {
        self.options = options
        self.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// Runs all seeds of `range` until `each` returns false; that result does not count.
    mutating func run(
        _ range: Range<UInt64>,
        each: (SimulationResult) throws -> Bool
    ) async throws {
        let options = options
        let jobs = UInt64(jobs)
        try await withThrowingTaskGroup(of: [SimulationResult].self) { group in
            var next = range.lowerBound
            var waiting: [UInt64: [SimulationResult]] = [:]
            var due = range.lowerBound
            func start() {
                guard next < range.upperBound else { return }
                let end = min(range.upperBound, next + Self.batch)
                let seeds = next..<end
                next = end
                group.addTask {
                    var results: [SimulationResult] = []
                    for seed in seeds where !Task.isCancelled {
                        results.append(Simulation(seed: seed, options: options).run())
                    }
                    return results
                }
            }
            for _ in 0..<jobs { start() }
            while let results = try await group.next() {
                if let first = results.first { waiting[first.seed] = results }
                start()
                while let ready = waiting.removeValue(forKey: due) {
                    due += UInt64(ready.count)
                    for result in ready {
                        guard try each(result) else {
                            group.cancelAll()
                            return
                        }
                        progress.add(result)
                        only = range.count == 1 ? result : nil
                    }
                }
            }
        }
    }
}

/// The progress and speed of a sweep, printed on standard error.
struct SimulationProgress {
    private(set) var totals = SimulationTotals()
    private let start = ContinuousClock.now
    private let cpuStart = clock()
    private var reportedAt = ContinuousClock.now

    init(totals: SimulationTotals = SimulationTotals()) {
        self.totals = totals
        seedsBefore = totals.seeds
        nodeHoursBefore = totals.nodeHours
        virtualBefore = totals.virtualSeconds
    }

    private let seedsBefore: Int
    private let nodeHoursBefore: Double
    private let virtualBefore: Double

    mutating func add(_ result: SimulationResult) {
        totals.add(result)
        guard ContinuousClock.now - reportedAt > .seconds(2) else { return }
        reportedAt = .now
        Output.error.line(line)
    }

    /// Prints the totals, if there was more than one seed.
    func finish() {
        guard totals.seeds > 1 else { return }
        Output.error.line(line)
        Output.error.line("faults: \(totals.faultWords)")
    }

    private var line: String {
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        let cpu = max(0.001, Double(clock() - cpuStart) / Double(CLOCKS_PER_SEC))
        let rate = Double(totals.seeds - seedsBefore) / max(0.001, elapsed)
        let nodeHours = (totals.nodeHours - nodeHoursBefore) / (cpu / 3_600)
        let ratio = (totals.virtualSeconds - virtualBefore) / cpu
        let density = Double(totals.faultTotal) / max(0.001, totals.virtualHours)
        return """
            \(totals.seeds) seeds, \(totals.broken.count) broken, \(Self.round(rate)) seeds/s, \
            \(Self.round(totals.virtualHours)) simulated hours, \(Int(ratio)) x real time a core, \
            \(Int(nodeHours)) node-hours a core-hour, \(Int(density)) faults a simulated hour
            """
    }

    private static func round(_ number: Double) -> String {
        String(format: "%.1f", number)
    }
}
