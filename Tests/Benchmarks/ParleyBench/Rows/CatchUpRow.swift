import Glibc
import ParleyCore
import ParleyKeys

/// The time that a newcomer needs to have all sessions of a node with SQLite.
struct CatchUpRow: Row {
    /// The process that has none of the sessions yet.
    enum Newcomer {
        /// A node with SQLite, which has caught up when it shows all sessions.
        case node
        /// The driver, which counts envelopes.
        case reader
    }

    var newcomer = Newcomer.node
    var sessions = 10_000
    /// The processor of a newcomer that is a node.
    var processor = 0

    var name: String { "catch-up-\(sessions)" }
    var targets: [Target] { sessions == 10_000 ? [Target("s", .atMost(3))] : [] }

    /// The most sessions of one author, of whom a node takes at most 65,536.
    private static let countOfOne = 50_000
    /// The figure that is compared with other servers.
    static let duration = "s"

    func measure(_ bench: Bench) async throws -> [Figure] {
        let (child, address) = try bench.startNode(keepsInMemory: false)
        defer { child.end() }
        let count = bench.isQuick ? max(sessions / 4, min(sessions, 10_000)) : sessions
        try await store(count, address, bench)
        let meter = try child.meter()
        let used = meter.processorSeconds
        var figures =
            switch newcomer {
            case .node: try await joinNode(count, address, bench)
            case .reader: try await joinReader(count, address, bench)
            }
        let perSession = (meter.processorSeconds - used) / Double(count)
        figures.insert(Figure("sender's µs/session", perSession * 1e6), at: 1)
        return figures
    }

    /// Has authors send the sessions to the node until all of them are on its disk.
    private func store(_ count: Int, _ address: String, _ bench: Bench) async throws {
        let authors = (count + Self.countOfOne - 1) / Self.countOfOne
        let shape = Traffic.Shape(sessions: count / authors, count: count / authors, size: 300)
        for number in 0..<authors {
            let author =
                number == 0
                ? bench.author : try Author(bench.author.capability, key: DeviceKey.random())
            let traffic = number == 0 ? bench.traffic(shape) : Traffic(shape, by: [[author]])
            let driver = try Driver(author, to: address)
            try await driver.connect(.author)
            await driver.send(traffic, 0..<shape.count, window: .unstored(1_024))
            try await driver.wait(for: "the sessions to be stored", seconds: 60) { driver in
                driver.peers[0].storedPosition >= UInt64(shape.count)
            }
            await driver.stop()
        }
    }

    private func joinNode(
        _ count: Int,
        _ address: String,
        _ bench: Bench
    ) async throws -> [Figure] {
        let (newcomer, _) = try bench.startNode(
            keepsInMemory: false,
            role: .reader,
            processor: processor,
            peers: [address]
        )
        defer { newcomer.end() }
        let meter = try newcomer.meter()
        let begin = (ProcessMeter.now, meter.processorSeconds)
        try poll(newcomer, until: count, deadline: begin.0 + 60)
        let took = ProcessMeter.now - begin.0
        let perSession = (meter.processorSeconds - begin.1) / Double(count)
        return [Figure(Self.duration, took), Figure("receiver's µs/session", perSession * 1e6)]
    }

    private func joinReader(
        _ count: Int,
        _ address: String,
        _ bench: Bench
    ) async throws -> [Figure] {
        let driver = try Driver(bench.author, to: address)
        let begin = ProcessMeter.now
        try await driver.connect(.reader)
        try await driver.wait(for: "\(count) sessions", seconds: 60) { driver in
            driver.firstEnvelopes >= count
        }
        let took = ProcessMeter.now - begin
        let envelopes = await driver.firstEnvelopes
        await driver.stop()
        guard envelopes == count else {
            throw BenchError.wrongCount("\(name): \(envelopes) of \(count)")
        }
        return [Figure(Self.duration, took)]
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

extension Driver {
    /// The number of envelopes that the first peer has.
    fileprivate var firstEnvelopes: Int { peers[0].envelopes }
}
