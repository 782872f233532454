import ArgumentParser
import Foundation
import ParleyAPI
import ParleyCore
import ParleyFaults

/// `parley simulate --plan FILE`.
enum PlanSimulation {
    /// How many lines of a trace, the last ones, are printed when a plan fails.
    private static let traceLines = 4_000

    /// Runs a plan with a seed and prints the result.
    ///
    /// - Throws: a `Problem` if the file is not a plan; the exit code 1 if the plan fails.
    static func run(_ path: String, seed: UInt64, asJSON: Bool) throws {
        let plan = try PlanFile.read(path)
        try PlanFile.check(plan, for: .simulator)
        let start = ContinuousClock.now
        let result = SimulatedPlan.run(plan, seed: seed)
        let taken = ContinuousClock.now - start
        let screen = PlanScreen(asJSON: asJSON)
        if !result.passed { writeTrace(result, screen) }
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
        for failure in result.failures { Output.error.line("BROKEN: \(failure.line)") }
        let what = result.report.failure ?? result.failures.first?.line ?? ""
        let word = ShellWord.quoted(path)
        throw Problem(
            .planFailed,
            "\(plan.title): \(what)",
            hint: "Repeat: parley simulate --plan \(word) --seed \(seed)"
        )
    }

    private static func writeTrace(_ result: SimulatedPlan, _ screen: PlanScreen) {
        let left = result.trace.count - traceLines
        if left > 0 { Output.error.line("… \(left) lines before") }
        for line in result.trace.suffix(traceLines) { Output.error.line(TerminalText.safe(line)) }
    }
}
