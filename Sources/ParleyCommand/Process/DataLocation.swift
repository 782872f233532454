package import Foundation

/// Finds the data directory of a node.
package enum DataLocation {
    /// The origin of a data directory's path.
    package enum Origin: Sendable, Equatable {
        /// The option `--data`.
        case option
        /// The environment variable `PARLEY_DATA`.
        case variable
        /// Neither: the usual directory.
        case standard
    }

    /// Returns the origin of the directory that `directory(option:environment:)` returns.
    package static func origin(option: String?, environment: [String: String]) -> Origin {
        if let option, !option.isEmpty { return .option }
        if let value = environment["PARLEY_DATA"], !value.isEmpty { return .variable }
        return .standard
    }

    /// The directory of the option, else that of `PARLEY_DATA`, else `parley` in `XDG_STATE_HOME`,
    /// else `parley` in `~/.local/state`.
    ///
    /// Empty values and a relative `XDG_STATE_HOME` are ignored.
    package static func directory(option: String?, environment: [String: String]) -> URL {
        if let option, !option.isEmpty { return url(option) }
        if let value = environment["PARLEY_DATA"], !value.isEmpty { return url(value) }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return url(state).appending(path: "parley")
        }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        return url(home).appending(path: ".local/state/parley")
    }

    private static func url(_ path: String) -> URL {
        URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
    }
}
