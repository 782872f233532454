import Foundation
import ParleyFaults

// Looks for the seed at which a checker sees a mutant, and prints a row of the table for each:
// mutant, seed, the promise that is broken. Ends with 1 if a mutant survives.
//
// usage: mutants wrappers [SEED]     every wrapper, from its recorded seed or from SEED on
//        mutants patched NAME SEED   the core that this program was built with, from SEED on
//        mutants made SEEDS          the core with the mutant of the environment, in so many short
//                                    runs; ends with 1 if it is caught
//        mutants control SEED...     no mutant at all: these seeds must be good
//
// With `guided` at the end, `wrappers`, `patched` and `made` take the order of `GuidedSeeds`.

/// So many seeds are tried.
let seedsMax: UInt64 = 200

let arguments = CommandLine.arguments.dropFirst()
let isGuided = arguments.last == "guided"

/// The seed of a run, by its number.
func seed(_ number: UInt64) -> UInt64 { isGuided ? GuidedSeeds.seed(of: number) : number }

/// The first seed from `start` on at which a promise is broken.
func caught(from start: UInt64, _ options: SimulationOptions) -> SimulationResult? {
    let start = isGuided ? 0 : start
    for number in start..<start + seedsMax {
        let result = Simulation(seed: seed(number), options: options).run()
        if !result.isGood { return result }
    }
    return nil
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

func row(_ name: String, _ result: SimulationResult?) -> Bool {
    let name = name.padding(toLength: 28, withPad: " ", startingAt: 0)
    guard let result, let failure = result.failures.first else {
        say("\(name) survives")
        return false
    }
    say("\(name)\(result.seed)\t\(failure.promise)")
    return true
}

func wrappers(from start: UInt64?) -> Bool {
    var isGood = true
    for mutant in Mutant.all {
        var options = SimulationOptions()
        options.mutant = mutant
        isGood = row(mutant.name, caught(from: start ?? mutant.seed, options)) && isGood
    }
    return isGood
}

func made(_ seeds: UInt64) -> Bool {
    var options = SimulationOptions()
    options.isBrief = true
    for number in 0..<seeds {
        let result = Simulation(seed: seed(number), options: options).run()
        guard let failure = result.failures.first else { continue }
        say("\(result.seed)\t\(failure.promise)")
        return false
    }
    return true
}

func control(_ seeds: [UInt64]) -> Bool {
    let failed = seeds.filter { !Simulation(seed: $0).run().isGood }
    if !failed.isEmpty { say("broken without a mutant: \(failed)") }
    return failed.isEmpty
}

let seeds = arguments.compactMap { UInt64($0) }
let isGood =
    switch arguments.first {
    case "wrappers": wrappers(from: seeds.first)
    case "patched":
        row(arguments.dropFirst().first ?? "", caught(from: seeds.first ?? 0, SimulationOptions()))
    case "made": made(seeds.first ?? 0)
    case "control": control(seeds)
    default: false
    }
exit(isGood ? 0 : 1)
