import ParleyCore

/// One session that is replaced as fast as the node stores it, with eight readers, one of which is
/// stopped.
///
/// A reader needs only the last message, so the figures are the costs until all readers have it.
struct HotRow: Row {
    let name = "hot-1session-8readers"

    private static let readers = 8

    func measure(_ bench: Bench) async throws -> [Figure] {
        let count = bench.isQuick ? 8_192 : 65_536
        let traffic = bench.traffic(Traffic.Shape(sessions: 1, count: count, size: 300))
        let (child, address) = try bench.startNode(keepsInMemory: true)
        defer { child.end() }
        let driver = try Driver(bench.author, to: address)
        try await driver.connect(.author)
        try await driver.connect(.reader, count: Self.readers)
        let meter = try child.meter()
        await driver.sleepLast()
        let begin = (ProcessMeter.now, meter.processorSeconds, meter.residentKilobytes)
        await driver.send(traffic, 0..<count, window: .unstored(1_024))
        try await driver.wait(for: "the latest at seven readers", seconds: 60) { driver in
            driver.readers.dropLast().allSatisfy { $0.lastSequence == UInt64(count) }
                && driver.peers[0].storedPosition == UInt64(count)
        }
        let took = ProcessMeter.now - begin.0
        let used = meter.processorSeconds - begin.1
        let grown = meter.residentKilobytes - begin.2
        let sent = await driver.counts().dropLast().reduce(0) { $0 + $1.envelopes }
        let woken = ProcessMeter.now
        await driver.wakeLast()
        try await driver.wait(for: "the latest at the one that was stopped", seconds: 10) {
            $0.readers.last?.lastSequence == UInt64(count)
        }
        let caughtUp = ProcessMeter.now - woken
        let late = await driver.counts().last?.envelopes ?? 0
        await driver.stop()
        return [
            Figure("µs/replacement", used / Double(count) * 1e6),
            Figure("replacements/s", Double(count) / took),
            Figure("sent of all", Double(sent) / Double(count * (Self.readers - 1))),
            Figure("sent to the stopped", Double(late)),
            Figure("stopped one's ms", caughtUp * 1e3),
            Figure("node MB grown", grown / 1_024),
        ]
    }
}

extension Driver {
    // `sleep` does not block: the reader stops reading until it is woken.
    fileprivate func sleepLast() { readers.last?.sleep() }
    fileprivate func wakeLast() { readers.last?.wake() }
}
