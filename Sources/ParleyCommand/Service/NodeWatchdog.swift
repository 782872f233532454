import Foundation
package import ParleyNode
import ServiceLifecycle

/// Tells the service manager that the node's own loop runs, and the node's state.
///
/// A manager without a notice for `WATCHDOG_USEC` restarts the process.
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

    /// The time between two notices: half of the manager's limit, or ten seconds.
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
            // The words come from the node's loop, so a loop that stands still sends no notice.
            if let words = await node.statusWords { send("WATCHDOG=1\nSTATUS=\(words)") }
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }
}
