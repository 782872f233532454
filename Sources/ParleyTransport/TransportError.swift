/// Why a connection, a dial or a listener failed or ended.
package enum TransportError: Error, Hashable, Sendable {
    // MARK: TLS

    /// TLS was not complete within the deadline.
    case handshakeTimeout
    /// The peer does not speak TLS: a plain-text client, or random bytes.
    case notTLS
    /// The peer speaks TLS but no version that we do.
    case wrongVersion
    /// The peer does not offer or choose the protocol `parley`.
    case wrongProtocol
    /// The peer showed no certificate.
    case noPeerCertificate
    /// The peer showed more than its own certificate.
    case certificateChain
    /// The peer's certificate is not for an Ed25519 key.
    case notEd25519
    /// The peer refused us with this alert (RFC 8446, section 6).
    case alert(UInt8, String)
    /// A record did not open: bytes were changed on the way.
    case corrupted
    /// The peer broke the rules of TLS in some other way; the text is OpenSSL's.
    case violation(String)
    /// The peer makes us answer and does not read the answers.
    case unread

    // MARK: TCP

    /// Nobody answered within the deadline.
    case connectTimeout
    /// Nobody listens there.
    case refused
    /// There is no way to that address.
    case unreachable
    /// The peer, or something between, cut the connection.
    case reset
    /// The peer stopped acknowledging.
    case timedOut
    /// The peer closed in good order.
    case closedByPeer
    /// The stream ended without the peer's closing record: cut off, not closed.
    case truncated
    /// We closed; the peer has seen the end or had its time.
    case closedHere
    /// A system call failed in a way that has no case of its own.
    case system(call: String, errno: Int32)

    // MARK: Listening, dialling, starting

    /// Another program listens on this port.
    case portInUse(UInt16)
    /// This address is not one of this machine.
    case addressNotHere(SocketAddress)
    /// A port below 1,024 needs a privilege.
    case portNotPermitted(UInt16)
    /// The name has no address, or nobody could be asked; the text is the resolver's.
    case nameNotFound(String, String)
    /// Another device than the wanted one answered.
    case otherDevice
    /// A dial was asked for with no address.
    case noAddress
    /// The bytes given as private key are not one.
    case badIdentity
    /// OpenSSL could not be set up; the text is its own.
    case setup(String)
}
