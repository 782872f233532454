import ParleyCore

/// The times of `Node.send`, one message after the other: until the author's node acknowledges it,
/// and until a reader on a link has it.
struct AuthoredRow: Row {
    let name = "authored-1-in-flight"

    func measure(_ bench: Bench) async throws -> [Figure] {
        let count = bench.isQuick ? 250 : 1_000
        let (child, address) = try bench.startNode(keepsInMemory: false, role: .writer)
        defer { child.end() }
        let driver = try Driver(bench.author, to: address)
        try await driver.connect(.reader)
        await driver.noteArrivals()
        let times = try child.ask("send \(count)").split(separator: " ").compactMap { Double($0) }
        try await driver.wait(for: "\(count) arrivals", seconds: 30) { driver in
            driver.peers[0].envelopes >= count
        }
        let arrivals = await driver.arrivals ?? []
        await driver.stop()
        guard times.count == 2 * count, arrivals.count == count else {
            throw BenchError.wrongCount("\(name): \(arrivals.count) of \(count)")
        }
        let begins = stride(from: 0, to: times.count, by: 2).map { times[$0] }
        let stores = stride(from: 1, to: times.count, by: 2).map { times[$0] }
        let stored = zip(stores, begins).map { $0 - $1 }.sorted()
        let read = zip(arrivals, begins).map { $0 - $1 }.sorted()
        return [
            Figure("p50 µs stored", stored[count / 2] * 1e6),
            Figure("p99 µs stored", stored[count * 99 / 100] * 1e6),
            Figure("p50 µs read", read[count / 2] * 1e6),
            Figure("p99 µs read", read[count * 99 / 100] * 1e6),
        ]
    }
}
