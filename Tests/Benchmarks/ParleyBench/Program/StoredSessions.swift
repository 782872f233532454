import PageSupport
import ParleyAPI
import ParleyCore
import ParleyKeys

/// A node as people run it that has 100,000 sessions on its disk.
struct StoredSessions {
    private static let count = 100_000
    /// The sessions of one author, of whom a node takes at most 65,536.
    private static let countOfOne = 50_000

    let node: PageNode
    let count: Int
    /// The authors, and the readers with the first of them.
    private var drivers: [Driver] = []

    init(_ bench: Bench, readers: Int = 0) async throws {
        count = bench.isQuick ? Self.count / 10 : Self.count
        node = try await PageNode("alice")
        _ = try await node.run(["join", try bench.invites(.reader)])
        let size = min(count, Self.countOfOne)
        for number in 0..<(count / size) {
            let author = try Author(bench.author.capability, key: .random())
            let shape = Traffic.Shape(sessions: size, count: size, size: 300)
            let driver = try Driver(author, to: node.ready.addresses.first ?? "nowhere")
            try await driver.connect(.author)
            if number == 0 { try await driver.connect(.reader, count: readers) }
            await driver.send(Traffic(shape, by: [[author]]), 0..<size, window: .unstored(1_024))
            try await driver.wait(for: "the sessions to be stored", seconds: 60) { driver in
                driver.peers[0].storedPosition >= UInt64(size)
            }
            drivers.append(driver)
        }
        let all = count
        guard readers > 0, let first = drivers.first else { return }
        try await first.wait(for: "all sessions at all readers", seconds: 60) { driver in
            driver.delivered >= all
        }
    }

    func end() async {
        for driver in drivers { await driver.stop() }
        await node.end()
    }
}

extension ProgramMeasurements {
    static let start = "s"
    static let linked = "MB own 64 links"

    /// The time from the start of the process until it says that it is ready, with all sessions on
    /// its disk.
    static func start(_ bench: Bench) async throws -> [Figure] {
        let sessions = try await StoredSessions(bench)
        var begin = 0.0
        try await sessions.node.restart { begin = ProcessMeter.now }
        let took = ProcessMeter.now - begin
        let meter = try ProcessMeter(sessions.node.processID)
        let used = meter.processorSeconds
        let memory = meter.ownKilobytes / 1_024
        let found = try await status(of: sessions.node).sessions
        await sessions.end()
        guard found == sessions.count else { throw BenchError.wrongCount("\(found) sessions") }
        return [
            Figure(start, took), Figure("s processor", used), Figure(Self.memory, memory),
        ]
    }

    /// The memory of a node with 64 links that has stored all sessions and sent them to 62 readers.
    static func memory(_ bench: Bench) async throws -> [Figure] {
        let sessions = try await StoredSessions(bench, readers: 62)
        let meter = try ProcessMeter(sessions.node.processID)
        // Envelopes that the readers have not taken yet leave memory meanwhile.
        try await Task.sleep(for: .seconds(2))
        let full = meter.ownKilobytes / 1_024
        let resident = meter.residentKilobytes / 1_024
        let links = try await linkCount(of: sessions.node)
        await sessions.end()
        guard links == 64 else { throw BenchError.wrongCount("\(links) links") }
        return [Figure(linked, full), Figure("MB resident", resident)]
    }

    static func linkCount(of node: PageNode) async throws -> Int {
        try await status(of: node).links
    }

    static func status(of node: PageNode) async throws -> NodeStatus {
        try JSON.decode(NodeStatus.self, from: try await node.run("status"))
    }
}
