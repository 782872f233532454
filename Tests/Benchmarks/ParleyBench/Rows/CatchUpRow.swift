import Glibc
import ParleyCore

/// The time that a node with an empty store needs to show the 10,000 sessions of another node, both
/// with SQLite.
struct CatchUpRow: Row {
    let name = "catch-up-10000"
    let targets = [Target("s", .atMost(3))]

    private static let sessions = 10_000

    func measure(_ bench: Bench) async throws -> [Figure] {
        let (child, address) = try bench.startNode(keepsInMemory: false)
        defer { child.end() }
        let driver = try Driver(bench.author, to: address)
        let traffic = bench.traffic(
            Traffic.Shape(sessions: Self.sessions, count: Self.sessions, size: 300)
        )
        try await driver.connect(.author)
        await driver.send(traffic, 0..<Self.sessions, window: .unstored(1_024))
        try await driver.wait(for: "the sessions to be stored", seconds: 60) { driver in
            driver.peers[0].storedPosition >= UInt64(Self.sessions)
        }
        await driver.stop()
        let meter = try child.meter()
        let used = meter.processorSeconds
        let (newcomer, _) = try bench.startNode(
            keepsInMemory: false,
            role: .reader,
            peer: address
        )
        defer { newcomer.end() }
        let other = try newcomer.meter()
        let begin = (ProcessMeter.now, other.processorSeconds)
        try poll(newcomer, until: Self.sessions, deadline: begin.0 + 60)
        return [
            Figure("s", ProcessMeter.now - begin.0),
            Figure(
                "sender's µs/session",
                (meter.processorSeconds - used) / Double(Self.sessions) * 1e6
            ),
            Figure(
                "receiver's µs/session",
                (other.processorSeconds - begin.1) / Double(Self.sessions) * 1e6
            ),
        ]
    }

    private func poll(_ child: ChildProcess, until count: Int, deadline: Double) throws {
        while true {
            let answer = Int(try child.ask("shown")) ?? 0
            if answer == count { return }
            guard answer < count else { throw BenchError.wrongCount("\(answer) shown") }
            guard ProcessMeter.now < deadline else {
                throw BenchError.timeout("\(answer) of \(count) shown")
            }
            usleep(5_000)
        }
    }
}
