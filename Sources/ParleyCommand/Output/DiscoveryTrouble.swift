import ParleyNode

/// Why a node does not find other devices by itself, and what helps.
package struct DiscoveryTrouble: Hashable, Sendable {
    /// The state, in one sentence.
    package let message: String
    /// The remedy.
    package let hint: String

    /// The trouble of a node whose status names this state of discovery; nil if there is none.
    package init?(_ discovery: String) {
        if discovery == "off" {
            message = "This node does not look for other devices: discovery is off."
            hint =
                "Start it without --no-discovery (in its configuration: discovery: yes), or give "
                + "it an address with --peer HOST:PORT."
        } else if discovery.hasPrefix("waiting") {
            message = "This node cannot look for other devices: it is \(discovery)."
            hint =
                "Start avahi-daemon with: \(DiscoveryRemedy.startDaemon), or give the node an "
                + "address with --peer HOST:PORT."
        } else if discovery.hasPrefix("not announced") {
            message = "This node is \(discovery)."
            hint =
                "`ip -br address` lists the interfaces and their addresses: start the node with "
                + "one of them, or without these options."
        } else {
            return nil
        }
    }
}
