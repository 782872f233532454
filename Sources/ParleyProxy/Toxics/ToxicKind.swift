/// The kind of a toxic: its effect on the streams of a connection.
///
/// The first nine are those of Toxiproxy, with its names and attributes.
package enum ToxicKind: String, CaseIterable, Sendable {
    case latency
    case bandwidth
    case slowClose = "slow_close"
    case timeout
    case resetPeer = "reset_peer"
    case slicer
    case limitData = "limit_data"
    case packetLoss = "packet_loss"
    case noop
    case corrupt
    case drip
    case halfOpen = "half_open"
    case limitTime = "limit_time"
    case loss
    case refuse
    case slowAccept = "slow_accept"

    /// An attribute that a kind has.
    package struct Field: Sendable {
        package let name: String
        package let standard: AttributeValue
        /// Whether Toxiproxy lacks it: it is then shown only if it is not the standard.
        package let isExtra: Bool
        /// The unit for people, such as `ms`, or the words that are possible.
        package let unit: String

        /// The values that make sense; Toxiproxy takes others, too, which its clients may send.
        package var range: ClosedRange<Double> {
            unit == "0 to 1" ? 0...1 : (name == "average_size" ? 1 : 0)...Double(Int64.max)
        }

        /// The words of which a value is one; none if it is a number.
        package var words: [String] {
            guard case .word = standard else { return [] }
            return unit.split(separator: "|").map { String($0) }
        }
    }

    /// The attributes, in the order in which they are written.
    package var fields: [Field] {
        switch self {
        case .latency:
            [
                whole("latency", "ms"), whole("jitter", "ms"),
                extra("distribution", .word("uniform"), "uniform|normal|pareto"),
                extra("correlation", .number(0), "0 to 1"),
            ]
        case .bandwidth: [whole("rate", "KB/s"), extra("queue", .integer(0), "B")]
        case .slowClose, .slowAccept: [whole("delay", "ms")]
        case .timeout, .resetPeer: [whole("timeout", "ms")]
        case .slicer:
            [whole("average_size", "B"), whole("size_variation", "B"), whole("delay", "µs")]
        case .limitData: [whole("bytes", "B")]
        case .packetLoss: [share("loss_rate", 0.1), share("correlation", 0)]
        case .loss: [share("loss_rate", 0.1), whole("timeout", "ms", 200)]
        case .corrupt:
            [
                share("rate", 0),
                Field(name: "unit", standard: .word("byte"), isExtra: false, unit: "byte|bit"),
            ]
        case .drip: [whole("size", "B", 1), whole("interval", "ms")]
        case .limitTime: [whole("time", "ms")]
        case .halfOpen, .noop, .refuse: []
        }
    }

    private func whole(_ name: String, _ unit: String, _ standard: Int64 = 0) -> Field {
        Field(name: name, standard: .integer(standard), isExtra: false, unit: unit)
    }

    private func share(_ name: String, _ standard: Double) -> Field {
        Field(name: name, standard: .number(standard), isExtra: false, unit: "0 to 1")
    }

    private func extra(_ name: String, _ standard: AttributeValue, _ unit: String) -> Field {
        Field(name: name, standard: standard, isExtra: true, unit: unit)
    }
}
