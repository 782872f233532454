import COpenSSL
import Glibc
import ParleyTransport

/// A TLS endpoint that violates the rules on purpose: OpenSSL on a blocking socket, with the
/// defaults of OpenSSL except where a test sets something else.
final class HandmadeTLS {
    struct Rules {
        var certificate = HandmadeCertificate.ed25519
        var isTLS12 = false
        /// The ALPN names; if empty, the extension is not sent.
        var protocols = ["parley"]
        var chainLength = 1
    }

    private let context: OpaquePointer
    private let stream: OpaquePointer
    private let peer: RawPeer

    init(_ peer: RawPeer, _ rules: Rules = Rules(), isServer: Bool = false) throws {
        // OpenSSL's own socket BIO writes without MSG_NOSIGNAL.
        signal(SIGPIPE, SIG_IGN)
        guard let context = SSL_CTX_new(TLS_method()) else { throw TestFailure("SSL_CTX_new") }
        guard let stream = SSL_new(context) else { throw TestFailure("SSL_new") }
        self.context = context
        self.stream = stream
        self.peer = peer
        if rules.isTLS12 {
            SSL_ctrl(stream, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        }
        let names = rules.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !names.isEmpty { SSL_set_alpn_protos(stream, names, UInt32(names.count)) }
        if isServer, rules.protocols == ["parley"] {
            SSL_CTX_set_alpn_select_cb(context, parley_choose_protocol, nil)
        }
        try rules.certificate.install(in: stream, chainLength: rules.chainLength)
        SSL_set_fd(stream, peer.number)
        if isServer { SSL_set_accept_state(stream) } else { SSL_set_connect_state(stream) }
    }

    deinit {
        SSL_free(stream)
        SSL_CTX_free(context)
    }

    /// Runs the handshake; returns whether it completed on this side.
    func handshake() -> Bool {
        ERR_clear_error()
        return SSL_do_handshake(stream) == 1
    }

    func send(_ bytes: [UInt8]) -> Bool {
        SSL_write(stream, bytes, Int32(bytes.count)) == Int32(bytes.count)
    }

    /// Seals a record for each byte and sends all of them together.
    func sendRecords(of bytes: [UInt8]) -> Bool {
        let socket = SSL_get_wbio(stream)
        let gathered = BIO_new(BIO_f_buffer())
        BIO_int_ctrl(gathered, BIO_C_SET_BUFF_SIZE, 256 << 10, 1)
        BIO_up_ref(socket)
        SSL_set0_wbio(stream, BIO_push(gathered, socket))
        let areSealed = bytes.allSatisfy { send([$0]) }
        let areSent = BIO_ctrl(gathered, BIO_CTRL_FLUSH, 0, nil) == 1
        BIO_up_ref(socket)
        SSL_set0_wbio(stream, socket)
        return areSealed && areSent
    }

    /// Changes the key of this side, and may ask the node to change its own.
    func updateKey(asks: Bool) -> Bool {
        let kind = asks ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED
        return SSL_key_update(stream, kind) == 1 && SSL_do_handshake(stream) == 1
    }

    /// Sends a session ticket, as a server may at any time.
    func sendTicket() -> Bool {
        SSL_new_session_ticket(stream) == 1 && SSL_do_handshake(stream) == 1
    }

    /// Reads until the end of TLS or of TCP; completes the handshake first if necessary.
    func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = SSL_read(stream, &buffer, Int32(buffer.count))
            guard count > 0 else { return all }
            all += buffer[..<Int(count)]
        }
    }

    func sendEnd() { SSL_shutdown(stream) }
}

/// The certificate that a `HandmadeTLS` presents.
enum HandmadeCertificate {
    case none
    case ed25519
    case ecdsa

    func install(in stream: OpaquePointer, chainLength: Int) throws {
        let key: OpaquePointer
        switch self {
        case .none: return
        case .ed25519: key = try Self.generateKey("ED25519")
        case .ecdsa: key = try Self.generateKey("EC", group: "P-256")
        }
        defer { EVP_PKEY_free(key) }
        let certificate = try Self.certify(key, isHashed: self == .ecdsa)
        defer { X509_free(certificate) }
        guard SSL_use_certificate(stream, certificate) == 1, SSL_use_PrivateKey(stream, key) == 1
        else { throw TestFailure("certificate refused") }
        for _ in 1..<chainLength { try Self.appendToChain(certificate, in: stream) }
    }

    private static func generateKey(_ name: String, group: String? = nil) throws -> OpaquePointer {
        let context = EVP_PKEY_CTX_new_from_name(nil, name, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        EVP_PKEY_keygen_init(context)
        if let group { EVP_PKEY_CTX_set_group_name(context, group) }
        guard EVP_PKEY_generate(context, &key) == 1, let key else { throw TestFailure(name) }
        return key
    }

    private static func appendToChain(
        _ certificate: OpaquePointer,
        in stream: OpaquePointer
    ) throws {
        let copying = 1
        let pointer = UnsafeMutableRawPointer(certificate)
        guard SSL_ctrl(stream, SSL_CTRL_CHAIN_CERT, copying, pointer) == 1
        else { throw TestFailure("chain refused") }
    }

    /// A self-signed certificate that ended in 1970, which no peer may mind.
    private static func certify(_ key: OpaquePointer, isHashed: Bool) throws -> OpaquePointer {
        guard let certificate = X509_new() else { throw TestFailure("X509_new") }
        let name = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, Int(X509_VERSION_3)) == 1,
            ASN1_INTEGER_set(X509_get_serialNumber(certificate), 7) == 1,
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "somebody", -1, -1, 0) == 1,
            X509_set_issuer_name(certificate, name) == 1,
            ASN1_TIME_set_string(X509_getm_notBefore(certificate), "700101000000Z") == 1,
            ASN1_TIME_set_string(X509_getm_notAfter(certificate), "700101000001Z") == 1,
            X509_set_pubkey(certificate, key) == 1,
            X509_sign(certificate, key, isHashed ? EVP_sha256() : nil) > 0
        else {
            X509_free(certificate)
            throw TestFailure("no certificate")
        }
        return certificate
    }
}
