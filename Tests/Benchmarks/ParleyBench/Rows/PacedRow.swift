import ParleyCore

/// The processor time of the process in the middle per envelope, at a rate at which every envelope
/// comes alone.
struct PacedRow: Row {
    let middle: RelayRow.Middle
    /// Envelopes per second.
    let rate: Int

    var name: String { "paced-\(rate)/s\(middle == .floor ? "-floor" : "")" }

    func measure(_ bench: Bench) async throws -> [Figure] {
        let count = rate * (bench.isQuick ? 1 : 2)
        let traffic = bench.traffic(Traffic.Shape(sessions: count, count: count, size: 300))
        let (child, address) = try middle.start(bench)
        defer { child.end() }
        let driver = try Driver(bench.author, to: address)
        try await driver.connect(middle == .floor ? .bare : .author)
        try await driver.connect(middle == .floor ? .bare : .reader)
        let meter = try child.meter()
        let used = meter.processorSeconds
        await driver.send(traffic, 0..<count, window: .paced(perSecond: Double(rate)))
        try await driver.wait(for: "\(count) deliveries", seconds: 30) { driver in
            driver.delivered >= count
        }
        let perDelivery = (meter.processorSeconds - used) / Double(count)
        let counts = await driver.counts()
        await driver.stop()
        guard counts.allSatisfy({ $0.envelopes == count }) else {
            throw BenchError.wrongCount(name)
        }
        return [Figure(RelayRow.cost, perDelivery * 1e6)]
    }
}
