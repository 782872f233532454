import ArgumentParser
import Foundation
import ParleyAPI
import ParleyFaults

/// `parley simulate`.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run the protocol against every fault in virtual time, from a seed.",
        discussion: """
            The nodes run the code of a real node; network, disks, clocks and people are drawn from
            the seed. The same seed gives the same run, on any machine. Ends with 1 if a promise
            was broken: it then prints the seed, a shortened run and what happened in it.

              parley simulate --seeds 1000
              parley simulate --seed 17 --trace -
              parley simulate --soak soak.json
              parley simulate --plan plan.yaml
            """
    )

    @Option(help: "How many nodes; else the seed says (2 to 16).")
    var nodes: Int?
    @Option(help: "The first seed (default 0, of a plan 1).")
    var seed: UInt64?
    @Option(help: "How many seeds, from the first one on.")
    var seeds: UInt64 = 1
    @Option(help: "How many runs at a time; else as many as there are processors.")
    var jobs: Int?
    @Option(
        help: ArgumentHelp(
            "Write what happens in words to a file, or - for standard output; with one seed.",
            valueName: "file"
        )
    )
    var trace: String?
    @Option(
        help: ArgumentHelp(
            "Run until stopped, and go on next time from what this file says.",
            valueName: "file"
        )
    )
    var soak: String?
    @Option(
        help: ArgumentHelp(
            "Run a written plan, a YAML file, instead of what is drawn from a seed.",
            valueName: "file"
        )
    )
    var plan: String?
    @Flag(help: "Print JSON for programs: one object a line for each seed, in their order.")
    var json = false

    func validate() throws {
        if let nodes, !(2...24).contains(nodes) {
            throw ValidationError("--nodes takes 2 to 24.")
        }
        if let jobs, !(1...1_024).contains(jobs) {
            throw ValidationError("--jobs takes 1 to 1024.")
        }
        if seeds == 0 || first.addingReportingOverflow(seeds).overflow {
            throw ValidationError("--seeds takes 1 and more.")
        }
        if trace != nil, seeds > 1 || soak != nil {
            throw ValidationError("--trace goes with one seed.")
        }
        if plan != nil, nodes != nil || seeds > 1 || trace != nil || soak != nil {
            throw ValidationError("--plan goes with --seed and --json only.")
        }
        if trace == "-", json {
            throw ValidationError("--trace - and --json both want standard output.")
        }
    }

    private var first: UInt64 { seed ?? 0 }

    func run() async throws {
        if let plan { return try PlanSimulation.run(plan, seed: seed ?? 1, asJSON: json) }
        var options = SimulationOptions()
        options.nodes = nodes
        if let trace { return try runOne(options, tracingTo: trace) }
        if let soak {
            var soaking = try SoakRun(file: URL(filePath: soak), options: options, jobs: jobs)
            try await soaking.run(asJSON: json)
            return
        }
        var sweep = SeedSweep(options: options, jobs: jobs)
        var broken: UInt64?
        try await sweep.run(first..<first + seeds) { result in
            if json { try Output.standard.object(SimulationDocument(result)) }
            if !result.isGood, broken == nil { broken = result.seed }
            return true
        }
        sweep.progress.finish()
        guard let broken else {
            if !json { Output.standard.line(summary(sweep)) }
            return
        }
        BrokenRun(seed: broken, options: options).tell(asJSON: json)
        throw ExitCode(1)
    }

    private func summary(_ sweep: SeedSweep) -> String {
        guard let only = sweep.only else { return "\(seeds) seeds, every promise kept" }
        return "seed \(only.seed): every promise kept, trace hash \(only.hash)"
    }

    private func runOne(_ options: SimulationOptions, tracingTo file: String) throws {
        var telling = options
        telling.tellsTrace = true
        let simulation = Simulation(seed: first, options: telling)
        let result = simulation.run()
        let text = simulation.world.trace.lines.map { $0 + "\n" }.joined()
        if file == "-" {
            Output.standard.bytes(Data(text.utf8))
        } else {
            do {
                try Data(text.utf8).write(to: URL(filePath: file))
            } catch {
                throw Problem(.cannotWrite, "\(file) cannot be written: \(error)", hint: "")
            }
        }
        if json {
            try Output.standard.object(SimulationDocument(result))
        } else {
            Output.error.line("seed \(first): trace hash \(result.hash)")
        }
        guard !result.isGood else { return }
        for failure in result.failures { Output.error.line(BrokenRun.words(failure)) }
        throw ExitCode(1)
    }
}
