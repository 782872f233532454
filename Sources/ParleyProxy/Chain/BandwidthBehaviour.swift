/// Lets through so many kilobytes a second, and none at a rate of 0.
struct BandwidthBehaviour: ToxicBehaviour {
    private var rate: Int64 = 0
    private var queue: Int64 = 0
    /// The time at which the bytes before are through, and what it lacks in a rate-th of 1 ns.
    private var free = ProxyTime.zero
    private var rest: Int64 = 0
    /// The time at which the current group of bytes leaves.
    private var leave = ProxyTime.zero

    /// The bytes of 10 ms leave together, when the first of them may.
    private static let milliseconds: Int64 = 10

    var capacity: Int { queue > 0 ? Int(min(queue, 1 << 30)) : ChainLimits.usual }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        rate = max(0, toxic.integer("rate"))
        queue = toxic.integer("queue")
        free = now
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard case .bytes(var parcel) = item else {
            line.add(item, arrival: arrival, due: arrival)
            return
        }
        if rate == 0 {
            line.note(.delayed(.max), at: parcel.offset)
            line.add(item, arrival: arrival, due: .never)
            return
        }
        // A rate in kilobytes a second is one in bytes a millisecond.
        let step = UInt64(min(rate, 1 << 20) * Self.milliseconds)
        while !parcel.bytes.isEmpty {
            if arrival > free { (free, rest) = (arrival, 0) }
            if parcel.offset % step == 0 || arrival > leave { leave = free }
            let part = parcel.takeFirst(Int(step - parcel.offset % step))
            line.add(.bytes(part), arrival: arrival, due: leave)
            let units = Int64(part.bytes.count) * 1_000_000 + rest
            free = free.after(nanoseconds: units / rate)
            rest = units % rate
        }
    }
}
