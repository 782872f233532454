import Crypto
import FoundationEssentials
package import ParleyCore
import SwiftASN1
import X509

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
        do {
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: privateKey)
            guard let publicKey = Bytes32(Array(key.publicKey.rawRepresentation)) else {
                throw TransportError.badIdentity
            }
            self.publicKey = publicKey
            self.privateKey = privateKey
            certificate = try Self.certify(key)
        } catch {
            throw .badIdentity
        }
    }

    private static func certify(_ key: Curve25519.Signing.PrivateKey) throws -> [UInt8] {
        let name = try DistinguishedName { CommonName("parley") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(bytes: [1]),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date(timeIntervalSince1970: 0),
            notValidAfter: Date(timeIntervalSince1970: 253_402_300_799),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ed25519,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
