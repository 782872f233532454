import Glibc

/// Takes segments out of the stream, as if the receiver had not noticed that they are missing.
struct PacketLossBehaviour: ToxicBehaviour {
    private let draws: FaultDraws
    private var rate = 0.0
    private var correlation = 0.0
    private var segments = Segments(of: 1_024)
    private var isLost = false

    init(_ draws: FaultDraws) {
        self.draws = draws
    }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        rate = toxic.number("loss_rate")
        correlation = toxic.number("correlation")
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard case .bytes(var parcel) = item else {
            line.add(item, arrival: arrival, due: arrival)
            return
        }
        while !parcel.bytes.isEmpty {
            let (part, begins) = segments.next(of: &parcel, at: arrival)
            if begins {
                // With correlation 1 the fate of the segment before is that of all that follow.
                let own = rate * (1 - correlation) + (isLost ? correlation : 0)
                isLost = draws.share(part.offset) < own
            }
            if isLost {
                line.note(.dropped(part.bytes.count), at: part.offset)
            } else {
                line.add(.bytes(part), arrival: arrival, due: arrival)
            }
        }
    }
}

/// Loses segments as programs notice it: TCP sends them again after a time-out, which doubles.
struct LossBehaviour: ToxicBehaviour {
    private let draws: FaultDraws
    private var rate = 0.0
    private var timeout: Int64 = 0
    private var segments = Segments(of: 1_024)
    private var stall: Int64 = 0

    /// After so many losses of one segment in a row the next one arrives.
    private static let lossesMax: UInt64 = 8

    init(_ draws: FaultDraws) {
        self.draws = draws
    }

    var capacity: Int { ChainLimits.delayed }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        rate = toxic.number("loss_rate")
        timeout = min(max(0, toxic.integer("timeout")), 3_600_000)
        segments = Segments(of: segments.size)
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard case .bytes(var parcel) = item else {
            line.add(item, arrival: arrival, due: arrival)
            return
        }
        while !parcel.bytes.isEmpty {
            let (part, begins) = segments.next(of: &parcel, at: arrival)
            if begins { stall = drawn(for: part.offset) }
            if begins, stall > 0 { line.note(.delayed(stall * 1_000_000), at: part.offset) }
            line.add(.bytes(part), arrival: arrival, due: arrival.after(milliseconds: stall))
        }
    }

    private func drawn(for offset: UInt64) -> Int64 {
        let tries = draws.part(offset)
        var stall: Int64 = 0
        for loss in 0..<Self.lossesMax where tries.share(loss) < rate {
            // The segment is lost again only if it was lost each time before.
            guard stall == timeout * ((1 << Int64(loss)) - 1) else { break }
            stall += timeout << Int64(loss)
        }
        return stall
    }
}

/// Changes a share of the bytes.
struct CorruptBehaviour: ToxicBehaviour {
    private let draws: FaultDraws
    private var rate = 0.0
    private var unit = ""
    /// The block whose damage is known, and the damage: what is done to which byte.
    private var block: UInt64?
    private var damage: [(offset: UInt64, mask: UInt8)] = []

    private static let blockBytes: UInt64 = 4_096

    init(_ draws: FaultDraws) {
        self.draws = draws
    }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        rate = min(1, max(0, toxic.number("rate")))
        unit = toxic.word("unit")
        block = nil
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard case .bytes(var parcel) = item, rate > 0 else {
            line.add(item, arrival: arrival, due: arrival)
            return
        }
        var next = parcel.offset
        while next < parcel.end {
            let number = next / Self.blockBytes
            if block != number { prepare(number) }
            for (offset, mask) in damage where offset >= parcel.offset && offset < parcel.end {
                let index = parcel.bytes.startIndex + Int(offset - parcel.offset)
                let byte = parcel.bytes[index]
                parcel.bytes[index] = byte ^ mask
                line.note(.changed(from: byte, to: byte ^ mask), at: offset)
            }
            next = (number + 1) * Self.blockBytes
        }
        line.add(.bytes(parcel), arrival: arrival, due: arrival)
    }

    /// Finds what is damaged in a block by the distances between damages, of which few are drawn.
    private mutating func prepare(_ number: UInt64) {
        block = number
        damage = []
        let draws = draws.part(number)
        let bits = unit == "bit"
        let count = Self.blockBytes * (bits ? 8 : 1)
        var place = 0.0
        var draw: UInt64 = 0
        while true {
            place += rate < 1 ? (log(1 - draws.share(draw)) / log(1 - rate)).rounded(.down) : 0
            guard place < Double(count) else { return }
            let found = UInt64(place)
            let random = UInt8(1 + draws.word(draw + 1) % 255)
            let offset = number * Self.blockBytes + (bits ? found / 8 : found)
            damage.append((offset, bits ? 1 << UInt8(found % 8) : random))
            place += 1
            draw += 2
        }
    }
}

/// Passes everything.
struct NoopBehaviour: ToxicBehaviour {
    mutating func change(to toxic: Toxic, at now: ProxyTime) {}

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        line.add(item, arrival: arrival, due: arrival)
    }
}
