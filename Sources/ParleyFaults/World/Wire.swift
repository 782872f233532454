package import ParleyCore

/// A connection between two nodes of a world.
///
/// Lane 0 carries the bytes of end 0, lane 1 those of end 1. Bytes arrive in order, cut anywhere.
package final class Wire {
    /// The link of a process that a wire ends at.
    package struct End {
        package let node: Int
        package let process: Int
        package let link: LinkID

        package init(node: Int, process: Int, link: LinkID) {
            self.node = node
            self.process = process
            self.link = link
        }
    }

    /// Bytes, or the end of what one side sends.
    package enum Item {
        case bytes(Slice)
        /// The sender's end was closed.
        case end(String)
    }

    package let number: Int
    package let ends: [End]
    package internal(set) var lanes = [WireLane(), WireLane()]
    /// Whether the computer of one end lost power, and nothing answers there.
    var isDead = false

    init(number: Int, ends: [End]) {
        self.number = number
        self.ends = ends
    }

    /// The lane that carries the bytes of an end.
    func lane(of node: Int, _ link: LinkID) -> Int {
        ends[0].node == node && ends[0].link == link ? 0 : 1
    }

    /// Bytes that reach a receiver at once.
    struct Arrival {
        var pieces: [Slice]
        /// Whether the connection breaks behind them.
        let breaks: Bool
    }

    /// Arrivals within this time may be read together.
    private static let together = Interval.milliseconds(5)

    /// Reads bytes at the end of a lane, cut anywhere and together with what follows soon, or all
    /// but a rest that is lost as the connection breaks.
    func read(
        _ whole: Slice,
        lane: Int,
        _ settings: WorldSettings,
        _ timeline: inout Timeline
    ) -> Arrival {
        let breaks =
            settings.breaksPer10000 > 0
            && timeline.random.chance(settings.breaksPer10000, in: 10_000)
        if breaks {
            let end = Int.random(in: 0..<max(1, whole.count), using: &timeline.random)
            return Arrival(pieces: [whole[0..<end]], breaks: true)
        }
        var arrival = Arrival(pieces: [whole], breaks: false)
        guard settings.cutsBytes else { return arrival }
        if whole.count > 1, timeline.random.chance(1, in: 3) {
            let cut = Int.random(in: 1..<whole.count, using: &timeline.random)
            lanes[lane].putBack(whole[cut..<whole.count], arriving: timeline.now)
            arrival.pieces = [whole[0..<cut]]
            timeline.plan(.arrive(wire: number, lane: lane), at: timeline.now)
        }
        let soon = timeline.now + Self.together
        while timeline.random.chance(1, in: 3), let more = lanes[lane].bytes(by: soon) {
            _ = lanes[lane].take(by: soon)
            arrival.pieces.append(more)
        }
        return arrival
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
    package private(set) var bytes = 0
    /// The number of arrivals held back by a stall.
    package internal(set) var held = 0
    var lastArrival = Moment.start
    /// Cuts the sent bytes into frames, to count and trace them.
    var frames = FrameParser()
    var isClosed = false
    /// Whether the sender waits for its bytes to be taken.
    var isDraining = false

    package init() {}

    var isEmpty: Bool { first == items.count }

    /// Whether a sender that waits may go on: the kernel has taken the bytes.
    func isDrained(_ settings: WorldSettings) -> Bool {
        isDraining && bytes <= settings.kernelBytes
    }

    /// Lets a sender that waits go on, if the kernel has taken the bytes; returns whether.
    mutating func takeDrain(_ settings: WorldSettings) -> Bool {
        guard isDrained(settings) else { return false }
        isDraining = false
        return true
    }

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
