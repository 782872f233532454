import Foundation
import ParleyFaults

/// Runs many seeds, several at a time, and returns their results in the order of the seeds.
struct SeedSweep {
    let options: SimulationOptions
    let jobs: Int
    /// Whether runs are counted in the order of `GuidedSeeds`.
    var isGuided = false
    var progress = SimulationProgress()
    /// The result, if there was only one seed.
    private(set) var only: SimulationResult?

    /// The number of seeds that one task runs at a time.
    private static let batch: UInt64 = 4

    init(options: SimulationOptions, jobs: Int?) {
        self.options = options
        self.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// Runs all seeds of `range`, or the runs of these numbers if guided, until `each` returns
    /// false; that result does not count.
    mutating func run(
        _ range: Range<UInt64>,
        each: (SimulationResult) throws -> Bool
    ) async throws {
        let (options, isGuided) = (options, isGuided)
        let seeds = OrderedSeeds(jobs: jobs, batch: Self.batch) { number in
            let seed = isGuided ? GuidedSeeds.seed(of: number) : number
            return Simulation(seed: seed, options: options).run()
        }
        try await seeds.run(range) { _, result in
            guard try each(result) else { return false }
            progress.add(result)
            only = range.upperBound - range.lowerBound == 1 ? result : nil
            return true
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
        let never = totals.neverReached.joined(separator: ", ")
        Output.error.line("never happened: \(never.isEmpty ? "nothing" : never)")
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
