import Foundation
package import ParleyNode
import ServiceLifecycle

/// Tells the service manager that the node's own loop runs, and how the node is.
///
/// A manager that hears nothing for `WATCHDOG_USEC` ends the process and starts it again.
package struct NodeWatchdog: Service {
    private let node: Node
    private let pause: Duration
    private let send: @Sendable (String) -> Void

    /// Nil if no service manager listens; `send` sends a notice.
    package init?(
        node: Node,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        send: @escaping @Sendable (String) -> Void = { ServiceNotice.send($0) }
    ) {
        guard environment["NOTIFY_SOCKET"] != nil else { return nil }
        self.node = node
        self.send = send
        pause = Self.pause(environment)
    }

    /// The time between two notices: half of what the manager waits, or ten seconds.
    private static func pause(_ environment: [String: String]) -> Duration {
        let usual = Duration.seconds(10)
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
            microseconds > 0,
            environment["WATCHDOG_PID"].map({ $0 == "\(getpid())" }) ?? true
        else { return usual }
        return min(usual, .microseconds(max(1_000, microseconds / 2)))
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await watch() }
    }

    private func watch() async {
        while !Task.isCancelled {
            // The answer comes from the node's loop: if that stands still, nothing is told.
            if let words = await node.statusWords { send("WATCHDOG=1\nSTATUS=\(words)") }
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }
}
