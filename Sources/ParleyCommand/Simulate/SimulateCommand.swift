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
            The nodes run the protocol core of a real node; network, disks, clocks and people \
            follow from the seed. The same seed gives the same run on every machine. If a promise \
            is broken, the command prints the seed and the trace of a shortened run, and ends with \
            1.

              parley simulate --seeds 1000
              parley simulate --seed 17 --trace -
              parley simulate --guided --seeds 100
              parley simulate --soak soak.json
              parley simulate --plan plan.yaml
              parley simulate --plan plan.yaml --seeds 1000 --keep failing --junit report.xml
            """
    )

    @Option(help: "The number of nodes (default: 2 to 16, drawn from the seed).")
    var nodes: Int?
    @Option(help: "The first seed (default: 0, or 1 for a plan).")
    var seed: UInt64?
    @Option(help: "The number of seeds, from the first one.")
    var seeds: UInt64 = 1
    @Flag(help: "Begin with the seeds that together reach most.")
    var guided = false
    @Option(help: "The number of runs at a time (default: the number of processors).")
    var jobs: Int?
    @Option(
        help: ArgumentHelp(
            "Write the trace of one seed to a file; - is standard output.",
            valueName: "file"
        )
    )
    var trace: String?
    @Option(
        help: ArgumentHelp(
            "Run until Ctrl-C, and continue from the state in this file next time.",
            valueName: "file"
        )
    )
    var soak: String?
    @Option(
        help: ArgumentHelp(
            "Run a plan, a YAML file, instead of a scenario drawn from a seed.",
            valueName: "file"
        )
    )
    var plan: String?
    @Option(
        help: ArgumentHelp(
            "Write a file for each failing seed, with its trace, to this folder (100 at most).",
            valueName: "folder"
        )
    )
    var keep: String?
    @OptionGroup var files: PlanFiles
    @Flag(help: "Print JSON for programs: one object on a line for each seed, in order.")
    var json = false

    func validate() throws {
        if let nodes, !(2...24).contains(nodes) {
            throw ValidationError("--nodes must be 2 to 24.")
        }
        if let jobs, !(1...1_024).contains(jobs) {
            throw ValidationError("--jobs must be 1 to 1024.")
        }
        if seeds == 0 { throw ValidationError("--seeds must be at least 1.") }
        if first.addingReportingOverflow(seeds).overflow {
            throw ValidationError("The last seed would be above 18446744073709551614.")
        }
        if trace != nil, seeds > 1 || soak != nil {
            throw ValidationError("--trace needs a single seed.")
        }
        if plan != nil, nodes != nil || soak != nil {
            throw ValidationError("--plan cannot be combined with --nodes and --soak.")
        }
        if plan == nil, files.junit != nil || files.timeline != nil {
            throw ValidationError("--junit and --timeline need --plan.")
        }
        if guided, seed != nil || nodes != nil || trace != nil || soak != nil || plan != nil {
            throw ValidationError(
                "--guided chooses the seeds, so not with --seed, --nodes, --trace, --soak, --plan."
            )
        }
        if files.timeline != nil, seeds > 1 {
            throw ValidationError("--timeline needs a single seed.")
        }
        if keep != nil, seeds == 1 || soak != nil {
            throw ValidationError("--keep needs --seeds.")
        }
        if trace == "-", json {
            throw ValidationError("--trace - and --json cannot both use standard output.")
        }
    }

    private var first: UInt64 { seed ?? 0 }

    func run() async throws {
        if let plan { return try await run(plan) }
        var options = SimulationOptions()
        options.nodes = nodes
        if let trace { return try runOne(options, tracingTo: trace) }
        if let soak {
            var soaking = try SoakRun(file: URL(filePath: soak), options: options, jobs: jobs)
            try await soaking.run(asJSON: json)
            return
        }
        var sweep = SeedSweep(options: options, jobs: jobs)
        sweep.isGuided = guided
        var broken: UInt64?
        var kinds = FailureKinds()
        var kept = try keep.map(KeptSeeds.init)
        let stop = SweepStop()
        try await stop.during {
            try await sweep.run(first..<first + seeds) { result in
                guard stop.signal == nil else { return false }
                if json { try Output.standard.object(SimulationDocument(result)) }
                guard !result.isGood else { return true }
                broken = broken ?? result.seed
                for failure in result.failures {
                    kinds.add("\(failure.promise)", seed: result.seed)
                }
                let run = BrokenRun(seed: result.seed, options: options)
                try kept?.keep(
                    seed: result.seed,
                    repeating: run.command,
                    why: result.failures.map(BrokenRun.words),
                    trace: { run.trace }
                )
                return true
            }
        }
        sweep.progress.finish()
        if seeds > 1 { for line in kinds.lines { Output.error.line(line) } }
        if broken != nil, let kept { Output.error.line(kept.words) }
        if let signal = stop.signal {
            let done = sweep.progress.totals.seeds
            Output.error.line(
                guided
                    ? "stopped after \(done) of \(seeds) seeds"
                    : SweepStop.words(done, of: first..<first + seeds)
            )
            if let broken {
                Output.error.line("repeat: \(BrokenRun(seed: broken, options: options).command)")
            }
            signal.raise()
        }
        guard let broken else {
            if !json { Output.standard.line(summary(sweep)) }
            return
        }
        BrokenRun(seed: broken, options: options).report(asJSON: json)
        throw ExitCode(1)
    }

    private func run(_ plan: String) async throws {
        let simulation = try PlanSimulation(plan, files: files, asJSON: json)
        let first = seed ?? 1
        if seeds == 1 { return try simulation.run(seed: first, tracingTo: trace) }
        try await simulation.run(first..<first + seeds, jobs: jobs, keepingIn: keep)
    }

    private func summary(_ sweep: SeedSweep) -> String {
        guard let only = sweep.only else { return "\(seeds) seeds, every promise kept" }
        return "seed \(only.seed): every promise kept, trace hash \(only.hash)"
    }

    private func runOne(_ options: SimulationOptions, tracingTo file: String) throws {
        var writing = options
        writing.writesTrace = true
        let simulation = Simulation(seed: first, options: writing)
        let result = simulation.run()
        let text = simulation.world.trace.lines.map { $0 + "\n" }.joined()
        if file == "-" {
            Output.standard.bytes(Data(text.utf8))
        } else {
            try OutputFile(file, option: "--trace").write(Data(text.utf8))
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
