import ParleyCore
import ParleyFaults

/// A deliberate defect, and the first seed at which a checker saw it.
struct Canary: Sendable, CustomStringConvertible {
    let defect: Defect
    /// Recorded in `docs/testing.md`; the search starts here.
    let seed: UInt64

    init(_ defect: Defect, _ seed: UInt64) {
        self.defect = defect
        self.seed = seed
    }

    var description: String { "\(defect)" }

    /// So many seeds are tried.
    static let seedsMax: UInt64 = 200
    /// So many from seed 0 on, when the seed is recorded.
    static let recordedMax: UInt64 = 1_000

    /// The first of `seeds` at which something is found, with what.
    func caught(in seeds: Range<UInt64>) -> (seed: UInt64, failure: Failure)? {
        var options = SimulationOptions()
        options.defects = [defect]
        for seed in seeds {
            let result = Simulation(seed: seed, options: options).run()
            if let failure = result.failures.first { return (seed, failure) }
        }
        return nil
    }
}
