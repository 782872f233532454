import ParleyCore

/// The pace of a member that sends one message after the other, each once the one before is stored,
/// beside strangers that do something expensive in a loop, compared with as many loops that only
/// take processor time.
struct StrangersRow: Row {
    let kind: StrangersChild.Kind
    let count: Int

    var name: String { "strangers-\(count)-\(kind)" }

    private static let ratio = "÷ busy loops"
    private static let stored = "stored/s"

    /// With 64 strangers on the same machine the pace says little but that the link is alive.
    var targets: [Target] {
        count == 4 ? [Target(Self.ratio, .atLeast(0.5))] : [Target(Self.stored, .atLeast(1))]
    }

    func measure(_ bench: Bench) async throws -> [Figure] {
        let beside = try await pace(bench, beside: .busy)
        let attacked = try await pace(bench, beside: kind)
        return [
            Figure(Self.stored, attacked), Figure("beside loops", beside),
            Figure(Self.ratio, attacked / beside),
        ]
    }

    private func pace(_ bench: Bench, beside kind: StrangersChild.Kind) async throws -> Double {
        let messages = bench.isQuick ? 256 : 1_024
        let traffic = bench.traffic(
            Traffic.Shape(sessions: messages, count: messages, size: 300)
        )
        let (node, address) = try bench.startNode(keepsInMemory: true)
        defer { node.end() }
        let driver = try Driver(bench.author, to: address)
        try await driver.connect(.author)
        let strangers = try ChildProcess(["strangers", "\(kind)", "\(count)", address])
        defer { strangers.end() }
        _ = try strangers.line()
        let warm = messages / 8
        await driver.send(traffic, 0..<warm, window: .unstored(1))
        try await wait(driver, warm)
        let begin = ProcessMeter.now
        await driver.send(traffic, warm..<messages, window: .unstored(1))
        try await wait(driver, messages)
        let took = ProcessMeter.now - begin
        await driver.stop()
        return Double(messages - warm) / took
    }

    private func wait(_ driver: Driver, _ count: Int) async throws {
        try await driver.wait(for: "\(count) confirmations", seconds: 120) { driver in
            driver.peers[0].storedPosition >= UInt64(count)
        }
    }
}
