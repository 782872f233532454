import Glibc

extension TransportError: CustomStringConvertible {
    /// One sentence without a full stop, for log lines and error messages.
    package var description: String {
        switch self {
        case .handshakeTimeout: "the TLS handshake took too long"
        case .notTLS: "the peer does not speak TLS"
        case .wrongVersion: "the peer does not speak TLS 1.3"
        case .wrongProtocol: "the peer does not speak the protocol parley"
        case .noPeerCertificate: "the peer showed no certificate"
        case .certificateChain: "the peer showed more than one certificate"
        case .notEd25519: "the peer's certificate is not for an Ed25519 key"
        case .alert(let number, let text): "the peer refused with TLS alert \(number) (\(text))"
        case .corrupted: "bytes were changed in transit"
        case .violation(let text): "the peer broke the rules of TLS (\(text))"
        case .unread: "the peer asks for answers that it does not read"
        case .connectTimeout: "the address did not answer in time"
        case .refused: "nothing listens on that port"
        case .unreachable: "there is no route to that address"
        case .reset: "the connection was reset"
        case .timedOut: "the peer stopped answering"
        case .closedByPeer: "the peer closed the connection"
        case .truncated: "the connection ended without being closed"
        case .closedHere: "this node closed the connection"
        case .system(let call, let number): "\(call): \(Self.text(of: number))"
        case .portInUse(let port): "another program listens on port \(port)"
        case .addressNotHere(let address): "\(address) is not an address of this machine"
        case .portNotPermitted(let port): "port \(port) needs a privilege"
        case .nameNotFound(let name, let text): "the name \(name) was not found (\(text))"
        case .badIdentity: "the device key is not an Ed25519 key"
        case .setup(let text): "OpenSSL could not be set up (\(text))"
        }
    }

    /// The system's text for an `errno`.
    static func text(of number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
