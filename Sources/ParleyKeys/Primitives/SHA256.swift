import COpenSSL
package import ParleyCore

/// SHA-256 (FIPS 180-4) of bytes in several pieces, computed by OpenSSL.
///
/// The state is on the caller's stack. OpenSSL's newer functions (`EVP_Digest…`) would allocate the
/// state, which costs much for hashes of a few hundred bytes.
package struct SHA256 {
    private var state = SHA256_CTX()

    package init() { SHA256_Init(&state) }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> Bytes32 {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package static func hash(_ bytes: [UInt8]) -> Bytes32 { bytes.withUnsafeBytes { hash($0) } }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&state, bytes.baseAddress, bytes.count)
    }

    /// The hash of all bytes so far; callable once.
    package mutating func finish() -> Bytes32 {
        Bytes32 { SHA256_Final($0, &state) }
    }
}
