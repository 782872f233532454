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
        for failure in whole.failures { output.line("  " + Self.words(failure)) }
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
        let nodes = options.nodes.map { " --nodes \($0)" } ?? ""
        output.line("repeat: \(ProgramName.text) simulate --seed \(seed)\(nodes)")
        output.line("full trace: \(ProgramName.text) simulate --seed \(seed)\(nodes) --trace -")
    }

    private func writeTrace(_ scenario: Scenario, _ output: Output) {
        var writing = options
        writing.writesTrace = true
        let simulation = Simulation(scenario, options: writing)
        _ = simulation.run()
        let lines = simulation.world.trace.lines
        if lines.count > Self.linesMax {
            output.line("  (\(lines.count - Self.linesMax) lines before)")
        }
        for line in lines.suffix(Self.linesMax) { output.line("  " + line) }
    }

    /// A broken promise in one line: time, nodes, promise.
    static func words(_ failure: Failure) -> String {
        let who = failure.nodes.isEmpty ? "" : " \(failure.nodes.joined(separator: ", ")):"
        return "\(failure.time.milliseconds) ms,\(who) \(failure.promise): \(failure.what)"
    }
}
