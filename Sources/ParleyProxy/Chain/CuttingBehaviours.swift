/// Cuts the stream in small writes, at places that follow from the offset.
struct SlicerBehaviour: ToxicBehaviour {
    private let draws: FaultDraws
    private var size: Int64 = 0
    private var variation: Int64 = 0
    private var delay: Int64 = 0
    /// The offset of the next cut; nil before the first byte.
    private var cut: UInt64?
    /// The earliest time for what follows the last cut.
    private var free = ProxyTime.zero

    /// Longer than any read.
    private static let sizeMax: Int64 = 1 << 40

    init(_ draws: FaultDraws) {
        self.draws = draws
    }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        size = min(toxic.integer("average_size"), Self.sizeMax)
        variation = min(max(0, toxic.integer("size_variation")), Self.sizeMax)
        delay = max(0, toxic.integer("delay"))
        cut = nil
        free = now
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard case .bytes(var parcel) = item else {
            line.add(item, arrival: arrival, due: max(arrival, free))
            return
        }
        while !parcel.bytes.isEmpty {
            var cut = cut ?? next(after: parcel.offset)
            // A toxic before this one may have taken bytes out of the stream.
            while cut <= parcel.offset { cut = next(after: cut) }
            self.cut = cut
            let part = parcel.takeFirst(Int(clamping: cut - parcel.offset))
            free = max(free, arrival)
            line.add(.bytes(part), arrival: arrival, due: free)
            guard part.end == cut else { continue }
            line.note(.cut, at: cut)
            free = free.after(microseconds: delay)
            self.cut = next(after: cut)
        }
    }

    private func next(after offset: UInt64) -> UInt64 {
        let spread = Double(variation) * (2 * draws.share(offset) - 1)
        return offset + UInt64(max(1, Double(size) + spread.rounded(.down)))
    }
}

/// Lets through a few bytes at a time, like a tap that drips.
struct DripBehaviour: ToxicBehaviour {
    private var size: UInt64 = 1
    private var interval: Int64 = 0
    private var free = ProxyTime.zero

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        size = UInt64(max(1, toxic.integer("size")))
        interval = max(0, toxic.integer("interval"))
        free = now
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard case .bytes(var parcel) = item else {
            line.add(item, arrival: arrival, due: arrival)
            return
        }
        while !parcel.bytes.isEmpty {
            let part = parcel.takeFirst(Int(clamping: size - parcel.offset % size))
            if part.offset % size == 0 { free = max(free, arrival).after(milliseconds: interval) }
            line.add(.bytes(part), arrival: arrival, due: max(free, arrival))
        }
    }
}
