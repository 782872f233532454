import ArgumentParser
import Foundation
import ParleyAPI

/// The options of every command.
struct ProgramOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The node's data directory (or PARLEY_DATA; default $XDG_STATE_HOME/parley).",
            valueName: "dir"
        )
    )
    var data: String?

    @Flag(help: "Print JSON for programs: one document, or one object per line for streams.")
    var json = false

    func validate() throws {
        guard data != "" else { throw ValidationError("--data takes a directory, and got none.") }
    }

    /// The data directory that the option or the environment selects.
    var dataDirectory: URL {
        DataLocation.directory(option: data, environment: ProcessInfo.processInfo.environment)
    }

    /// Whether the option, the environment or neither names the data directory.
    var dataOrigin: DataLocation.Origin {
        DataLocation.origin(option: data, environment: ProcessInfo.processInfo.environment)
    }

    /// A command of this program for the same node, to be pasted into a shell.
    func command(_ words: String) -> String {
        CommandHint.command("\(ProgramName.text) \(words)", data: data)
    }

    /// The command that starts the node, to be pasted into a shell.
    var start: String {
        InstalledService(of: dataDirectory)?.command("start") ?? command("node")
    }
}

/// The options of every command that sends requests to a running node.
struct CommonOptions: ParsableArguments {
    @OptionGroup var program: ProgramOptions

    @Option(
        help: ArgumentHelp(
            """
            How long to wait for the node, in seconds (default \(Int(Patience.usual))); the exit \
            code is then \(ExitStatus.noAnswer.rawValue).
            """,
            valueName: "s"
        )
    )
    var timeout: Double?

    func validate() throws {
        guard let timeout else { return }
        guard timeout > 0, timeout <= SendDocument.timeoutMax else {
            throw ValidationError(
                "--timeout must be above 0 and at most \(Int(SendDocument.timeoutMax)) seconds."
            )
        }
    }

    var json: Bool { program.json }
    var data: String? { program.data }
    var dataDirectory: URL { program.dataDirectory }

    /// A command of this program for the same node, to be pasted into a shell.
    func command(_ words: String) -> String { program.command(words) }

    /// The longest silence of the node, in seconds.
    var seconds: Double { timeout ?? Patience.usual }
}
