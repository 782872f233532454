import ParleyCore
package import ParleyDiscovery
import ParleyKeys

/// The nodes that are announced at present, each once for every address.
///
/// The address book of the machine has one entry for each address, because an address is dialled
/// once whoever announced it. Several nodes may announce the same address, all but one of them
/// wrongly, and people want to see all of them.
package struct AnnouncedNodes {
    /// A node at an address, as it is announced.
    package struct Node: Hashable {
        package let shortID: String
        package let name: String
        package let address: String

        /// The first eight bytes of the device ID that the node claims, if its short ID is one.
        package var hint: UInt64? { DeviceID.hint(announced: shortID) }
    }

    private var nodes: [Sighting: Node] = [:]

    /// Nobody is announced.
    package init() {}

    /// The announced nodes in the order of their addresses.
    package var all: [Node] {
        Set(nodes.values).sorted {
            ($0.address, $0.shortID, $0.name) < ($1.address, $1.shortID, $1.name)
        }
    }

    /// A node was found, or found again.
    ///
    /// - Returns: the address at which it was found before, if nobody announces that any more.
    package mutating func found(_ service: DiscoveredService, at address: String) -> String? {
        let before = nodes[service.sighting]?.address
        guard before != nil || nodes.count < DiscoveryLimits.services else { return nil }
        nodes[service.sighting] = Node(
            shortID: service.shortID,
            name: service.deviceName,
            address: address
        )
        return before.flatMap(unannounced)
    }

    /// A sighting was withdrawn.
    ///
    /// - Returns: its address, if nobody announces that any more.
    package mutating func lost(_ sighting: Sighting) -> String? {
        (nodes.removeValue(forKey: sighting)?.address).flatMap(unannounced)
    }

    /// The address, if no node is announced there.
    private func unannounced(_ address: String) -> String? {
        nodes.values.contains { $0.address == address } ? nil : address
    }
}
