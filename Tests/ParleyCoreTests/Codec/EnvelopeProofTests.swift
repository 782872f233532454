import ParleyCore
import ParleyFaults
import Testing

/// A proof holds for one digest and one device, alone or as part of a batch.
@Suite struct EnvelopeProofTests {
    private let author = SimulatedCryptography(seed: 1)
    private let reader = SimulatedCryptography(seed: 2)

    @Test func aSignatureHoldsForItsDigest() {
        let digest = Bytes32(1, 2, 3, 4)
        let proof = EnvelopeProof.single(author.sign(digest.bytes.span.bytes))
        #expect(proof.signedBytes(of: digest, using: reader) == digest.bytes)
        #expect(holds(proof, digest))
        #expect(!holds(proof, .zero))
        #expect(!proof.holds(for: digest, by: reader.devicePublicKey, using: reader))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 1_000, 1_024])
    func aBatchHoldsForEachOfItsDigests(count: Int) throws {
        let digests = (0..<UInt64(count)).map { Bytes32($0, 0, 0, 1) }
        let tree = BatchTree(digests: digests, using: author)
        let signature = author.sign(BatchTree.signedBytes(root: tree.root).span.bytes)
        for index in Set([0, 1, count / 2, count - 1]).filter({ $0 < count }) {
            let proof = tree.proof(at: index, signature: signature)
            let path = proof.path
            #expect(proof.isBatch && proof.index == index)
            #expect(1 << path.count >= count)
            #expect(path.count == 1 || 1 << (path.count - 1) < count)
            #expect(holds(proof, digests[index]))
            #expect(!holds(proof, .zero))
            #expect(try decode(encode(proof)) == proof)
            for other in 0..<min(8, 1 << path.count) where other != index {
                #expect(!holds(.batch(signature, index: other, path: path), digests[index]))
            }
            for step in path.indices {
                var changed = Array(path)
                changed[step] = Bytes32(9, 9, 9, 9)
                let proof = EnvelopeProof.batch(signature, index: index, path: ProofPath(changed))
                #expect(!holds(proof, digests[index]))
            }
        }
    }

    @Test func treesAreBuiltThisWay() {
        let digests = [Bytes32(1, 0, 0, 0), Bytes32(2, 0, 0, 0), Bytes32(3, 0, 0, 0)]
        let left = author.sha256([1] + digests[0].bytes + digests[1].bytes)
        let right = author.sha256([1] + digests[2].bytes + Bytes32.zero.bytes)
        let root = author.sha256([1] + left.bytes + right.bytes)
        let tree = BatchTree(digests: digests, using: author)
        #expect(tree.root == root)
        #expect(tree.path(at: 0) == [digests[1], right])
        #expect(tree.path(at: 2) == [.zero, left])
        #expect(BatchTree.signedBytes(root: root) == Array("parley batch 2".utf8) + root.bytes)
    }

    @Test(arguments: Refusal.proofs)
    func refuses(_ refusal: Refusal) {
        #expect(throws: refusal.error) { try decode(refusal.bytes) }
    }

    private func holds(_ proof: EnvelopeProof, _ digest: Bytes32) -> Bool {
        proof.holds(for: digest, by: author.devicePublicKey, using: reader)
    }

    private func encode(_ proof: EnvelopeProof) -> [UInt8] {
        let header = Slice(HeaderParts().bytes)
        let bytes = Envelope.encode(headerBytes: header, body: .empty, proof: proof)
        return Array(bytes[(header.count + 1)...])
    }

    private func decode(_ proof: [UInt8]) throws(CodecError) -> EnvelopeProof {
        let bytes = HeaderParts().bytes + Item.bytes([]) + proof
        return try Envelope(decoding: Slice(bytes)).proof
    }
}

extension Refusal {
    private static let signature = zeros(64)

    fileprivate static let proofs = [
        Refusal("no array", signature, .wrongType),
        Refusal("no type", Item.array([]), .wrongLength),
        Refusal("type 0", Item.array([[0], signature]), .unknownKind(0)),
        Refusal("type 3", Item.array([[3], signature]), .unknownKind(3)),
        Refusal("type 1,000", Item.array([Item.number(1_000)]), .unknownKind(255)),
        Refusal("a type that is text", Item.array([Item.text("a")]), .wrongType),
        Refusal("no signature", Item.array([[1]]), .wrongLength),
        Refusal("a short signature", Item.array([[1], zeros(63)]), .wrongLength),
        Refusal("a signature and more", Item.array([[1], signature, [0]]), .wrongLength),
        Refusal("no path", Item.array([[2], signature, [0]]), .wrongLength),
        Refusal("an empty path", batch(0, zeros(0)), .wrongLength),
        Refusal("a path of 31 bytes", batch(0, zeros(31)), .wrongLength),
        Refusal("a path of 11 steps", batch(0, zeros(11 * 32)), .tooLong),
        Refusal("index 2 of 2", batch(2, zeros(32)), .outOfRange),
        Refusal("index 1,024 of 1,024", batch(1_024, zeros(320)), .outOfRange),
        Refusal("index 2^63", batch(1 << 63, zeros(320)), .outOfRange),
        Refusal("more than a path", Item.array([[2], signature, [0], zeros(32), [0]]), .tooLong),
    ]

    private static func batch(_ index: UInt64, _ path: [UInt8]) -> [UInt8] {
        Item.array([[2], signature, Item.number(index), path])
    }

    private static func zeros(_ count: Int) -> [UInt8] {
        Item.bytes([UInt8](repeating: 0, count: count))
    }
}
