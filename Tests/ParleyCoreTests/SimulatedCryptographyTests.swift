import ParleyCore
import ParleyFaults
import Testing

/// The stand-in behaves towards honest code as real cryptography does.
@Suite struct SimulatedCryptographyTests {
    private let cryptography = SimulatedCryptography(seed: 1)

    @Test func opensWhatItSealed() {
        let plaintext = Array("a board".utf8)
        let sealed = seal(plaintext)
        #expect(sealed.count == plaintext.count + SealNonce.overhead)
        #expect(open(sealed, header: [1]) == plaintext)
        #expect(open(sealed, header: [2]) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(open(changed, header: [1]) == nil)
        }
    }

    @Test func signaturesBelongToOneKeyAndText() {
        let other = SimulatedCryptography(seed: 2)
        let text: [UInt8] = [1, 2, 3]
        let signature = cryptography.sign(text.span.bytes)
        #expect(verify(signature, of: text, by: cryptography.devicePublicKey))
        #expect(!verify(signature, of: text, by: other.devicePublicKey))
        #expect(!verify(signature, of: [1, 2, 4], by: cryptography.devicePublicKey))
    }

    @Test func hashesDiffer() {
        var random = SeededRandom(seed: 1)
        let inputs = (0..<1_000).map { random.bytes($0 % 100) + [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(Set(inputs.map { cryptography.sha256($0) }).count == inputs.count)
    }

    @Test func hashesDoNotDependOnWhereBytesLie() {
        var random = SeededRandom(seed: 2)
        for count in 0...40 {
            let bytes = Slice(random.bytes(count))
            for first in 0...count {
                let hash = bytes.withBytes {
                    cryptography.sha256($0.extracting(..<first), then: $0.extracting(first...))
                }
                #expect(hash == cryptography.sha256(bytes))
            }
        }
    }

    private func verify(_ signature: Signature, of text: [UInt8], by key: Bytes32) -> Bool {
        cryptography.verify(signature, of: text.span.bytes, by: key)
    }

    private func seal(_ plaintext: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [1]
        return cryptography.seal(
            plaintext.span.bytes,
            key: .zero,
            nonce: SealNonce(high: 1, low: 2),
            authenticating: header.span.bytes
        )
    }

    private func open(_ sealed: [UInt8], header: [UInt8]) -> [UInt8]? {
        cryptography.open(sealed.span.bytes, key: .zero, authenticating: header.span.bytes)
    }
}
