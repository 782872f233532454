import Glibc
import ParleyCore

/// The throughput from the author through one process in the middle to the readers.
struct RelayRow: Row {
    /// The process in the middle.
    enum Middle: String {
        case memory
        case durable
        case floor

        /// Starts the process; returns it with its address.
        func start(
            _ bench: Bench,
            conversations: Int = 1
        ) throws -> (child: ChildProcess, address: String) {
            guard self == .floor else {
                return try bench.startNode(
                    keepsInMemory: self == .memory,
                    conversations: conversations
                )
            }
            let child = try ChildProcess(["floor"])
            return (child, try child.line())
        }
    }

    /// The figure that is compared with the floor: the processor time of the process in the middle.
    static let cost = "µs/delivery"

    let middle: Middle
    let readers: Int
    let size: Int
    /// The number of conversations, which take turns; each reader is in one of them.
    var conversations = 1
    /// The number of authors in a conversation, who answer each other.
    var authors = 1

    var name: String {
        let bytes = size < 1_024 ? "\(size)B" : "\(size >> 10)KiB"
        return "\(middle == .floor ? "floor" : "relay")-\(bytes)-\(conversations)to\(readers)"
            + (authors > 1 ? "-turns" : "") + (middle == .durable ? "-durable" : "")
    }

    var floor: String? {
        middle == .floor
            ? nil : RelayRow(middle: .floor, readers: readers, size: size, authors: authors).name
    }

    var targets: [Target] {
        middle == .memory && readers == 8 && size == 300 && authors == 1
            ? [Target(Self.cost, .atMost(1.5))] : []
    }

    /// The limit of undelivered bytes.
    private static let window = Sending.Window.undelivered(bytes: 1 << 20)

    func measure(_ bench: Bench) async throws -> [Figure] {
        let shape = shape(isQuick: bench.isQuick)
        let traffic = bench.traffic(shape)
        let (child, address) = try middle.start(bench, conversations: conversations)
        defer { child.end() }
        let driver = try Driver(Array(bench.authors.prefix(conversations)), to: address)
        let isBare = middle == .floor
        try await driver.connect(isBare ? .bare : .author)
        if authors > 1, !isBare { await driver.introduce(bench.partner) }
        try await driver.connect(isBare ? .bare : .reader, count: readers)
        try await pass(traffic, 0..<shape.sessions, driver)
        let meter = try child.meter()
        let begin = (time: ProcessMeter.now, used: meter.processorSeconds)
        let own = try ProcessMeter(getpid())
        let ownBegin = own.processorSeconds
        try await pass(traffic, shape.sessions..<traffic.count, driver)
        let took = ProcessMeter.now - begin.time
        let used = meter.processorSeconds - begin.used
        let ownUsed = own.processorSeconds - ownBegin
        try await verify(traffic, driver)
        let measured = traffic.count - shape.sessions
        let deliveries = Double(measured * readers / conversations)
        let resident = meter.residentKilobytes
        await driver.stop()
        return [
            Figure(Self.cost, used / deliveries * 1e6),
            Figure("deliveries/s", deliveries / took),
            Figure("driver µs/delivery", ownUsed / deliveries * 1e6),
            Figure("B/frame", traffic.frameBytes),
            Figure("node MB", resident / 1_024),
        ]
    }

    /// The traffic: one round that creates the sessions, and then rounds that replace their
    /// messages.
    private func shape(isQuick: Bool) -> Traffic.Shape {
        let sessions = size < 1_024 ? 16_384 : 4_096
        let laps = isQuick ? 2 : 5
        return Traffic.Shape(
            sessions: sessions,
            count: sessions * laps,
            size: size,
            conversations: conversations,
            authors: authors
        )
    }

    /// Sends a part of the traffic; waits until every reader has it and the node has stored it.
    private func pass(_ traffic: Traffic, _ range: Range<Int>, _ driver: Driver) async throws {
        await driver.send(traffic, range, window: Self.window)
        let isBare = middle == .floor
        try await driver.wait(for: "\(range.upperBound) deliveries", seconds: 60) { driver in
            driver.delivered >= range.upperBound
                && (isBare || driver.peers[0].storedPosition >= UInt64(range.upperBound))
        }
    }

    private func verify(_ traffic: Traffic, _ driver: Driver) async throws {
        for (envelopes, sum) in await driver.counts() {
            guard envelopes == traffic.countOfOne, sum == traffic.sequenceSum else {
                throw BenchError.wrongCount("\(name): \(envelopes) of \(traffic.countOfOne)")
            }
        }
    }
}

extension Driver {
    /// The counts of each reader.
    func counts() -> [(envelopes: Int, sequenceSum: UInt64)] {
        readers.map { ($0.envelopes, $0.sequenceSum) }
    }
}
