import ParleyCore
import ParleyFaults

/// The document that `lab run --json` and `simulate --plan --json` print.
struct PlanResultDocument: Codable, Hashable, Sendable {
    /// One expectation, or a step that failed.
    struct Row: Codable, Hashable, Sendable {
        var line: Int
        var expectation: String
        /// `met`, `missed` or `notReached`.
        var outcome: String
        /// Milliseconds until the expectation was met.
        var afterMs: Double?
        var limitMs: Int64?
        /// Why the expectation was missed.
        var reason: String?

        init(_ row: PlanReport.Row) {
            line = row.line
            expectation = row.words
            limitMs = row.limit?.milliseconds
            switch row.outcome {
            case .met(let time):
                outcome = "met"
                afterMs = Double(time.nanoseconds / 10_000) / 100
            case .missed(let what):
                outcome = "missed"
                reason = what
            case .notReached: outcome = "notReached"
            }
        }
    }

    /// A step that has ended.
    struct Step: Codable, Hashable, Sendable {
        var line: Int
        var step: String
        /// Milliseconds since the first step.
        var fromMs: Double
        var toMs: Double

        init(_ step: PlanReport.Step) {
            line = step.line
            self.step = step.words
            fromMs = Double(step.start.nanoseconds / 10_000) / 100
            toMs = Double(step.end.nanoseconds / 10_000) / 100
        }
    }

    var plan: String
    var world: String
    var passed: Bool
    var seed: String?
    var hash: String?
    var virtualMs: Int64?
    var expectations: [Row]
    var steps: [Step]
    /// Broken promises that the checkers of the simulator reported.
    var failures: [String]?

    /// The result of a run on the lab.
    init(_ report: PlanReport) {
        plan = report.title
        world = PlanWorld.lab.rawValue
        passed = report.passed
        expectations = report.rows.map(Row.init)
        steps = report.steps.map(Step.init)
    }

    /// The result of a run in the simulator.
    init(_ result: SimulatedPlan) {
        self.init(result.report)
        world = PlanWorld.simulator.rawValue
        passed = result.passed
        seed = "\(result.seed)"
        hash = "\(result.hash)"
        virtualMs = result.time.milliseconds
        failures = result.failures.map(\.line)
    }
}

extension Failure {
    /// The failure as one line for people.
    var line: String { "\(promise) at \(time.milliseconds) ms: \(what)" }
}
