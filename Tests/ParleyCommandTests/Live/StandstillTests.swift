import Dispatch
import Foundation
import FoundationNetworking
import Logging
import ParleyCommand
import ParleyNode
import ParleyWeb
import Synchronization
import TestSupport
import Testing

/// A node whose own queue stands still is not called alive.
@Suite(.timeLimit(.minutes(5)))
struct StandstillTests {
    private let files: TestDirectory

    init() throws { files = try TestDirectory() }

    @Test func neitherTheWatchdogNorHealthHearsOfANodeThatStandsStill() async throws {
        let port = try ReservedPort()
        defer { withExtendedLifetime(port) {} }
        let address = PageAddress(host: "127.0.0.1", port: port.number)
        var settings = NodeSettings(dataDirectory: URL(filePath: files.path("node")))
        settings.listen = ["127.0.0.1:0"]
        settings.usesDiscovery = false
        let node = Node(settings)
        _ = try await node.start()
        let told = Mutex(0)
        let environment = ["NOTIFY_SOCKET": "@nobody", "WATCHDOG_USEC": "2000"]
        let watchdog = try #require(
            NodeWatchdog(node: node, environment: environment) { notice in
                if notice.hasPrefix("WATCHDOG=1\n") { told.withLock { $0 += 1 } }
            }
        )
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let services = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watchdog.run() }
                group.addTask {
                    try await MetricsServer(node: node, address: address, logger: quiet).run()
                }
                try await group.waitForAll()
            }
        }
        let health = try #require(URL(string: "http://\(address)/healthz"))
        let status = { @Sendable in
            let (_, response) = try await URLSession.shared.data(from: health)
            return (response as? HTTPURLResponse)?.statusCode
        }
        try await eventually("health") { (try? await status()) == 200 }
        try await eventually("a notice") { told.withLock { $0 } > 0 }

        let gate = DispatchSemaphore(value: 0)
        let standstill = Task { await node.standStill(until: gate) }
        try await eventually("a standstill") { await !node.answers(within: .milliseconds(20)) }
        let before = told.withLock { $0 }
        #expect(try await status() == 503, "after a second, in which 1,000 notices were due")
        #expect(told.withLock { $0 } == before)

        gate.signal()
        await standstill.value
        try await eventually("health again") { try await status() == 200 }
        try await eventually("another notice") { told.withLock { $0 } > before }
        services.cancel()
        _ = await services.result
        await node.stop()
    }
}

extension Node {
    /// Blocks the node's own queue, on which actors run their functions.
    fileprivate func standStill(until gate: DispatchSemaphore) { gate.wait() }
}
