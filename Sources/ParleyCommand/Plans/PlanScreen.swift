import ParleyCore
import ParleyFaults

/// Prints the progress and the result of a plan.
struct PlanScreen: Sendable {
    let asJSON: Bool

    /// The output for progress, which is for people; with `--json` standard error.
    private var output: Output { asJSON ? .error : .standard }

    func say(_ progress: PlanProgress) {
        output.line(TerminalText.safe(progress.line))
    }

    func say(_ line: String) {
        output.line(TerminalText.safe(line))
    }

    /// Prints the table of expectations with the measured times.
    func show(_ report: PlanReport) {
        if report.rows.isEmpty {
            Output.error.line("warning: the plan expects nothing: add expect or run steps")
        }
        guard !asJSON else { return }
        var table = TextTable(["line", "", "expectation", "after", "limit"])
        for row in report.rows {
            var after = "–"
            var mark = output.style(.dim, "not reached")
            switch row.outcome {
            case .met(let time):
                after = time.words
                mark = output.style(.green, "met")
            case .missed: mark = output.style(.red, "missed")
            case .notReached: break
            }
            let words = TerminalText.fitted(TerminalText.safe(row.words), columns: 70)
            table.add(["\(row.line)", mark, words, after, row.limit?.words ?? ""])
        }
        output.line()
        output.table(table)
        output.line()
    }
}
