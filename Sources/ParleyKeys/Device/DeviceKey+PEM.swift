import Foundation
import ParleyCore

/// Why a text is not the private key of a device.
package enum DeviceKeyDefect: Error, Equatable, Sendable {
    case empty
    /// Longer than any Ed25519 key, in bytes.
    case tooLong(Int)
    /// There is no `BEGIN PRIVATE KEY` line first, or no `END PRIVATE KEY` line last.
    case notPrivateKeyPEM
    /// The content between the two lines is not base64.
    case notBase64
    /// The file holds a private key of another algorithm or encoding.
    case notEd25519
}

extension DeviceKey {
    /// The longest text that is read as a key, in bytes; the text that is written has 119.
    package static let pemBytesMax = 4_096

    /// The private key as PKCS#8 (RFC 8410) in PEM (RFC 7468), which OpenSSL can read; secret.
    package var pem: String {
        let encoded = Data(DeviceKey.privateKeyPrefix + rawPrivateKey).base64EncodedString()
        return "\(DeviceKey.firstLine)\n\(encoded)\n\(DeviceKey.lastLine)\n"
    }

    /// Reads the format of `pem`, also with lines that end in CR LF and with white space around the
    /// text.
    package init(pem text: [UInt8]) throws(DeviceKeyDefect) {
        guard text.count <= DeviceKey.pemBytesMax else { throw .tooLong(text.count) }
        let words = text.split { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
        guard !words.isEmpty else { throw .empty }
        let first = DeviceKey.firstLine.split(separator: " ").map { Array($0.utf8) }
        let last = DeviceKey.lastLine.split(separator: " ").map { Array($0.utf8) }
        let content = words.dropFirst(first.count).dropLast(last.count)
        guard words.prefix(first.count).map(Array.init) == first,
            words.suffix(last.count).map(Array.init) == last, !content.isEmpty
        else { throw .notPrivateKeyPEM }
        guard let der = Data(base64Encoded: Data(content.joined())) else { throw .notBase64 }
        let prefix = DeviceKey.privateKeyPrefix
        guard der.starts(with: prefix), let seed = Bytes32(Array(der.dropFirst(prefix.count)))
        else { throw .notEd25519 }
        self.init(seed: seed)
    }

    private static let firstLine = "-----BEGIN PRIVATE KEY-----"
    private static let lastLine = "-----END PRIVATE KEY-----"

    /// The DER bytes that precede the 32 bytes of an Ed25519 private key.
    private static let privateKeyPrefix: [UInt8] = [
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70,
        0x04, 0x22, 0x04, 0x20,
    ]
}
