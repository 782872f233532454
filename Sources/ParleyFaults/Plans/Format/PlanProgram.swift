package import ParleyCore

/// A program of any kind that runs on a host of a plan, beside its node or instead of one.
package struct PlanProgram: Sendable, Equatable {
    /// The sign that the program can be used.
    package enum Readiness: Sendable, Equatable {
        /// It listens on a port of TCP, at the host's address or at 127.0.0.1.
        case port(Int)
        /// It answers a request for a path with a status below 400.
        case http(port: Int, path: String)
        /// Its output contains this text.
        case log(String)
    }

    package var name: String
    /// A line for `bash`.
    package var command: String
    /// Nil if the program counts as ready once it is started.
    package var readiness: Readiness?
}

/// A command on a host, with what it must do.
package struct PlanCommand: Sendable, Equatable {
    package var host: HostID
    /// A line for `bash`.
    package var command: String
    package var exitCode: Int32
    /// A text that its output must contain.
    package var prints: String?
    /// The time in which the program is run again until all that is so; nil for one run.
    package var limit: Interval?

    package init(
        host: HostID,
        command: String,
        exitCode: Int32,
        prints: String?,
        limit: Interval?
    ) {
        self.host = host
        self.command = command
        self.exitCode = exitCode
        self.prints = prints
        self.limit = limit
    }

    /// Why the outcome of a run is not what is expected; nil if it is.
    package func deviation(exitCode code: Int32, output: String) -> String? {
        let last = output.split(separator: "\n").last.map { "“\($0.prefix(80))”" } ?? "nothing"
        if code != exitCode { return "ends with \(code), not \(exitCode), and prints \(last)" }
        guard let prints, !output.contains(prints) else { return nil }
        return "prints \(last), not “\(prints)”"
    }
}
