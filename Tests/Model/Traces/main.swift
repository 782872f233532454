import Foundation
import ParleyCore
import ParleyFaults

// Writes runs of the simulator as a module for the model's `Replay`, with one trace for each seed.
//
// usage: traces FIRST COUNT [MUTANT] > Traces.tla

let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard numbers.count == 2 else {
    FileHandle.standardError.write(Data("usage: traces FIRST COUNT [MUTANT]\n".utf8))
    exit(64)
}

/// The scenario of a seed, short, and with nothing in it that the model does not have.
func scenario(seed: UInt64) -> Scenario {
    var options = SimulationOptions()
    options.nodes = seed.isMultiple(of: 2) ? 3 : 2
    options.chaos = .milliseconds(1_500)
    var scenario = Scenario(seed: seed, options: options)
    scenario.settings.limits = Limits()
    scenario.byzantineNodes = []
    scenario.idle = .seconds(0)
    scenario.actions = scenario.actions.filter { scheduled in
        switch scheduled.action {
        case .fault(.lostRow), .fault(.damagedRow), .fault(.restore), .fault(.clone(_, true)):
            false
        case .fault, .join, .introduce: true
        case .send(_, let conversation, _): conversation == 1
        default: false
        }
    }
    return scenario
}

var text = "---- MODULE Traces ----\nEXTENDS Naturals\n"
var names: [String] = []
var sessions = 1
var places = 1
for seed in numbers[0]..<numbers[0] + numbers[1] {
    let writer = TraceWriter()
    var options = SimulationOptions()
    options.mutant = Mutant.all.first { $0.name == CommandLine.arguments.last }
    let simulation = Simulation(scenario(seed: seed), options: options)
    writer.nodes = simulation.scenario.nodes
    simulation.world.watch(with: [writer])
    _ = simulation.run()
    text += "T\(seed) == \(writer.trace(seed: seed))\n"
    names.append("T\(seed)")
    sessions = max(sessions, writer.sessionCount)
    places = max(places, simulation.world.nodes.count)
}
text += "Traces == <<\(names.joined(separator: ", "))>>\n"
text += "TracedSessions == 1..\(sessions)\nTracedPlaces == 1..\(places)\n====\n"
FileHandle.standardOutput.write(Data(text.utf8))
