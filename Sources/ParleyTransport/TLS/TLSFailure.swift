import COpenSSL

/// Converts OpenSSL's error queue, which is per thread, to a `TransportError`.
enum TLSFailure {
    /// The reason code of a received alert is this offset plus the number of the alert.
    private static let alertOffset: Int32 = 1000

    /// The error of the last operation on `stream`; empties the queue.
    static func reason(of stream: OpaquePointer) -> TransportError {
        let code = ERR_peek_error()
        ERR_clear_error()
        guard code != 0 else { return .violation("no reason given") }
        let reason = ERR_GET_REASON(code)
        return switch reason {
        case SSL_R_CERTIFICATE_VERIFY_FAILED: refusal(of: stream)
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: .noPeerCertificate
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: .notTLS
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_VERSION_NUMBER, SSL_R_WRONG_SSL_VERSION,
            SSL_R_UNKNOWN_PROTOCOL, SSL_R_VERSION_TOO_LOW:
            .wrongVersion
        case SSL_R_NO_APPLICATION_PROTOCOL, SSL_R_CALLBACK_FAILED: .wrongProtocol
        case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC: .corrupted
        case let reason where reason >= alertOffset && reason < alertOffset + 256:
            alert(UInt8(reason - alertOffset))
        default: .violation(text(of: code))
        }
    }

    /// The error of a failed set-up call; empties the queue.
    static func setup() -> TransportError {
        let code = ERR_peek_error()
        ERR_clear_error()
        return .setup(text(of: code))
    }

    private static func alert(_ number: UInt8) -> TransportError {
        switch Int32(number) {
        case SSL_AD_NO_APPLICATION_PROTOCOL: .wrongProtocol
        case SSL_AD_PROTOCOL_VERSION: .wrongVersion
        case SSL_AD_BAD_RECORD_MAC: .corrupted
        default: .alert(number, String(cString: SSL_alert_desc_string_long(Int32(number))))
        }
    }

    private static func refusal(of stream: OpaquePointer) -> TransportError {
        switch Int32(truncatingIfNeeded: SSL_get_verify_result(stream)) {
        case X509_V_ERR_CERT_CHAIN_TOO_LONG: .certificateChain
        default: .notEd25519
        }
    }

    private static func text(of code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "code \(code)"
    }
}
