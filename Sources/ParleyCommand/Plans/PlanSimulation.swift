import ArgumentParser
import Foundation
import ParleyAPI
import ParleyCore
package import ParleyFaults

/// `parley simulate --plan FILE`.
struct PlanSimulation {
    let path: String
    let plan: Plan
    let files: PlanFiles
    let asJSON: Bool

    /// Reads the plan.
    ///
    /// - Throws: a `Problem` if the file is not a plan for the simulator.
    init(_ path: String, files: PlanFiles, asJSON: Bool) throws {
        self.path = path
        plan = try PlanFile.read(path)
        self.files = files
        self.asJSON = asJSON
        try PlanFile.check(plan, in: path, for: .simulator)
        try files.check()
    }

    /// Runs the plan with one seed, and prints what happened.
    ///
    /// - Throws: a `Problem` if the plan fails.
    func run(seed: UInt64, tracingTo trace: String?) throws {
        let start = ContinuousClock.now
        let result = SimulatedPlan.run(plan, seed: seed, writesTrace: trace != nil)
        let taken = ContinuousClock.now - start
        let screen = PlanScreen(asJSON: asJSON)
        if let trace {
            let text = result.trace.map { $0 + "\n" }.joined()
            try OutputFile(trace, option: "--trace").write(Data(text.utf8))
        }
        try files.write([JUnitDocument.Run(result)], of: path)
        for progress in result.progress where !asJSON { screen.say(progress) }
        screen.show(result.report)
        Output.error.line(
            "\(result.time.words) of virtual time in \(Int(taken / .milliseconds(1))) ms"
        )
        if asJSON {
            try Output.standard.document(PlanResultDocument(result))
        } else {
            Output.standard.line("seed \(result.seed), trace hash \(result.hash)")
        }
        guard !result.passed else { return }
        writeExcerpt(result, isWritten: trace != nil)
        throw failed(result)
    }

    private func failed(_ result: SimulatedPlan) -> Problem {
        let broken = result.failures.first?.line
        let hint = "Repeat: \(command(result.seed))"
        return result.report.problem(in: path, broken: broken, hint: hint)
    }

    private func command(_ seed: UInt64) -> String {
        "\(ProgramName.text) simulate --plan \(ShellWord.quoted(path)) --seed \(seed)"
    }

    /// Prints why the run failed, and the lines of the trace before.
    private func writeExcerpt(_ result: SimulatedPlan, isWritten: Bool) {
        let output = Output.error
        for reason in result.reasons { output.line(output.style(.red, TerminalText.safe(reason))) }
        let excerpt = result.excerpt
        output.line("before that, about the same hosts:")
        for line in excerpt.lines { output.line("  " + TerminalText.safe(line)) }
        guard excerpt.omitted > 0, !isWritten else { return }
        output.line("(\(excerpt.omitted) lines of the trace are left out: --trace FILE)")
    }

    // MARK: Many seeds

    /// Runs the plan with many seeds, and says how many of them failed in which way.
    ///
    /// - Throws: a `Problem` if one of them failed.
    func run(_ seeds: Range<UInt64>, jobs: Int?, keepingIn folder: String?) async throws {
        var kept = try folder.map(KeptSeeds.init)
        var (runs, kinds): ([JUnitDocument.Run], FailureKinds) = ([], FailureKinds())
        var first: (seed: UInt64, problem: Problem)?
        var failed = 0
        var shown = ContinuousClock.now
        let plan = plan
        let order = OrderedSeeds(
            jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
            batch: 1
        ) { SimulatedPlan.run(plan, seed: $0) }
        let stop = SweepStop()
        var done = 0
        try await stop.during {
            try await order.run(seeds) { seed, result in
                guard stop.signal == nil else { return false }
                done += 1
                if asJSON { try Output.standard.object(PlanResultDocument(result)) }
                if files.junit != nil || runs.isEmpty { runs.append(JUnitDocument.Run(result)) }
                if !result.passed {
                    failed += 1
                    first = first ?? (seed, self.failed(result))
                    for kind in result.kinds { kinds.add(kind, seed: seed) }
                    try kept?.keep(
                        seed: seed,
                        repeating: command(seed),
                        why: result.reasons,
                        trace: { result.trace }
                    )
                }
                if .now - shown > .seconds(2) {
                    shown = .now
                    Output.error.line("\(done) seeds, \(failed) failed")
                }
                return true
            }
        }
        try files.write(runs, of: path)
        let output = asJSON ? Output.error : Output.standard
        output.line("\(done) seeds, \(failed) failed")
        for line in kinds.lines { output.line("  " + TerminalText.safe(line)) }
        if failed > 0, let kept { output.line(kept.words) }
        if let signal = stop.signal {
            Output.error.line(SweepStop.words(done, of: seeds))
            if let first { Output.error.line("repeat: \(command(first.seed))") }
            signal.raise()
        }
        if let first { throw first.problem }
    }
}

extension PlanReport {
    /// The first expectation that was missed, else what is `broken`, in the file of the plan.
    func problem(in path: String, broken: String? = nil, hint: String) -> Problem {
        let early = "The plan has not come to its end."
        let what = missed.map { "\($0.row.words): \($0.why)" } ?? broken ?? early
        return FileProblem.at(path, line: missed?.row.line ?? 0, .planFailed, what, hint: hint)
    }
}

extension JUnitDocument.Run {
    package init(_ result: SimulatedPlan) {
        self.init(
            report: result.report,
            seed: result.seed,
            broken: result.failures.map(\.line)
        )
    }
}

extension SimulatedPlan {
    /// Everything that failed, in full.
    fileprivate var reasons: [String] {
        (report.failure.map { ["MISSED: \($0)"] } ?? []) + failures.map { "BROKEN: \($0.line)" }
    }

    /// Everything that failed, without what differs from seed to seed.
    fileprivate var kinds: [String] {
        let missed = report.missed.map { "line \($0.row.line): \($0.row.words)" }
        return (missed.map { [$0] } ?? []) + failures.map { "\($0.promise)" }
    }
}
