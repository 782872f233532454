package import ParleyCore

/// A connection between two nodes of a world.
///
/// Lane 0 carries the bytes of end 0, lane 1 those of end 1. Bytes arrive in order, cut anywhere.
package final class Wire {
    struct End {
        let node: Int
        let process: Int
        let link: LinkID
    }

    /// Bytes, or the end of what one side sends.
    package enum Item {
        case bytes(Slice)
        /// The sender's end was closed.
        case end(String)
    }

    let ends: [End]
    var lanes = [WireLane(), WireLane()]
    /// Whether the machine of one end lost its power, so that nothing answers there.
    var isDead = false

    init(ends: [End]) { self.ends = ends }

    /// The lane that carries the bytes of an end.
    func lane(of node: Int, _ link: LinkID) -> Int {
        ends[0].node == node && ends[0].link == link ? 0 : 1
    }

    func joins(_ one: Int, _ other: Int) -> Bool {
        ends[0].node == one && ends[1].node == other || ends[0].node == other && ends[1].node == one
    }
}

/// One direction of a wire.
package struct WireLane {
    private struct Sent {
        let item: Wire.Item
        /// When all of it has passed the bandwidth of the path; a delay may follow.
        let passed: Moment
        /// When it is to arrive.
        let time: Moment
    }

    /// The items in flight, the oldest first, from `first` on.
    private var items: [Sent] = []
    private var first = 0
    /// The number of bytes in flight.
    private(set) var bytes = 0
    /// The number of arrivals held back by a stall.
    var held = 0
    var lastArrival = Moment.start
    /// Cuts the sent bytes into frames, to count and trace them.
    var frames = FrameParser()
    var isClosed = false
    /// Whether the sender waits for its bytes to be taken.
    var isDraining = false

    package init() {}

    var isEmpty: Bool { first == items.count }

    /// The bytes at the front, if they are due by then.
    func bytes(by time: Moment) -> Slice? {
        guard !isEmpty, items[first].time <= time, case .bytes(let bytes) = items[first].item else {
            return nil
        }
        return bytes
    }

    /// How long the bytes in flight that have not passed the bottleneck still occupy the path.
    package func remainder(after time: Moment, bytesPerSecond: Int) -> Interval {
        items[first...].reduce(Interval(nanoseconds: 0)) { sum, sent in
            guard sent.passed > time, case .bytes(let bytes) = sent.item else { return sum }
            let whole = Self.duration(of: bytes.count, bytesPerSecond: bytesPerSecond)
            return sum + min(whole, sent.passed - time)
        }
    }

    /// How long a number of bytes occupies a path.
    static func duration(of bytes: Int, bytesPerSecond: Int) -> Interval {
        Interval(nanoseconds: Int64(bytes) * 1_000_000_000 / Int64(bytesPerSecond))
    }

    /// Adds an item in flight.
    package mutating func add(_ item: Wire.Item, passed: Moment, arriving time: Moment) {
        items.append(Sent(item: item, passed: passed, time: time))
        if case .bytes(let slice) = item { bytes += slice.count }
    }

    /// Takes the item at the front if it is due by then.
    ///
    /// The result is nil if an earlier arrival already brought the item that was due by then.
    mutating func take(by time: Moment) -> Wire.Item? {
        guard !isEmpty, items[first].time <= time else { return nil }
        let item = items[first].item
        first += 1
        if isEmpty {
            items.removeAll(keepingCapacity: true)
            first = 0
        } else if first == 64 {
            items.removeFirst(first)
            first = 0
        }
        if case .bytes(let slice) = item { bytes -= slice.count }
        return item
    }

    /// Puts the rest of a taken item back to the front.
    mutating func putBack(_ rest: Slice, arriving time: Moment) {
        bytes += rest.count
        let sent = Sent(item: .bytes(rest), passed: time, time: time)
        if first > 0 {
            first -= 1
            items[first] = sent
        } else {
            items.insert(sent, at: 0)
        }
    }
}

/// The path from one node to another, in one direction.
struct Path {
    /// The number of cuts in force; nothing passes while there is one.
    var cuts = 0
    /// The additional delay, in microseconds.
    var slowness: Int64 = 0
    /// The time at which all bytes sent so far will have passed the bandwidth limit.
    var freeFrom = Moment.start
    /// The bandwidth of this path in bytes per second; 0: that of the settings.
    var rate = 0
    /// The number of writes of 10,000 that are lost and retransmitted.
    var lossPer10000 = 0
    /// The largest random additional delay, in microseconds.
    var jitter: Int64 = 0

    var isCut: Bool { cuts > 0 }
}
