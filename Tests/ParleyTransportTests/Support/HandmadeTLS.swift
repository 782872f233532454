import COpenSSL
import Crypto
import FoundationEssentials
import Glibc
import ParleyTransport
import SwiftASN1
import X509

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
        switch self {
        case .none:
            return
        case .ed25519:
            let key = Curve25519.Signing.PrivateKey()
            let raw = Array(key.rawRepresentation)
            let handle = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, raw, raw.count)
            let certificate = try Self.certify(Certificate.PrivateKey(key))
            try Self.use(certificate, handle, in: stream)
            for _ in 1..<chainLength { try Self.appendToChain(certificate, in: stream) }
        case .ecdsa:
            let key = P256.Signing.PrivateKey()
            let der = Array(key.derRepresentation)
            let handle = der.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return d2i_AutoPrivateKey(nil, &start, bytes.count)
            }
            try Self.use(Self.certify(Certificate.PrivateKey(key)), handle, in: stream)
        }
    }

    private static func use(
        _ certificate: [UInt8],
        _ key: OpaquePointer?,
        in stream: OpaquePointer
    ) throws {
        defer { EVP_PKEY_free(key) }
        guard SSL_use_certificate_ASN1(stream, certificate, Int32(certificate.count)) == 1,
            SSL_use_PrivateKey(stream, key) == 1
        else { throw TestFailure("certificate refused") }
    }

    private static func appendToChain(_ der: [UInt8], in stream: OpaquePointer) throws {
        let certificate = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        defer { X509_free(certificate) }
        let copying = 1
        guard
            SSL_ctrl(
                stream,
                SSL_CTRL_CHAIN_CERT,
                copying,
                certificate.map(UnsafeMutableRawPointer.init)
            )
                == 1
        else { throw TestFailure("chain refused") }
    }

    private static func certify(_ key: Certificate.PrivateKey) throws -> [UInt8] {
        let name = try DistinguishedName { CommonName("somebody") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSince1970: 0),
            notValidAfter: Date(timeIntervalSince1970: 1),
            issuer: name,
            subject: name,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: key
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
