/// A connection whose TLS handshake is done.
package struct OpenedLink: Sendable, Equatable {
    package let id: LinkID
    /// The dial that made the connection; nil if the peer dialled.
    package let dial: DialID?
    /// The raw Ed25519 key of the peer's certificate.
    package let peerKey: Bytes32
    /// Keying material of this TLS session, the same on both sides.
    package let exporter: Bytes32
    /// The peer's address as text, for people: as it was dialled, if this node dialled.
    package let address: String
    /// The number to which a name in `address` was resolved.
    package let remote: String

    /// A connection; without `remote`, the address has no name.
    package init(
        id: LinkID,
        dial: DialID?,
        peerKey: Bytes32,
        exporter: Bytes32,
        address: String,
        remote: String? = nil
    ) {
        self.remote = remote ?? address
        self.id = id
        self.dial = dial
        self.peerKey = peerKey
        self.exporter = exporter
        self.address = address
    }
}
