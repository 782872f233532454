/// What both ends speak inside of TLS, by its name in ALPN.
package enum TransportProtocol: String, Sendable, CaseIterable {
    /// Frames.
    case link = "parley"
    /// One file, in one direction.
    case file = "parley-file"
}
