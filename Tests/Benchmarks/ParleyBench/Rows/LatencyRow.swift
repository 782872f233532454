import ParleyCore

/// The one-way time of 1,000 envelopes per second to one reader, from the moment at which the
/// author passes an envelope to its transport.
struct LatencyRow: Row {
    /// Whether each envelope has its own signature, which the node then verifies each time.
    let isSigned: Bool

    var name: String { isSigned ? "latency-1000/s-signed" : "latency-1000/s" }

    func measure(_ bench: Bench) async throws -> [Figure] {
        let count = bench.isQuick ? 1_000 : 4_000
        let traffic = bench.traffic(
            Traffic.Shape(
                sessions: count,
                count: count,
                size: 300,
                batch: isSigned ? 1 : 1 << Limits.proofDepth
            )
        )
        let (child, address) = try bench.startNode(keepsInMemory: true)
        defer { child.end() }
        let driver = try Driver(bench.author, to: address)
        try await driver.connect(.author)
        try await driver.connect(.reader)
        let meter = try child.meter()
        let used = meter.processorSeconds
        await driver.send(traffic, 0..<count, window: .paced(perSecond: 1_000))
        try await driver.wait(for: "\(count) deliveries", seconds: 30) { driver in
            driver.delivered >= count
        }
        let delays = await driver.delays.sorted()
        guard delays.count == count, let worst = delays.last else {
            throw BenchError.wrongCount("\(name): \(delays.count) of \(count)")
        }
        let perDelivery = (meter.processorSeconds - used) / Double(count)
        await driver.stop()
        return [
            Figure("p50 µs", delays[count / 2] * 1e6),
            Figure("p99 µs", delays[count * 99 / 100] * 1e6),
            Figure("max µs", worst * 1e6),
            Figure("µs/delivery", perDelivery * 1e6),
        ]
    }
}
