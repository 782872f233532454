import Counters
import Foundation
import ParleyFaults

// Chooses seeds for `GuidedSeeds`: each adds the most to those before it, for what it costs.
//
// usage: reach SEED RUNS COUNT    COUNT seeds of RUNS, which begin with SEED

struct Candidate {
    let seed: UInt64
    /// The counters of the core that the run has moved.
    let places: [Int]
    /// The square root of the cost: by the cost itself, many tiny runs would come first.
    let weight: Double

    /// The run of a seed; nil if a promise is broken, so that its places may mean little.
    init?(_ seed: UInt64) {
        counters_clear()
        let result = Simulation(seed: seed).run()
        guard result.isGood else { return nil }
        self.seed = seed
        places = (0..<counters_count()).filter { counters_has($0) != 0 }
        weight = Double(result.figures.inputs + 300).squareRoot()
    }
}

/// What is left of the worth of a place after each run that gets there, in percent: at about half
/// of the places a mistake is not caught by the first run that reaches it.
let percentLeft = 30

func choose(_ count: Int, of all: [Candidate]) -> [UInt64] {
    var worths = Array(repeating: 1 << 20, count: counters_count())
    var left = all
    return (0..<min(count, all.count)).map { _ in
        let scores = left.map { candidate in
            Double(candidate.places.reduce(0) { $0 + worths[$1] }) / candidate.weight
        }
        let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
        for place in left[best].places { worths[place] = worths[place] * percentLeft / 100 }
        return left.remove(at: best).seed
    }
}

let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard numbers.count == 3 else { exit(2) }
let candidates = (numbers[0]..<numbers[0] + numbers[1]).compactMap { Candidate($0) }
print(choose(Int(numbers[2]), of: candidates).map(String.init).joined(separator: ", "))
