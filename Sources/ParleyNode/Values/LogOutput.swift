import Dispatch
package import Logging

/// Where the lines of a node's log go, and the clock by which they are limited; tests have their
/// own.
package struct LogOutput: Sendable {
    /// Makes the logger when the node starts, as a program may choose where logs go until then.
    package var logger: @Sendable () -> Logger = { Logger(label: "parley.node") }
    /// The seconds since some moment.
    package var seconds: @Sendable () -> UInt64 = {
        DispatchTime.now().uptimeNanoseconds / 1_000_000_000
    }

    package init() {}
}
