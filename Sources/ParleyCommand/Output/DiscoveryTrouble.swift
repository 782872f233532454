package import ParleyAPI
import ParleyNode

/// Why a node does not find other devices by itself, and the remedy.
package struct DiscoveryTrouble: Hashable, Sendable {
    /// The state, in one sentence.
    package let message: String
    /// The remedy.
    package let hint: String

    /// The trouble in a status of discovery; nil if there is none.
    package init?(_ discovery: DiscoveryStatus) {
        switch discovery.state {
        case .off:
            message = "This node does not look for other devices: discovery is off."
            hint =
                "Start it without --no-discovery (in its configuration: discovery: yes), or give "
                + "it an address with --peer HOST:PORT."
        case .waitingForBus, .waitingForDaemon:
            message = "This node cannot look for other devices: it is \(discovery.detail)."
            hint =
                "Start avahi-daemon with: \(DiscoveryRemedy.startDaemon), or give the node an "
                + "address with --peer HOST:PORT."
        case .noInterface:
            message = "This node is \(discovery.detail)."
            hint =
                "`ip -br address` lists the interfaces and their addresses: start the node with "
                + "one of them, or without these options."
        default: return nil
        }
    }
}
