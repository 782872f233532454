import ParleyCore

/// The rate at which a node confirms envelopes of one link, signed beforehand, to be on disk.
struct StoredRow: Row {
    /// The number of envelopes that are sent and not confirmed.
    let inFlight: Int
    /// Whether the calls that sync files are counted, which takes much longer.
    var countsSyncs = false

    var name: String { "stored-\(inFlight)-in-flight" }

    /// The figures that are compared with other servers.
    static let rate = "stored/s"
    static let syncs = "syncs/stored"

    var targets: [Target] {
        inFlight == 64 ? [Target(Self.rate, .atLeast(20_000))] : []
    }

    func measure(_ bench: Bench) async throws -> [Figure] {
        let count = (inFlight == 1 ? 1_024 : 32_768) / (bench.isQuick ? 4 : 1)
        let traffic = bench.traffic(Traffic.Shape(sessions: count, count: count, size: 300))
        let (child, address) = try bench.startNode(keepsInMemory: false)
        defer { child.end() }
        let driver = try Driver(bench.author, to: address)
        try await driver.connect(.author)
        let trace =
            countsSyncs ? try SyncTrace(of: child.identifier, file: bench.newDirectory()) : nil
        let warm = count / 8
        await driver.send(traffic, 0..<warm, window: .unstored(inFlight))
        try await wait(driver, warm)
        let meter = try child.meter()
        let begin = (ProcessMeter.now, meter.processorSeconds)
        await driver.send(traffic, warm..<count, window: .unstored(inFlight))
        try await wait(driver, count)
        let took = ProcessMeter.now - begin.0
        let used = meter.processorSeconds - begin.1
        await driver.stop()
        return [
            Figure(Self.rate, Double(count - warm) / took),
            Figure("µs/stored", used / Double(count - warm) * 1e6),
        ] + (try trace.map { [Figure(Self.syncs, Double(try $0.end()) / Double(count))] } ?? [])
    }

    private func wait(_ driver: Driver, _ count: Int) async throws {
        try await driver.wait(for: "\(count) confirmations", seconds: 60) { driver in
            driver.peers[0].storedPosition >= UInt64(count)
        }
    }
}

/// The rate of `Node.send` in the node's own process: sealing, signing and the disk.
struct LocalRow: Row {
    /// The number of callers, each of which waits until its message is stored.
    let inFlight: Int

    var name: String { "local-\(inFlight)-in-flight" }

    func measure(_ bench: Bench) async throws -> [Figure] {
        let count = (inFlight == 1 ? 1_000 : 20_000) / (bench.isQuick ? 4 : 1)
        let child = try ChildProcess(
            ["local", bench.newDirectory(), "\(inFlight)", "\(count)", "300"]
        )
        defer { child.end() }
        let numbers = try child.line().split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 2 else { throw BenchError.unexpected("no figures") }
        return [Figure("stored/s", numbers[0]), Figure("µs/stored", numbers[1])]
    }
}
