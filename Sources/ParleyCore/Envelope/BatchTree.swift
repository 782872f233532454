/// A Merkle tree over the digests of several envelopes, which then share one signature.
///
/// The source is R. C. Merkle: "A Digital Signature Based on a Conventional Encryption Function",
/// CRYPTO 1987.
///
/// The leaves are the digests, and a node is SHA-256(0x01 ‖ left ‖ right). The input of a digest
/// begins with another byte than 0x01, so no node is the digest of an envelope. The leaves are
/// padded to a power of two, at least two, with 32 zero bytes, which are no hash of anything known.
/// All leaves thus have the same depth, and an index and a path name exactly one leaf: the path has
/// the sibling at each step from the leaf up, and bit n of the index says whether the node of step
/// n is the right one.
package struct BatchTree: Sendable {
    /// The number of envelopes that may share a signature.
    package static let leavesMax = 1 << Limits.proofDepth

    /// The rows of the tree, the leaves first and the root last.
    private let levels: [[Bytes32]]

    /// The tree over 1 to `leavesMax` digests.
    package init(digests: [Bytes32], using cryptography: some Cryptography) {
        precondition(!digests.isEmpty, "a batch has an envelope")
        precondition(digests.count <= Self.leavesMax, "a batch is no deeper than a proof may be")
        var level = digests
        var width = 2
        while width < level.count { width *= 2 }
        level.append(contentsOf: repeatElement(.zero, count: width - level.count))
        var levels = [level]
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map {
                Self.node(level[$0], level[$0 + 1], using: cryptography)
            }
            levels.append(level)
        }
        self.levels = levels
    }

    package var root: Bytes32 { levels[levels.count - 1][0] }

    /// The siblings on the path from the digest at `index` to the root.
    package func path(at index: Int) -> ProofPath {
        ProofPath(levels.dropLast().enumerated().map { step, level in level[(index >> step) ^ 1] })
    }

    /// The proof of the digest at `index`; `signature` is over `signedBytes(root:)`.
    package func proof(at index: Int, signature: Signature) -> EnvelopeProof {
        .batch(signature, index: index, path: path(at: index))
    }

    /// The root of the tree that has `digest` at `index`, with `path` as its siblings.
    package static func root(
        over digest: Bytes32,
        at index: Int,
        path: ProofPath,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        var hash = digest
        for (step, sibling) in path.enumerated() {
            hash = parent(of: hash, and: sibling, at: index >> step, using: cryptography)
        }
        return hash
    }

    /// The parent of `hash`, at index `number` in its row, and of the sibling.
    static func parent(
        of hash: Bytes32,
        and sibling: Bytes32,
        at number: Int,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        number.isMultiple(of: 2)
            ? node(hash, sibling, using: cryptography)
            : node(sibling, hash, using: cryptography)
    }

    /// The proofs of an author's 1 to `leavesMax` envelopes, in order, with one signature for all.
    ///
    /// The author is the guest with the private key `seed`, or the device if that is nil.
    package static func proofs(
        of digests: [Bytes32],
        as seed: Bytes32? = nil,
        using cryptography: some Cryptography
    ) -> [EnvelopeProof] {
        if digests.count == 1 {
            return [.single(cryptography.sign(digests[0].bytes.span.bytes, as: seed))]
        }
        let tree = BatchTree(digests: digests, using: cryptography)
        let signature = cryptography.sign(signedBytes(root: tree.root).span.bytes, as: seed)
        return digests.indices.map { tree.proof(at: $0, signature: signature) }
    }

    /// The bytes that the signature of a tree covers: "parley batch 2" ‖ root.
    package static func signedBytes(root: Bytes32) -> [UInt8] {
        Array("parley batch 2".utf8) + root.bytes
    }

    private static func node(
        _ left: Bytes32,
        _ right: Bytes32,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        var input = HashInput()
        input.append(1)
        input.append(left)
        input.append(right)
        return input.sha256(using: cryptography)
    }
}
