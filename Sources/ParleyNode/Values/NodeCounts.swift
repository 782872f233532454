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
