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

/// How often each event has happened since the start.
package struct NodeCounts: Sendable {
    /// In the order of the cases of `NodeCount`.
    private var numbers = [UInt64](repeating: 0, count: NodeCount.allCases.count)

    package subscript(event: NodeCount) -> UInt64 { numbers[event.rawValue] }

    mutating func add(_ number: Int, of event: NodeCount) {
        numbers[event.rawValue] += UInt64(number)
    }
}

/// An event that a node counts.
package enum NodeCount: Int, CaseIterable, Sendable {
    case linksOpened, linksClosed, handshakesFailed, dialsFailed
    case shown, sent, conflicts, divergences, damage, copies

    /// The name of the metric.
    package var name: String {
        switch self {
        case .linksOpened: "parley_links_opened_total"
        case .linksClosed: "parley_links_closed_total"
        case .handshakesFailed: "parley_handshakes_failed_total"
        case .dialsFailed: "parley_dials_failed_total"
        case .shown: "parley_messages_shown_total"
        case .sent: "parley_messages_sent_total"
        case .conflicts: "parley_conflicts_total"
        case .divergences: "parley_divergences_total"
        case .damage: "parley_damage_reports_total"
        case .copies: "parley_copies_met_total"
        }
    }

    /// The event in a sentence for people.
    package var help: String {
        switch self {
        case .linksOpened: "Connections whose TLS handshake was done."
        case .linksClosed: "Links that have ended."
        case .handshakesFailed: "Connections that ended before they were links."
        case .dialsFailed: "Dials that reached nobody."
        case .shown: "Messages that were shown, those of this node included."
        case .sent: "Messages that this node wrote and has on disk."
        case .conflicts: "Changes of the heads of sessions in conflict."
        case .divergences: "Audits that found the store of a peer to differ."
        case .damage: "Sessions and pictures that were found damaged on disk."
        case .copies: "Meetings with another process that has the key of this device."
        }
    }
}

/// A histogram of durations.
package struct DurationHistogram: Equatable, Sendable {
    /// The upper bounds of the buckets, in seconds.
    package static let bounds = [
        0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The cumulative number of durations up to each bound.
    package private(set) var buckets = [UInt64](repeating: 0, count: bounds.count)
    package private(set) var count: UInt64 = 0
    /// All durations together, in seconds.
    package private(set) var sum = 0.0

    package init() {}

    package mutating func add(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        count += 1
        sum += seconds
        for (index, bound) in Self.bounds.enumerated() where seconds <= bound {
            buckets[index] += 1
        }
    }
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
