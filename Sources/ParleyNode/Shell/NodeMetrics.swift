import Metrics
import ParleyCore

/// The counts of a node since its start, which go to swift-metrics as well; every series exists
/// from the start.
struct NodeMetrics {
    private(set) var counts = NodeCounts()
    private(set) var refusals: [String: UInt64] = [:]
    private(set) var commits = DurationHistogram()
    private(set) var syncs = DurationHistogram()
    /// In the order of the cases of `NodeCount`.
    private let counters: [Counter]
    private let refusalCounters: [String: Counter]

    init() {
        counters = NodeCount.allCases.map { Counter(label: $0.name) }
        refusalCounters = Dictionary(
            uniqueKeysWithValues: Refusal.names.map { reason in
                (reason, Counter(label: "parley_refusals_total", dimensions: [("reason", reason)]))
            }
        )
        for name in Refusal.names { refusals[name] = 0 }
    }

    mutating func count(_ event: NodeCount, by number: Int = 1) {
        counts.add(number, of: event)
        counters[event.rawValue].increment(by: number)
    }

    mutating func refused(_ refusal: Refusal) {
        refusals[refusal.name, default: 0] += 1
        refusalCounters[refusal.name]?.increment()
    }

    /// A commit took `time`.
    mutating func committed(in time: Interval) { commits.add(.nanoseconds(time.nanoseconds)) }

    /// The disk took `time` to sync the log of the store.
    mutating func synced(in time: Duration) { syncs.add(time) }
}

extension Refusal {
    /// The names of all reasons.
    static let names = [
        "malformed", "unexpected", "uncertified", "badCertificate", "badProof", "badBlob",
        "overLimit", "incompatible", "contradictory",
    ]

    /// The stable name of the reason.
    var name: String {
        switch self {
        case .malformed: "malformed"
        case .unexpected: "unexpected"
        case .contradictory: "contradictory"
        case .uncertified: "uncertified"
        case .badCertificate: "badCertificate"
        case .badProof: "badProof"
        case .badBlob: "badBlob"
        case .overLimit: "overLimit"
        case .incompatible: "incompatible"
        }
    }
}
