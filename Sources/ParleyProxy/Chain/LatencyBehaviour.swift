import Glibc

/// Holds back all bytes for a time, in order.
struct LatencyBehaviour: ToxicBehaviour {
    private let draws: FaultDraws
    private var latency: Int64 = 0
    private var jitter: Int64 = 0
    private var distribution = ""
    private var correlation = 0.0
    private var segments = Segments(of: 16 << 10)
    /// The delay of the current segment, in nanoseconds.
    private var delay: Int64 = 0
    /// What was drawn for the segment before.
    private var before: Double?

    /// Eleven days, which is for ever.
    private static let millisecondsMax: Int64 = 1_000_000_000

    init(_ draws: FaultDraws) {
        self.draws = draws
    }

    var capacity: Int { ChainLimits.delayed }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        latency = min(max(0, toxic.integer("latency")), Self.millisecondsMax)
        jitter = min(max(0, toxic.integer("jitter")), Self.millisecondsMax)
        distribution = toxic.word("distribution")
        correlation = min(1, max(0, toxic.number("correlation")))
        segments = Segments(of: segments.size)
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard case .bytes(var parcel) = item else {
            line.add(item, arrival: arrival, due: arrival)
            return
        }
        while !parcel.bytes.isEmpty {
            let (part, begins) = segments.next(of: &parcel, at: arrival)
            if begins {
                delay = drawn(for: part.offset)
                line.note(.delayed(delay), at: part.offset)
            }
            line.add(.bytes(part), arrival: arrival, due: arrival.after(nanoseconds: delay))
        }
    }

    private mutating func drawn(for offset: UInt64) -> Int64 {
        var share = draws.share(offset)
        if let before { share = correlation * before + (1 - correlation) * share }
        before = share
        let milliseconds: Double =
            switch distribution {
            case "normal": Double(latency) + Double(jitter) * normal(share, offset)
            case "pareto": Double(latency) + Double(jitter) * (pow(1 - share, -1 / 3) - 1)
            default:
                // Whole milliseconds, as Toxiproxy draws them.
                Double(latency - jitter) + (share * 2 * Double(jitter)).rounded(.down)
            }
        return Int64(min(max(0, milliseconds), Double(Self.millisecondsMax)) * 1e6)
    }

    /// A number of the standard normal distribution, after Box and Muller.
    private func normal(_ share: Double, _ offset: UInt64) -> Double {
        let angle = draws.part("angle").share(offset)
        return (-2 * log(1 - share)).squareRoot() * cos(2 * .pi * angle)
    }
}
