/// A node as discovered on one interface with one version of IP.
///
/// Services with the same `shortID` belong to one node. No value is authenticated: only a link
/// proves the identity of the node.
package struct DiscoveredService: Hashable, Sendable {
    /// The instance name, interface and version of IP.
    package let sighting: Sighting
    /// The start of the device ID that the node claims, 8 to 64 ASCII letters and digits.
    package let shortID: String
    /// The name for people, printable, possibly empty.
    package let deviceName: String
    /// The highest version of the protocol that the node speaks.
    package let version: UInt16
    /// The IP address, 4 or 16 bytes in network order.
    package let address: [UInt8]
    /// The TCP port, not 0.
    package let port: UInt16

    package init(
        sighting: Sighting,
        shortID: String,
        deviceName: String,
        version: UInt16,
        address: [UInt8],
        port: UInt16
    ) {
        self.sighting = sighting
        self.shortID = shortID
        self.deviceName = deviceName
        self.version = version
        self.address = address
        self.port = port
    }

    package var instanceName: String { sighting.instanceName }
    package var interfaceIndex: Int32 { sighting.interfaceIndex }
    package var interfaceName: String { sighting.interfaceName }
    package var isIPv6: Bool { sighting.isIPv6 }
}

/// An instance name on one interface with one version of IP.
package struct Sighting: Hashable, Sendable {
    /// The name in mDNS: printable, at most 63 bytes.
    package let instanceName: String
    /// The index of the interface, which is the scope of a link-local address.
    package let interfaceIndex: Int32
    /// The name of the interface; empty if the interface does not exist any more.
    package let interfaceName: String
    package let isIPv6: Bool

    package init(
        instanceName: String,
        interfaceIndex: Int32,
        interfaceName: String,
        isIPv6: Bool
    ) {
        self.instanceName = instanceName
        self.interfaceIndex = interfaceIndex
        self.interfaceName = interfaceName
        self.isIPv6 = isIPv6
    }
}
