import Foundation
import Glibc
import ParleyCore

/// The one-way time of envelopes through several relays, which have links of one shape, from an
/// author at one of them to a reader at the one that is farthest away.
struct TopologyRow: Row {
    /// The shapes, of eight relays each but for `restart` and `two`.
    enum Shape: String, CaseIterable {
        case line, ring, star
        /// Two groups of four in which all have links to one another, and one link between them.
        case cliques
        /// Three in a line, of which the middle one is stopped and started again meanwhile.
        case restart
        /// Two relays, each with a link to the author's node and to the reader's. Of two others of
        /// that shape, the one that passes on more is stopped meanwhile, or cut off, as when its
        /// machine loses power: nobody says that its links have ended.
        case two
        case twoStopped = "two-stopped"
        case twoCut = "two-cut"
    }

    let shape: Shape

    var name: String { "relays-\(shape.rawValue)" }
    var missing: String? { geteuid() == 0 ? nil : "network namespaces need root" }

    /// Envelopes per second.
    private static let rate = 100

    func measure(_ bench: Bench) async throws -> [Figure] {
        let count = Self.rate * (bench.isQuick ? 2 : 10)
        let traffic = bench.traffic(
            Traffic.Shape(sessions: count, count: count, size: 300, batch: 1)
        )
        var relays = try Relays(shape, bench)
        defer { relays.end() }
        try relays.waitForLinks()
        let driver = try Driver(bench.author, to: relays.address(shape.ends.author))
        try await driver.connect(.author)
        try await driver.connect(.reader, to: relays.address(shape.ends.reader))
        let used = try relays.processorSeconds
        await driver.send(traffic, 0..<count, window: .paced(perSecond: Double(Self.rate)))
        let half = [.restart, .twoStopped, .twoCut].contains(shape) ? count / 2 : 0
        try await driver.wait(for: "half of the deliveries", seconds: 60) { driver in
            driver.delivered >= half
        }
        var begin = ProcessMeter.now
        switch shape {
        case .restart:
            try relays.restart(1, bench)
            begin = ProcessMeter.now
            try relays.waitForLinks(besides: 2)
        case .twoStopped: relays.stop(try relays.busier(1, 2))
        case .twoCut: try relays.cut(try relays.busier(1, 2))
        default: break
        }
        let pause = ProcessMeter.now - begin
        try await driver.wait(for: "\(count) deliveries", seconds: 60) { driver in
            driver.delivered >= count
        }
        let delays = await driver.delays.sorted()
        guard delays.count == count, let worst = delays.last else {
            throw BenchError.wrongCount("\(name): \(delays.count) of \(count)")
        }
        await driver.stop()
        var figures = [
            Figure("p50 ms", delays[count / 2] * 1e3),
            Figure("p99 ms", delays[count * 99 / 100] * 1e3),
            Figure("max ms", worst * 1e3),
        ]
        switch shape {
        case .twoStopped, .twoCut: return figures
        case .restart: figures.append(Figure("s until linked again", pause))
        default:
            let perEnvelope = (try relays.processorSeconds - used) / Double(count)
            figures.append(Figure("µs/envelope, all relays", perEnvelope * 1e6))
        }
        // What nodes tell one another has not led to further links.
        try relays.waitForLinks()
        return shape == .two ? figures + (try relays.carried(count)) : figures
    }
}

extension TopologyRow.Shape {
    /// For each relay the earlier ones that it dials.
    fileprivate var dials: [[Int]] {
        switch self {
        case .line: (0..<8).map { $0 == 0 ? [] : [$0 - 1] }
        case .ring: (0..<8).map { $0 == 0 ? [] : $0 == 7 ? [6, 0] : [$0 - 1] }
        case .star: (0..<8).map { $0 == 0 ? [] : [0] }
        case .cliques: (0..<8).map { Array(($0 & 4)..<$0) + ($0 == 4 ? [3] : []) }
        case .restart: [[], [0], [1]]
        case .two, .twoStopped, .twoCut: [[], [0], [0], [1, 2]]
        }
    }

    /// The relays to which the author and the reader have a link.
    fileprivate var ends: (author: Int, reader: Int) {
        switch self {
        case .line, .cliques: (0, 7)
        case .ring: (0, 4)
        case .star: (1, 7)
        case .restart: (0, 2)
        case .two, .twoStopped, .twoCut: (0, 3)
        }
    }
}

/// The relays of a shape, each on a host of its own that reaches no other than those of its links.
private struct Relays {
    private var children: [ChildProcess] = []
    private var directories: [String] = []
    private let dials: [[Int]]
    private let keepsInMemory: Bool

    init(_ shape: TopologyRow.Shape, _ bench: Bench) throws {
        dials = shape.dials
        keepsInMemory = shape != .restart
        let edges = dials.indices.flatMap { index in dials[index].map { "\(index)-\($0)" } }
        try Self.network(["up", "\(dials.count)"] + edges)
        for index in dials.indices {
            directories.append(bench.newDirectory())
            children.append(try start(index, bench))
        }
    }

    func address(_ index: Int) -> String { "10.98.0.\(index + 1):27275" }

    private func start(_ index: Int, _ bench: Bench) throws -> ChildProcess {
        try bench.startNode(
            keepsInMemory: keepsInMemory,
            directory: directories[index],
            listen: address(index),
            by: ["ip", "netns", "exec", "parleybench-\(index)"],
            peers: dials[index].map(address)
        ).child
    }

    private static func network(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "Tests/Benchmarks/relay-network.sh")
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError.system("relay-network.sh \(arguments.joined(separator: " "))")
        }
    }

    var processorSeconds: Double {
        get throws { try children.reduce(0) { $0 + (try $1.meter().processorSeconds) } }
    }

    /// Waits until the relays have the links of their shape, and those of others besides.
    func waitForLinks(besides others: Int = 0) throws {
        let wanted = dials.reduce(0) { $0 + $1.count } * 2 + others
        let deadline = ProcessMeter.now + 60
        while true {
            let count = try children.reduce(0) { $0 + (Int(try $1.ask("links")) ?? 0) }
            if count == wanted { return }
            guard ProcessMeter.now < deadline else {
                throw BenchError.timeout("\(count) of \(wanted) links of relays")
            }
            usleep(5_000)
        }
    }

    /// Stops a relay, and starts it again with what it has on its disk.
    mutating func restart(_ index: Int, _ bench: Bench) throws {
        children[index].end()
        children[index] = try start(index, bench)
    }

    func stop(_ index: Int) { children[index].end() }

    /// Takes a relay off the network; the others see no end of its links.
    func cut(_ index: Int) throws { try Self.network(["cut", "\(index)"]) }

    /// The envelopes that a relay has sent, and the bytes of its connections in both directions.
    func traffic(_ index: Int) throws -> (envelopes: Double, bytes: Double) {
        let answer = try children[index].ask("traffic")
        let counts = answer.split(separator: " ").compactMap(Double.init)
        guard counts.count == 2 else { throw BenchError.unexpected("traffic of relay \(index)") }
        return (counts[0], counts[1])
    }

    /// What the two relays of `two` carried of `count` envelopes, the busier one first.
    func carried(_ count: Int) throws -> [Figure] {
        let busier = try busier(1, 2)
        return try [("busier", busier), ("other", 3 - busier)].flatMap { label, relay in
            let (envelopes, bytes) = try traffic(relay)
            return [
                Figure("sent/envelope, \(label)", envelopes / Double(count)),
                Figure("B/envelope, \(label)", bytes / Double(count)),
            ]
        }
    }

    /// The one of two relays that has sent more envelopes.
    func busier(_ one: Int, _ two: Int) throws -> Int {
        try traffic(one).envelopes < traffic(two).envelopes ? two : one
    }

    func end() {
        for child in children { child.end() }
        try? Self.network(["down"])
    }
}
