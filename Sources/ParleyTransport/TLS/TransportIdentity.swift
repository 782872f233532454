import COpenSSL
package import ParleyCore

/// The identity of a node in TLS: its device key and a certificate for that key.
///
/// The certificate is self-signed. Peers ignore its dates and names and identify the node by the
/// key alone.
package struct TransportIdentity: Sendable {
    /// The raw Ed25519 public key.
    package let publicKey: Bytes32
    /// The raw Ed25519 private key, 32 bytes.
    let privateKey: [UInt8]
    /// The certificate as DER.
    let certificate: [UInt8]

    /// Makes the certificate of a device.
    ///
    /// - Parameter privateKey: The raw Ed25519 private key (the seed of RFC 8032), 32 bytes.
    /// - Throws: `TransportError.badIdentity` if `privateKey` is not a key.
    package init(privateKey: [UInt8]) throws(TransportError) {
        parley_openssl_start()
        let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, privateKey, privateKey.count)
        defer {
            EVP_PKEY_free(key)
            ERR_clear_error()
        }
        guard let key, let publicKey = Self.publicKey(of: key), let certificate = Self.certify(key)
        else { throw .badIdentity }
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.certificate = certificate
    }

    private static func publicKey(of key: OpaquePointer) -> Bytes32? {
        var raw = [UInt8](repeating: 0, count: Bytes32.count)
        var count = raw.count
        guard EVP_PKEY_get_raw_public_key(key, &raw, &count) == 1 else { return nil }
        return Bytes32(Array(raw[..<count]))
    }

    /// The DER of a certificate for `key`, valid from 1970 to 9999.
    private static func certify(_ key: OpaquePointer) -> [UInt8]? {
        let certificate = X509_new()
        defer { X509_free(certificate) }
        let name = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, Int(X509_VERSION_3)) == 1,
            ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1,
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "parley", -1, -1, 0) == 1,
            X509_set_issuer_name(certificate, name) == 1,
            ASN1_TIME_set_string(X509_getm_notBefore(certificate), "700101000000Z") == 1,
            ASN1_TIME_set_string(X509_getm_notAfter(certificate), "99991231235959Z") == 1,
            X509_set_pubkey(certificate, key) == 1,
            X509_sign(certificate, key, nil) > 0
        else { return nil }
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &der)
        defer { free(der) }
        guard count > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: der, count: Int(count)))
    }
}
