/// Batches of one author with verified signatures, latest last.
package struct CheckedBatches: Sendable {
    /// The number of interleaved batches of an author whose signatures are verified only once.
    package static let countMax = 16

    private var batches: [CheckedBatch] = []

    package init() {}

    package var isEmpty: Bool { batches.isEmpty }

    /// Whether a digest is proved to be in a batch with a verified signature.
    ///
    /// If not, the caller verifies the signature of the digest's batch.
    package mutating func prove(
        _ digest: Bytes32,
        by proof: EnvelopeProof,
        using crypto: some Cryptography
    ) -> Bool {
        let signature = proof.signature
        guard let known = batches.lastIndex(where: { $0.signature == signature }) else {
            return false
        }
        return batches[known].proves(digest, by: proof, using: crypto)
    }

    /// The batch whose latest digest has this proof, and the proof as its path.
    func latest(by proof: EnvelopeProof) -> CheckedBatch? {
        guard let known = batches.lastIndex(where: { $0.signature == proof.signature }),
            batches[known].isLatest(proof)
        else { return nil }
        return batches[known]
    }

    /// Puts back a batch that has proven more digests.
    mutating func put(_ batch: CheckedBatch) {
        guard let known = batches.lastIndex(where: { $0.signature == batch.signature }) else {
            return
        }
        batches[known] = batch
    }

    /// Remembers a batch with a verified signature.
    package mutating func add(_ batch: CheckedBatch) {
        if batches.count == Self.countMax { batches.removeFirst() }
        batches.append(batch)
    }
}

/// A batch, and the hashes from one of its digests up to the root.
///
/// The hashes and their siblings are parts of the signed tree. The next digest is therefore hashed
/// only up to the known path: one parent hash on average, if digests arrive in order.
package struct CheckedBatch: Sendable {
    package let signature: Signature
    private var index: Int
    private(set) var path: ProofPath
    /// The hashes from the leaf to below the root, each the parent of the previous hash and its
    /// sibling.
    private var pathHashes: ProofPath
    /// The hashes from the digest to be proved up to the known path.
    private var below: ProofPath
    package let root: Bytes32

    /// The batch of a proof; the caller verifies the signature over `root`.
    package init(
        _ digest: Bytes32,
        by proof: EnvelopeProof,
        using crypto: some Cryptography
    ) {
        let (index, path) = (proof.index, proof.path)
        signature = proof.signature
        self.index = index
        self.path = path
        var hashes = ProofPath(count: path.count)
        var hash = digest
        for step in path.indices {
            hashes[step] = hash
            hash = BatchTree.parent(of: hash, and: path[step], at: index >> step, using: crypto)
        }
        pathHashes = hashes
        below = hashes
        root = hash
    }

    /// Whether this is the proof of the latest digest.
    func isLatest(_ proof: EnvelopeProof) -> Bool { index == proof.index && path == proof.path }

    /// Whether `digest` is in the same tree, by an entry of a frame that has just the hashes which
    /// its path does not share with the one of the latest digest.
    mutating func proves(
        _ digest: Bytes32,
        by entry: BatchEntry,
        of block: BatchBlock,
        using crypto: some Cryptography
    ) -> Bool {
        block.bytes.withBytes { proves(digest, by: entry, in: $0, using: crypto) }
    }

    private mutating func proves(
        _ digest: Bytes32,
        by entry: BatchEntry,
        in bytes: RawSpan,
        using crypto: some Cryptography
    ) -> Bool {
        let step = entry.steps - 1
        guard entry.index != index, step < path.count,
            step == Int.bitWidth - 1 - (entry.index ^ index).leadingZeroBitCount
        else { return false }
        var hash = digest
        for lower in 0..<step {
            below[lower] = hash
            let sibling = bytes.hash(at: entry.hashes + Bytes32.count * lower)
            let number = entry.index >> lower
            hash = BatchTree.parent(of: hash, and: sibling, at: number, using: crypto)
        }
        // The two paths meet: each has the other's hash as its sibling.
        let sibling = bytes.hash(at: entry.hashes + Bytes32.count * step)
        guard path.has(hash, at: step), pathHashes.has(sibling, at: step) else { return false }
        for lower in 0..<step { pathHashes[lower] = below[lower] }
        pathHashes[step] = hash
        path.read(0..<entry.steps, of: bytes, at: entry.hashes)
        index = entry.index
        return true
    }

    /// Whether `digest` is in the same tree, at the index and with the siblings of the proof.
    mutating func proves(
        _ digest: Bytes32,
        by proof: EnvelopeProof,
        using crypto: some Cryptography
    ) -> Bool {
        guard proof.path.count == path.count else { return false }
        let index = proof.index
        var hash = digest
        for step in path.indices {
            let number = index >> step
            let known = self.index >> step
            if number == known || number == known ^ 1 {
                let (own, sibling) =
                    number == known
                    ? (pathHashes[step], path[step]) : (path[step], pathHashes[step])
                guard hash == own, proof.path[step] == sibling,
                    proof.path.isSame(as: path, above: step)
                else { return false }
                pathHashes[step] = hash
                path[step] = sibling
                self.index = index
                for lower in 0..<step {
                    pathHashes[lower] = below[lower]
                    path[lower] = proof.path[lower]
                }
                return true
            }
            below[step] = hash
            hash = BatchTree.parent(of: hash, and: proof.path[step], at: number, using: crypto)
        }
        // Only an empty path gets here: two longer paths in one tree meet below its root.
        return false
    }
}
