import ArgumentParser
import Foundation
import ParleyAPI

/// Ends the process with the report of an error.
enum ProgramEnd {
    /// Ends the process after a command failed.
    static func exit(_ error: any Error) -> Never {
        if isOfTheParser(error) { exitAfterParsing(error) }
        let problem = FailureReport.problem(error)
        FailureReport.report(problem, asJSON: wantsJSON)
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
        let mistake = usageMistake(besides: code)
        let text = ParleyRoot.fullMessage(for: error)
        guard mistake != nil || code == .validationFailure else {
            if !text.isEmpty {
                (code == .success ? Output.standard : .error).line(ProgramName.filled(into: text))
            }
            Foundation.exit(code.rawValue)
        }
        if wantsJSON {
            let message = mistake?.message ?? ParleyRoot.message(for: error)
            let usage = Problem(
                .usage,
                ProgramName.filled(into: message),
                hint: cure(of: error) ?? "See: parley help"
            )
            FailureReport.report(usage, asJSON: true)
        } else {
            let told = mistake.map { sentence(of: $0, insteadOf: text) } ?? text
            Output.error.line(ProgramName.filled(into: told))
            if let cure = cure(of: error) { Output.error.line("hint: \(cure)") }
        }
        Foundation.exit(ExitStatus.usage.rawValue)
    }

    /// A misspelt word that ArgumentParser passed over before it ended with `code`.
    private static func usageMistake(besides code: ExitCode) -> UsageMistake? {
        guard code == .success || code == .validationFailure, let root = CommandTree.root,
            let mistake = UsageMistake(in: Array(CommandLine.arguments.dropFirst()), of: root)
        else { return nil }
        // Requested help is given, whatever else is wrong.
        if code == .success, case .unknownOption = mistake { return nil }
        return mistake
    }

    /// The way to write a value that begins with a hyphen and is taken for an option.
    private static func cure(of error: any Error) -> String? {
        let words = CommandLine.arguments
        let message = ParleyRoot.message(for: error)
        let index = words.indices.dropLast().first { index in
            words[index].hasPrefix("--") && words[index + 1].hasPrefix("-")
                && message.hasPrefix("Missing value for '\(words[index]) ")
        }
        return index.map {
            "A value that begins with - is written \(words[$0])=\(ShellWord.quoted(words[$0 + 1]))"
        }
    }

    /// The error of a misspelt word, with the usage that ends ArgumentParser's text.
    private static func sentence(of mistake: UsageMistake, insteadOf text: String) -> String {
        let own = ParleyRoot.fullMessage(for: ValidationError(mistake.message))
        guard let usage = text.range(of: "\nUsage: ") else { return own }
        return "Error: \(mistake.message)" + text[usage.lowerBound...]
    }

    /// Whether `--json` is among the arguments; errors of parsing are reported as JSON too.
    private static var wantsJSON: Bool {
        CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")
    }
}
