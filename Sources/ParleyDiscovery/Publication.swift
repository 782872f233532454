/// What a node announces of itself: a name, a port and a few words of text, never an address.
package struct Publication: Equatable, Sendable {
    /// The first 16 characters of the device ID, or as many as the caller chose.
    package let shortID: String
    /// The TCP port that the node listens on.
    package let port: UInt16
    /// The name for people; printable, at most `DiscoveryLimits.deviceNameBytes` bytes.
    package let deviceName: String
    /// The highest version of the protocol that the node speaks.
    package let version: UInt16

    /// Checks and cuts what is announced.
    ///
    /// The name may be any text: unprintable characters go, and it is cut at a scalar.
    ///
    /// - Throws: `shortIDMalformed`, `versionMalformed`, `portZero`.
    package init(
        shortID: String,
        port: UInt16,
        deviceName: String,
        version: UInt16
    ) throws(DiscoveryError) {
        guard ServiceText.isShortID(shortID) else { throw .shortIDMalformed }
        guard port > 0 else { throw .portZero }
        guard version > 0 else { throw .versionMalformed }
        self.shortID = shortID
        self.port = port
        self.deviceName = PrintableText.cleaned(
            deviceName,
            bytesMax: DiscoveryLimits.deviceNameBytes
        )
        self.version = version
    }

    /// `parley-` and the first 8 characters of the short ID: unique by construction.
    package var instanceName: String { "parley-\(shortID.prefix(8))" }

    /// The TXT record.
    package var text: ServiceText {
        ServiceText(version: version, shortID: shortID, deviceName: deviceName)
    }
}
