import Foundation
import ParleyAPI

extension FailureReport {
    /// Writes the problem on standard error: a sentence and a hint, or a JSON object.
    static func report(_ problem: Problem, asJSON: Bool) {
        var problem = problem
        problem.hint = ProgramName.filled(into: problem.hint)
        if asJSON {
            // Encoding text never fails; if it did, the exit code would still report the problem.
            guard let data = try? JSON.encode(problem) else { return }
            Output.error.bytes(data + [0x0A])
        } else {
            let text =
                Output.error.style(.red, "error:") + " "
                + TerminalText.safe(FileProblem.sentence(problem))
            Output.error.line(text)
            if !problem.hint.isEmpty {
                Output.error.line(
                    Output.error.style(.dim, "hint:") + " " + TerminalText.safe(problem.hint)
                )
            }
        }
    }
}
