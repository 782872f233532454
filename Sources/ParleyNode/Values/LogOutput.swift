import Dispatch
package import Logging

/// A part of a node with lines of its own in the log; the name ends the label of the lines.
package enum LogPart: String, CaseIterable, Sendable {
    case node, links, store, discovery
}

/// The target of a node's log lines, and the clock by which they are limited; tests replace both.
package struct LogOutput: Sendable {
    /// Makes the logger of a part when the node starts, as a program may choose where logs go until
    /// then.
    package var logger: @Sendable (LogPart) -> Logger = { Logger(label: "parley.\($0)") }
    /// The seconds since some moment.
    package var seconds: @Sendable () -> UInt64 = {
        DispatchTime.now().uptimeNanoseconds / 1_000_000_000
    }

    package init() {}
}
