import Foundation
import ParleyAPI

/// Commands that are printed for pasting into a shell.
///
/// They repeat the given `--data`, so that they reach the same node as the printing command.
package enum CommandHint {
    /// Returns a command for the node of `--data`, if given.
    package static func command(_ command: String, data: String?) -> String {
        guard let data, !data.isEmpty else { return command }
        return "\(command) --data \(ShellWord.quoted(data))"
    }

    /// Returns the hint with `--data` for a command to paste, and the service for `parley node`.
    ///
    /// Such a command follows a colon and has no full stop. A command elsewhere in a hint is only
    /// named, or is for another node. All commands in the hints of a node take `--data`.
    package static func hint(
        _ hint: String,
        data: String?,
        service: InstalledService? = nil
    ) -> String {
        if let service, hint.contains(": parley node") {
            return hint.replacing(": parley node", with: ": \(service.command("start"))")
        }
        guard hint.contains(": parley "), !hint.hasSuffix(".") else { return hint }
        return command(hint, data: data)
    }
}

extension Problem {
    /// The problem as a command with the option `data` reports it.
    func ofNode(data: String?) -> Problem {
        var problem = self
        let environment = ProcessInfo.processInfo.environment
        let directory = DataLocation.directory(option: data, environment: environment)
        let service = InstalledService(of: directory)
        problem.hint = CommandHint.hint(hint, data: data, service: service)
        return problem
    }
}
