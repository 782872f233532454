import ParleyFaults

/// Prints a run that broke a promise, shortened to the necessary actions.
struct BrokenRun {
    private let seed: UInt64
    private let options: SimulationOptions

    /// How many lines of the trace, the last ones, are printed.
    private static let linesMax = 200

    init(seed: UInt64, options: SimulationOptions) {
        self.seed = seed
        self.options = options
    }

    /// Prints the broken promises and the shortened run with its trace; with JSON on standard
    /// error.
    func report(asJSON: Bool) {
        let output = asJSON ? Output.error : Output.standard
        let scenario = Scenario(seed: seed, options: options)
        let whole = Simulation(scenario, options: options).run()
        output.line(output.style(.red, "seed \(seed) breaks a promise"))
        for line in Self.kinds(whole.failures) { output.line("  " + line) }
        guard var shortening = Shortening(scenario, whole, options: options) else { return }
        shortening.run()
        output.line()
        output.line(
            "shortened from \(scenario.actions.count) to "
                + "\(shortening.scenario.actions.count) actions in \(shortening.runs) runs:"
        )
        for line in shortening.scenario.story { output.line("  " + line) }
        output.line()
        output.line("trace of the shortened run:")
        writeTrace(shortening.scenario, output)
        output.line()
        output.line("repeat: \(command)")
        output.line("full trace: \(command) --trace -")
    }

    /// The command that repeats the run.
    var command: String {
        let nodes = options.nodes.map { " --nodes \($0)" } ?? ""
        return "\(ProgramName.text) simulate --seed \(seed)\(nodes)"
    }

    /// The whole trace.
    var trace: [String] { trace(of: Scenario(seed: seed, options: options)) }

    private func trace(of scenario: Scenario) -> [String] {
        var writing = options
        writing.writesTrace = true
        let simulation = Simulation(scenario, options: writing)
        _ = simulation.run()
        return simulation.world.trace.lines
    }

    private func writeTrace(_ scenario: Scenario, _ output: Output) {
        let lines = trace(of: scenario)
        if lines.count > Self.linesMax {
            output.line("  (\(lines.count - Self.linesMax) lines before)")
        }
        for line in lines.suffix(Self.linesMax) { output.line("  " + line) }
    }

    /// A line for each kind of failure: the first one, and how often it came.
    private static func kinds(_ failures: [Failure]) -> [String] {
        var (first, counts): ([Failure], [Int]) = ([], [])
        for failure in failures {
            if let kind = first.firstIndex(where: { $0.promise == failure.promise }) {
                counts[kind] += 1
            } else {
                first.append(failure)
                counts.append(1)
            }
        }
        return zip(first, counts).map { failure, count in
            words(failure) + (count > 1 ? " (\(count) times)" : "")
        }
    }

    /// A broken promise in one line: time, nodes, promise.
    static func words(_ failure: Failure) -> String {
        let who = failure.nodes.isEmpty ? "" : " \(failure.nodes.joined(separator: ", ")):"
        return "\(failure.time.milliseconds) ms,\(who) \(failure.promise): \(failure.what)"
    }
}
