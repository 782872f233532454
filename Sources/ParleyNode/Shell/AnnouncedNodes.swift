import ParleyCore
package import ParleyDiscovery
import ParleyKeys

/// The nodes that are announced at present, each once for every address.
///
/// The address book has one entry for each address, whoever announced it. If several nodes announce
/// the same address, only one can be right, but people want to see all.
package struct AnnouncedNodes {
    /// An announced node at one address.
    package struct Entry: Hashable {
        package let shortID: String
        package let name: String
        package let address: String

        /// The first eight bytes of the claimed device ID; nil if `shortID` is malformed.
        package var hint: UInt64? { DeviceID.hint(announced: shortID) }
    }

    private var nodes: [Sighting: Entry] = [:]

    /// Makes an empty table.
    package init() {}

    /// The announced nodes in the order of their addresses.
    package var all: [Entry] {
        Set(nodes.values).sorted {
            ($0.address, $0.shortID, $0.name) < ($1.address, $1.shortID, $1.name)
        }
    }

    /// A node was found, or found again.
    ///
    /// - Returns: the node's earlier address, if nobody announces it any more.
    package mutating func found(_ service: DiscoveredService, at address: String) -> String? {
        let before = nodes[service.sighting]?.address
        guard before != nil || nodes.count < DiscoveryLimits.services else { return nil }
        nodes[service.sighting] = Entry(
            shortID: service.shortID,
            name: service.deviceName,
            address: address
        )
        return before.flatMap(unannounced)
    }

    /// A sighting was withdrawn.
    ///
    /// - Returns: the address, if nobody announces it any more.
    package mutating func lost(_ sighting: Sighting) -> String? {
        (nodes.removeValue(forKey: sighting)?.address).flatMap(unannounced)
    }

    /// The address, if no node is announced there.
    private func unannounced(_ address: String) -> String? {
        nodes.values.contains { $0.address == address } ? nil : address
    }
}
