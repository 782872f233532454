import COpenSSL
import ParleyCore

/// AES-256-GCM (NIST SP 800-38D) with a 96-bit nonce and a 128-bit tag, computed by OpenSSL.
enum AES256GCM {
    private static let nonceBytes = 12
    private static let tagBytes = 16

    /// - Returns: nonce (12 bytes), ciphertext (as many bytes as `plaintext`) and tag (16 bytes).
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: Bytes32,
        nonce: SealNonce,
        authenticating header: UnsafeRawBufferPointer
    ) -> [UInt8] {
        let count = nonceBytes + plaintext.count + tagBytes
        return [UInt8](unsafeUninitializedCapacity: count) { sealed, initialized in
            nonce.withRawBytes { UnsafeMutableRawBufferPointer(sealed).copyMemory(from: $0) }
            let context = Context(key: key, nonce: UnsafeRawBufferPointer(sealed), seals: true)
            let tag = sealed.baseAddress.map { $0 + nonceBytes + plaintext.count }
            guard context.authenticate(header),
                context.transform(plaintext, to: sealed.baseAddress.map { $0 + nonceBytes }),
                context.finish(at: tag),
                context.control(EVP_CTRL_AEAD_GET_TAG, tag)
            else { preconditionFailure("OpenSSL has no AES-256-GCM, or no memory") }
            initialized = count
        }
    }

    /// Opens `sealed`: nonce, ciphertext and tag, as `seal` returns them; at least 28 bytes.
    ///
    /// - Returns: the plaintext, or nil if `sealed` or `header` was changed or `key` is another.
    static func open(
        _ sealed: UnsafeRawBufferPointer,
        key: Bytes32,
        authenticating header: UnsafeRawBufferPointer
    ) -> [UInt8]? {
        let end = sealed.count - tagBytes
        var isAuthentic = false
        let count = end - nonceBytes
        let plaintext = [UInt8](unsafeUninitializedCapacity: count) { plain, initialized in
            let context = Context(key: key, nonce: sealed, seals: false)
            // OpenSSL copies the tag and does not write to it, though the parameter is mutable.
            let tag = UnsafeMutableRawPointer(mutating: sealed.baseAddress.map { $0 + end })
            isAuthentic =
                context.authenticate(header)
                && context.transform(
                    UnsafeRawBufferPointer(rebasing: sealed[nonceBytes..<end]),
                    to: plain.baseAddress
                )
                && context.control(EVP_CTRL_AEAD_SET_TAG, tag)
                && context.finish(at: plain.baseAddress)
            initialized = isAuthentic ? count : 0
        }
        return isAuthentic ? plaintext : nil
    }

    /// The state of one sealing or opening.
    private struct Context: ~Copyable {
        private let pointer: OpaquePointer?

        /// The first 12 bytes of `nonce` are the nonce.
        init(key: Bytes32, nonce: UnsafeRawBufferPointer, seals: Bool) {
            let cipher = Cipher.aes256GCM
            pointer = EVP_CIPHER_CTX_new()
            key.withRawBytes { key in
                _ = EVP_CipherInit_ex2(
                    pointer,
                    cipher.pointer,
                    key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    nonce.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    seals ? 1 : 0,
                    nil
                )
            }
        }

        deinit { EVP_CIPHER_CTX_free(pointer) }

        func authenticate(_ header: UnsafeRawBufferPointer) -> Bool {
            transform(header, to: nil)
        }

        /// Encrypts or decrypts `bytes` to `output`; without `output` they are authenticated only.
        func transform(
            _ bytes: UnsafeRawBufferPointer,
            to output: UnsafeMutablePointer<UInt8>?
        ) -> Bool {
            guard !bytes.isEmpty else { return true }
            let input = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var written: Int32 = 0
            return EVP_CipherUpdate(pointer, output, &written, input, Int32(bytes.count)) == 1
        }

        /// Makes the tag, or checks it.
        ///
        /// GCM writes nothing at `end`, but OpenSSL wants a pointer.
        func finish(at end: UnsafeMutablePointer<UInt8>?) -> Bool {
            var spare: UInt8 = 0
            var written: Int32 = 0
            guard let end else { return EVP_CipherFinal_ex(pointer, &spare, &written) == 1 }
            return EVP_CipherFinal_ex(pointer, end, &written) == 1
        }

        func control(_ command: Int32, _ tag: UnsafeMutableRawPointer?) -> Bool {
            EVP_CIPHER_CTX_ctrl(pointer, command, Int32(tagBytes), tag) == 1
        }
    }

    /// An algorithm of OpenSSL, fetched once because fetching costs more than sealing.
    private struct Cipher: @unchecked Sendable {
        // Nothing writes to the handle after `EVP_CIPHER_fetch`, and it is never freed.
        let pointer: OpaquePointer?

        static let aes256GCM: Cipher = {
            parley_openssl_start()
            return Cipher(pointer: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
        }()
    }
}
