import ArgumentParser
import Foundation

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The node's data directory (or PARLEY_DATA; default $XDG_STATE_HOME/parley).",
            valueName: "dir"
        )
    )
    var data: String?

    @Flag(help: "Print JSON for programs: one document, or one object per line for streams.")
    var json = false

    /// The data directory that the option or the environment selects.
    var dataDirectory: URL {
        DataLocation.directory(option: data, environment: ProcessInfo.processInfo.environment)
    }
}
