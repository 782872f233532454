import Metrics
import ParleyCore

/// The counters of a node in swift-metrics; every series exists from the start.
struct NodeMetrics {
    let linksOpened = Counter(label: "parley_links_opened_total")
    let linksClosed = Counter(label: "parley_links_closed_total")
    let handshakesFailed = Counter(label: "parley_handshakes_failed_total")
    let shown = Counter(label: "parley_messages_shown_total")
    let sent = Counter(label: "parley_messages_sent_total")
    let conflicts = Counter(label: "parley_conflicts_total")
    let divergences = Counter(label: "parley_divergences_total")
    let damage = Counter(label: "parley_damage_reports_total")
    private let refusals: [String: Counter]

    init() {
        let reasons = [
            "malformed", "unexpected", "uncertified", "badCertificate", "badProof", "badBlob",
            "overLimit", "incompatible", "contradictory",
        ]
        refusals = Dictionary(
            uniqueKeysWithValues: reasons.map { reason in
                (reason, Counter(label: "parley_refusals_total", dimensions: [("reason", reason)]))
            }
        )
    }

    func refused(_ refusal: Refusal) {
        refusals[refusal.name]?.increment()
    }
}

extension Refusal {
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
