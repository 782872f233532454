/// The service that a node announces: its short ID, port, name and version, but no address.
package struct Publication: Equatable, Sendable {
    /// The start of the device ID; the node uses 16 characters.
    package let shortID: String
    /// The TCP port that the node listens on.
    package let port: UInt16
    /// The name for people; printable, at most `DiscoveryLimits.deviceNameBytes` bytes.
    package let deviceName: String
    /// The highest version of the protocol that the node speaks.
    package let version: UInt16
    /// The indices of the interfaces on which the port can be reached; nil for all.
    package let interfaces: Set<UInt32>?

    /// Makes a publication from checked values.
    ///
    /// `deviceName` may be any text: unprintable characters are removed, and it is truncated at a
    /// scalar.
    ///
    /// - Throws: `shortIDMalformed`, `versionMalformed`, `portZero`.
    package init(
        shortID: String,
        port: UInt16,
        deviceName: String,
        version: UInt16,
        interfaces: Set<UInt32>? = nil
    ) throws(DiscoveryError) {
        guard ServiceText.isShortID(shortID) else { throw .shortIDMalformed }
        guard port > 0 else { throw .portZero }
        guard version > 0 else { throw .versionMalformed }
        self.shortID = shortID
        self.port = port
        self.deviceName = NameText.cleaned(
            deviceName,
            bytesMax: DiscoveryLimits.deviceNameBytes
        )
        self.version = version
        self.interfaces = interfaces
    }

    /// `parley-` and the first 8 characters of the short ID: unique by construction.
    package var instanceName: String { "parley-\(shortID.prefix(8))" }

    /// The TXT record.
    package var text: ServiceText {
        ServiceText(version: version, shortID: shortID, deviceName: deviceName)
    }
}
