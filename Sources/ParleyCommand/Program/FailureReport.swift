import ArgumentParser
import Foundation
import ParleyAPI

/// Reports the error of a command and ends the process.
enum FailureReport {
    /// The problem that describes an error.
    static func problem(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        default: Problem(.internal, "\(error)", hint: "This is a bug in parley; please report it.")
        }
    }

    /// Ends the process after a command failed.
    static func exit(_ error: any Error) -> Never {
        if isOfTheParser(error) { exitAfterParsing(error) }
        let problem = problem(error)
        report(problem, asJSON: wantsJSON)
        Foundation.exit(problem.exitStatus.rawValue)
    }

    /// Whether the error is a request for help or an error of the arguments.
    private static func isOfTheParser(_ error: any Error) -> Bool {
        if error is ExitCode { return true }
        let code = ParleyRoot.exitCode(for: error)
        return code == .success || code == .validationFailure
    }

    /// Ends the process after a request for help or an error of the arguments.
    static func exitAfterParsing(_ error: any Error) -> Never {
        let code = ParleyRoot.exitCode(for: error)
        guard code == .validationFailure, wantsJSON else {
            let text = ProgramName.filled(into: ParleyRoot.fullMessage(for: error))
            if !text.isEmpty { (code == .success ? Output.standard : .error).line(text) }
            Foundation.exit(code.rawValue)
        }
        let usage = Problem(
            .usage,
            ProgramName.filled(into: ParleyRoot.message(for: error)),
            hint: "See: parley help"
        )
        report(usage, asJSON: true)
        Foundation.exit(ExitStatus.usage.rawValue)
    }

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
                + TerminalText.safe(problem.line.map { "line \($0): " } ?? "")
                + TerminalText.safe(problem.message)
            Output.error.line(text)
            if !problem.hint.isEmpty {
                Output.error.line(
                    Output.error.style(.dim, "hint:") + " " + TerminalText.safe(problem.hint)
                )
            }
        }
    }

    /// Whether `--json` is among the arguments, checked before they are parsed so that their errors
    /// are reported as JSON too.
    private static var wantsJSON: Bool {
        CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")
    }
}
