import Dispatch
package import Logging

/// A part of a node with lines of its own in the log; its name is the end of their label.
package enum LogPart: String, CaseIterable, Sendable {
    case node, links, store, discovery
}

/// Where the lines of a node's log go, and the clock by which they are limited; tests have their
/// own.
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
