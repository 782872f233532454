import COpenSSL

/// The state that all TLS streams of one loop share: the identity, the rules, and the window.
final class TLSContext {
    let pointer: OpaquePointer
    let window: TLSWindow
    let recordsPerKey: Int
    let recordsBetweenKeyUpdates: Int
    private let method: OpaquePointer

    /// - Throws: `TransportError.setup` if this OpenSSL lacks a feature that the protocol needs.
    init(identity: TransportIdentity, settings: TransportSettings) throws(TransportError) {
        guard let pointer = SSL_CTX_new(TLS_method()) else { throw TLSFailure.setup() }
        guard let method = parley_window_method() else {
            SSL_CTX_free(pointer)
            throw TLSFailure.setup()
        }
        self.pointer = pointer
        self.method = method
        window = TLSWindow(readBytes: settings.readBytes)
        recordsPerKey = settings.recordsPerKey
        recordsBetweenKeyUpdates = settings.recordsBetweenKeyUpdates
        try applyRules()
        try install(identity)
    }

    deinit {
        SSL_CTX_free(pointer)
        BIO_meth_free(method)
    }

    /// Makes a BIO over the window, owned by the stream that receives it.
    func makeBIO() -> OpaquePointer? {
        parley_window_bio(method, window.state)
    }

    private func applyRules() throws(TransportError) {
        // Only Ed25519 certificates are accepted. The other algorithms are offered so that a peer
        // presents another certificate, if any, and is refused.
        let signatures = "ed25519:ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256"
        guard parley_ctx_only_tls13(pointer) == 1,
            SSL_CTX_set_ciphersuites(pointer, "TLS_AES_128_GCM_SHA256") == 1,
            parley_ctx_set_groups(pointer, "X25519") == 1,
            parley_ctx_set_signatures(pointer, signatures) == 1,
            SSL_CTX_set_num_tickets(pointer, 0) == 1,
            SSL_CTX_set_max_early_data(pointer, 0) == 1
        else { throw TLSFailure.setup() }
        parley_ctx_set_checks(pointer)
        parley_ctx_set_options(pointer)
        parley_ctx_set_session_cache_off(pointer)
        parley_ctx_set_mode(pointer, Int(SSL_MODE_RELEASE_BUFFERS))
        parley_ctx_watch(pointer, window.state)
    }

    private func install(_ identity: TransportIdentity) throws(TransportError) {
        let count = Int32(identity.certificate.count)
        guard SSL_CTX_use_certificate_ASN1(pointer, count, identity.certificate) == 1 else {
            throw TLSFailure.setup()
        }
        let key = EVP_PKEY_new_raw_private_key(
            EVP_PKEY_ED25519,
            nil,
            identity.privateKey,
            identity.privateKey.count
        )
        defer { EVP_PKEY_free(key) }
        guard let key, SSL_CTX_use_PrivateKey(pointer, key) == 1 else { throw TLSFailure.setup() }
    }
}
