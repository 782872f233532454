package import ParleyCore

/// The network of TCP streams: bytes of a stream are neither lost nor reordered, but a stream may
/// stall, slow down, break at any byte, or open on one side only.
package struct SimulatedNetwork {
    /// The open connections by their numbers.
    package private(set) var wires: [Int: Wire] = [:]
    /// The paths between nodes, by sender and receiver.
    private(set) var paths: [[Path]] = []
    /// The nodes by the addresses at which they are dialled.
    private var addressees: [String: Int] = [:]
    private var wiresMade = 0
    /// The number of connections on which nothing was sent.
    private var idleMade: UInt64 = 0

    /// The payload of an Ethernet packet.
    private static let segmentBytes = 1_448
    /// The numbers of connections that never become links begin here.
    private static let firstIdleLink: UInt64 = 1 << 40

    package init() {}

    // MARK: Paths

    /// Adds a node with paths from and to all others; the first node of an address keeps it.
    package mutating func addNode(at address: String) {
        if addressees[address] == nil { addressees[address] = paths.count }
        for index in paths.indices { paths[index].append(Path()) }
        paths.append(Array(repeating: Path(), count: paths.count + 1))
    }

    /// The node that is dialled at an address.
    package func node(at address: String) -> Int? { addressees[address] }

    /// Whether two nodes can open a connection.
    package func canReach(_ one: Int, _ other: Int) -> Bool {
        !paths[one][other].isCut && !paths[other][one].isCut
    }

    /// Changes the paths from some nodes to others.
    package mutating func change(
        from senders: [Int],
        to receivers: [Int],
        _ body: (inout Path) -> Void
    ) {
        for one in senders where paths.indices.contains(one) {
            for other in receivers where other != one && paths.indices.contains(other) {
                body(&paths[one][other])
            }
        }
    }

    /// Changes the paths between some nodes and others, in both directions.
    package mutating func change(
        between some: [Int],
        and others: [Int],
        _ body: (inout Path) -> Void
    ) {
        change(from: some, to: others, body)
        change(from: others, to: some, body)
    }

    /// Changes all paths.
    package mutating func changeAll(_ body: (inout Path) -> Void) {
        let all = Array(paths.indices)
        change(from: all, to: all, body)
    }

    /// The bandwidth of a path in bytes per second; 0: unlimited.
    private func bandwidth(from: Int, to: Int, _ settings: WorldSettings) -> Int {
        paths[from][to].rate > 0 ? paths[from][to].rate : settings.bandwidth
    }

    // MARK: Connections

    /// Opens a connection; returns its number.
    package mutating func open(_ ends: [Wire.End]) -> Int {
        defer { wiresMade += 1 }
        wires[wiresMade] = Wire(number: wiresMade, ends: ends)
        return wiresMade
    }

    /// A link number for a connection on which nothing is sent.
    mutating func nextIdleLink() -> LinkID {
        idleMade += 1
        return LinkID(Self.firstIdleLink + idleMade)
    }

    static func isIdle(_ link: LinkID) -> Bool { link.value >= firstIdleLink }

    /// The connections between two nodes, in the order of their numbers.
    func wires(between one: Int, _ other: Int) -> [Int] {
        wires.keys.sorted().filter { wires[$0]?.joins(one, other) == true }
    }

    /// Whether a cut stops one direction of a connection.
    func isStalled(_ wire: Wire, lane: Int) -> Bool {
        paths[wire.ends[lane].node][wire.ends[1 - lane].node].isCut
    }

    package func isStalled(_ wire: Wire) -> Bool {
        isStalled(wire, lane: 0) || isStalled(wire, lane: 1)
    }

    /// The connections that a cut stops, in the order of their numbers.
    package var stalled: [Int] {
        wires.keys.sorted().filter { wires[$0].map(isStalled) ?? false }
    }

    /// Drops a connection with all bytes in flight.
    ///
    /// A path with limited bandwidth becomes free earlier, by the time for which the dropped bytes
    /// would still have occupied it.
    @discardableResult
    package mutating func remove(_ number: Int, _ settings: WorldSettings, at now: Moment) -> Wire?
    {
        guard let wire = wires.removeValue(forKey: number) else { return nil }
        for lane in 0...1 where wire.lanes[lane].bytes > 0 {
            let (from, to) = (wire.ends[lane].node, wire.ends[1 - lane].node)
            let rate = bandwidth(from: from, to: to, settings)
            guard rate > 0 else { continue }
            let saved = wire.lanes[lane].remainder(after: now, bytesPerSecond: rate)
            let sooner = paths[from][to].freeFrom + Interval(nanoseconds: -saved.nanoseconds)
            paths[from][to].freeFrom = max(now, sooner)
        }
        return wire
    }

    // MARK: Bytes

    /// Sends bytes; on a path with limited bandwidth they travel in pieces, like TCP segments.
    package mutating func send(
        _ bytes: Slice,
        on wire: Wire,
        lane: Int,
        _ settings: WorldSettings,
        _ timeline: inout Timeline
    ) {
        let (from, to) = (wire.ends[lane].node, wire.ends[1 - lane].node)
        let rate = bandwidth(from: from, to: to, settings)
        let size = rate > 0 ? max(Self.segmentBytes, rate / 50) : max(1, bytes.count)
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            send(.bytes(bytes[start..<end]), on: wire, lane: lane, settings, &timeline)
            start = end
        }
    }

    /// Sends an item; nothing follows the end of a side.
    mutating func send(
        _ item: Wire.Item,
        on wire: Wire,
        lane: Int,
        _ settings: WorldSettings,
        _ timeline: inout Timeline
    ) {
        guard !wire.lanes[lane].isClosed else { return }
        if case .end = item { wire.lanes[lane].isClosed = true }
        let (from, to) = (wire.ends[lane].node, wire.ends[1 - lane].node)
        let delay =
            timeline.delay(settings.wireDelay, mean: settings.wireDelayMean)
            + paths[from][to].delay(&timeline.random)
        var passed = timeline.now
        let rate = bandwidth(from: from, to: to, settings)
        if rate > 0, case .bytes(let bytes) = item {
            passed =
                max(passed, paths[from][to].freeFrom)
                + WireLane.duration(of: bytes.count, bytesPerSecond: rate)
            paths[from][to].freeFrom = passed
        }
        let time = max(passed + delay, wire.lanes[lane].lastArrival)
        wire.lanes[lane].lastArrival = time
        wire.lanes[lane].add(item, passed: passed, arriving: time)
        timeline.plan(.arrive(wire: wire.number, lane: lane), at: time)
    }

    /// Lets arrivals that were held back on any connection happen.
    func releaseAll(_ settings: WorldSettings, _ timeline: inout Timeline) {
        for number in wires.keys.sorted() { release(number, settings, &timeline) }
    }

    /// Lets arrivals that were held back happen.
    package func release(_ number: Int, _ settings: WorldSettings, _ timeline: inout Timeline) {
        guard let wire = wires[number] else { return }
        for lane in 0...1 where !isStalled(wire, lane: lane) {
            let held = wire.lanes[lane].held
            wire.lanes[lane].held = 0
            for _ in 0..<held {
                timeline.plan(.arrive(wire: number, lane: lane), in: settings.wireDelay)
            }
            let opposite = 1 - lane
            if wire.lanes[opposite].isDrained(settings), wire.lanes[opposite].isEmpty {
                timeline.plan(.drain(wire: number, lane: opposite), in: settings.wireDelay)
            }
        }
    }
}

/// The path from one node to another, in one direction.
package struct Path {
    /// The number of cuts in force; nothing passes while there is one.
    package var cuts = 0
    /// The additional delay, in microseconds.
    package var slowness: Int64 = 0
    /// The time at which all bytes sent so far will have passed the bandwidth limit.
    fileprivate var freeFrom = Moment.start
    /// The bandwidth of this path in bytes per second; 0: that of the settings.
    package var rate = 0
    /// The number of writes of 10,000 that are lost and retransmitted.
    package var lossPer10000 = 0
    /// The largest random additional delay, in microseconds.
    package var jitter: Int64 = 0

    package var isCut: Bool { cuts > 0 }

    /// The delay of a write beside that of every path.
    ///
    /// TCP retransmits what was lost after 200 ms, and doubles the time at each loss.
    fileprivate func delay(_ random: inout SeededRandom) -> Interval {
        var delay = slowness
        if jitter > 0 { delay += Int64.random(in: 0...jitter, using: &random) }
        var pause: Int64 = 200_000
        while lossPer10000 > 0, pause < 4_000_000, random.chance(lossPer10000, in: 10_000) {
            delay += pause
            pause *= 2
        }
        return Interval(nanoseconds: delay * 1_000)
    }
}
