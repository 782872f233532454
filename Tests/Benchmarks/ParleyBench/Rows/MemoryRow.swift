import ParleyCore

/// The resident memory of a node: without links, with idle links, and with sessions too.
struct MemoryRow: Row {
    let name = "memory"
    let targets = [
        Target("kB/idle link", .atMost(60)),
        Target("MB 64 links, 10,000 sessions", .atMost(60)),
    ]

    private static let links = 64
    private static let sessions = 10_000

    func measure(_ bench: Bench) async throws -> [Figure] {
        let (idle, address) = try bench.startNode(keepsInMemory: false)
        defer { idle.end() }
        let meter = try idle.meter()
        let alone = meter.residentKilobytes
        let driver = try Driver(bench.author, to: address)
        // The first link also allocates the buffers that all links share.
        try await driver.connect(.reader)
        let first = meter.residentKilobytes
        try await driver.connect(.reader, count: Self.links - 1)
        let linked = meter.residentKilobytes
        await driver.stop()

        let (busy, busyAddress) = try bench.startNode(keepsInMemory: false)
        defer { busy.end() }
        let busyMeter = try busy.meter()
        let other = try Driver(bench.author, to: busyAddress)
        let traffic = bench.traffic(
            Traffic.Shape(sessions: Self.sessions, count: Self.sessions, size: 300)
        )
        try await other.connect(.author)
        await other.send(traffic, 0..<Self.sessions, window: .unstored(1_024))
        try await other.wait(for: "the sessions to be stored", seconds: 60) { driver in
            driver.peers[0].storedPosition >= UInt64(Self.sessions)
        }
        let stored = busyMeter.residentKilobytes
        // Each of these readers receives all sessions, as after its first join.
        try await other.connect(.reader, count: Self.links - 1)
        try await other.wait(for: "all sessions at all readers", seconds: 120) { driver in
            driver.delivered >= Self.sessions
        }
        let full = busyMeter.residentKilobytes
        await other.stop()
        return [
            Figure("MB alone", alone / 1_024),
            Figure("MB 64 links", linked / 1_024),
            Figure("kB/idle link", (linked - first) / Double(Self.links - 1)),
            Figure("MB 10,000 sessions", stored / 1_024),
            Figure("MB 64 links, 10,000 sessions", full / 1_024),
        ]
    }
}
