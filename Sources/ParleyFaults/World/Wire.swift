import ParleyCore

/// A connection between two nodes of a world.
///
/// Lane 0 carries what end 0 sends, lane 1 what end 1 sends. Bytes arrive in order, cut anywhere.
final class Wire {
    struct End {
        let node: Int
        let process: Int
        let link: LinkID
    }

    enum Item {
        case bytes(Slice)
        /// The sender's end was closed.
        case end(String)
    }

    let ends: [End]
    var lanes = [WireLane(), WireLane()]
    /// One end's machine lost its power: nobody answers there.
    var isDead = false

    init(ends: [End]) { self.ends = ends }

    /// The lane of what an end sends.
    func lane(of node: Int, _ link: LinkID) -> Int {
        ends[0].node == node && ends[0].link == link ? 0 : 1
    }

    func joins(_ one: Int, _ other: Int) -> Bool {
        ends[0].node == one && ends[1].node == other || ends[0].node == other && ends[1].node == one
    }
}

/// One direction of a wire.
struct WireLane {
    /// Sent and not yet arrived, and when each is to arrive; the oldest first, from `first` on.
    private var items: [(item: Wire.Item, time: Moment)] = []
    private var first = 0
    /// Bytes among the items.
    private(set) var bytes = 0
    /// Arrivals that came while the wire stood still.
    var held = 0
    var lastArrival = Moment.start
    /// Cuts what is sent into frames, to count and tell them.
    var frames = FrameParser()
    var isClosed = false
    /// Whether the sender wants to hear that its bytes were taken.
    var isDraining = false

    var isEmpty: Bool { first == items.count }

    /// The bytes at the front, if they are to arrive by then.
    func bytes(by time: Moment) -> Slice? {
        guard !isEmpty, items[first].time <= time, case .bytes(let bytes) = items[first].item else {
            return nil
        }
        return bytes
    }

    /// Bytes that are to arrive after then.
    func bytes(after time: Moment) -> Int {
        items[first...].reduce(0) { sum, entry in
            guard entry.time > time, case .bytes(let bytes) = entry.item else { return sum }
            return sum + bytes.count
        }
    }

    mutating func add(_ item: Wire.Item, arriving time: Moment) {
        items.append((item, time))
        if case .bytes(let slice) = item { bytes += slice.count }
    }

    /// What is at the front; nil if it is to arrive later, as what was to arrive by then came
    /// together with what was before it.
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

    /// What was taken and has not arrived yet.
    mutating func putBack(_ rest: Slice, arriving time: Moment) {
        bytes += rest.count
        if first > 0 {
            first -= 1
            items[first] = (.bytes(rest), time)
        } else {
            items.insert((.bytes(rest), time), at: 0)
        }
    }
}

/// The way from one node to another, one direction of it.
struct Path {
    /// Cuts that hold now: nothing passes while there is one.
    var cuts = 0
    /// What bytes need more, in microseconds.
    var slowness: Int64 = 0
    /// When all bytes that were sent will have passed, at the bandwidth that there is.
    var freeFrom = Moment.start
    /// Bytes per second of this way alone; 0: what the world's settings say.
    var rate = 0
    /// Of 10,000 stretches of bytes, so many are lost and sent again a while later.
    var lossPer10000 = 0
    /// Up to so many microseconds more, at random.
    var jitter: Int64 = 0

    var isCut: Bool { cuts > 0 }
}
