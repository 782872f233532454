/// Why a connection, a dial or a listener failed or ended.
package enum TransportError: Error, Hashable, Sendable {
    // MARK: TLS

    /// TLS was not complete within the deadline.
    case handshakeTimeout
    /// The peer does not speak TLS: a plain-text client, or random bytes.
    case notTLS
    /// The peer speaks TLS, but not version 1.3.
    case wrongVersion
    /// The peer does not offer or choose a protocol of ours.
    case wrongProtocol
    /// The peer showed no certificate.
    case noPeerCertificate
    /// The peer showed more than its own certificate.
    case certificateChain
    /// The peer's certificate is not for an Ed25519 key.
    case notEd25519
    /// The peer refused the connection with this alert (RFC 8446, section 6).
    case alert(UInt8, String)
    /// A record failed authentication: bytes were changed in transit.
    case corrupted
    /// The peer broke the rules of TLS in some other way; the text is OpenSSL's.
    case violation(String)
    /// The peer causes TLS to send answers and does not read them.
    case unread

    // MARK: TCP

    /// Nobody answered within the deadline.
    case connectTimeout
    /// Nothing listens on that port.
    case refused
    /// There is no route to that address.
    case unreachable
    /// The peer, or a middlebox, reset the connection.
    case reset
    /// The peer stopped acknowledging.
    case timedOut
    /// The peer closed the connection cleanly.
    case closedByPeer
    /// The stream ended without the peer's closing record (close_notify).
    case truncated
    /// This node closed the connection, and the peer has closed too or the close timeout has
    /// passed.
    case closedHere
    /// A system call failed with an error that has no case of its own.
    case system(call: String, errno: Int32)

    // MARK: Listening, dialling, starting

    /// Another program listens on this port.
    case portInUse(UInt16)
    /// The address does not belong to this machine.
    case addressNotHere(SocketAddress)
    /// A port below 1,024 needs a privilege.
    case portNotPermitted(UInt16)
    /// The name has no address, or no name server answered; the text is the resolver's.
    case nameNotFound(String, String)
    /// The bytes of the private key are not a valid key.
    case badIdentity
    /// OpenSSL could not be set up; the text is OpenSSL's.
    case setup(String)
}

extension TransportError {
    /// Whether the peer broke the protocol; false if the connection only ended.
    package var isViolation: Bool {
        switch self {
        case .notTLS, .wrongVersion, .wrongProtocol, .noPeerCertificate, .certificateChain,
            .notEd25519, .alert, .corrupted, .violation, .unread:
            true
        case .handshakeTimeout, .connectTimeout, .refused, .unreachable, .reset, .timedOut,
            .closedByPeer, .truncated, .closedHere, .system, .portInUse, .addressNotHere,
            .portNotPermitted, .nameNotFound, .badIdentity, .setup:
            false
        }
    }
}
