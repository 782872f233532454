import ParleyCore
import ParleyFaults
import Testing

/// A batch whose signature was checked proves its other envelopes, and nothing else.
@Suite struct CheckedBatchesTests {
    private let crypto = SimulatedCryptography(seed: 1)

    /// In any order, each digest of the batch follows from the first that was checked.
    @Test(arguments: [2, 3, 8, 100, 1_024], 0..<UInt64(8))
    func provesTheWholeBatch(count: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (digests, tree) = batch(count, random: &random)
        let order = digests.indices.shuffled(using: &random)
        var checked = CheckedBatches()
        let signature = Signature(first: digests[0], second: tree.root)
        let first = CheckedBatch(
            digests[order[0]],
            by: .batch(signature, index: order[0], path: tree.path(at: order[0])),
            using: crypto
        )
        #expect(first.root == tree.root)
        checked.add(first)
        for index in order {
            let isProven = checked.prove(
                digests[index],
                by: .batch(signature, index: index, path: tree.path(at: index)),
                using: crypto
            )
            #expect(isProven, "seed \(seed), \(index)")
        }
    }

    /// Another digest, place, step of the path or signature proves nothing, and spoils nothing.
    @Test(arguments: 0..<UInt64(50))
    func provesNothingElse(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (digests, tree) = batch(64, random: &random)
        let signature = Signature(first: digests[0], second: tree.root)
        var checked = CheckedBatches()
        checked.add(
            CheckedBatch(digests[9], by: tree.proof(at: 9, signature: signature), using: crypto)
        )
        for index in digests.indices.shuffled(using: &random) {
            let path = tree.path(at: index)
            let other = Bytes32(random.next(), random.next(), random.next(), random.next())
            let stranger = Signature(first: other, second: other)
            var attempts: [(Bytes32, Signature, Int, ProofPath)] = [
                (other, signature, index, path),
                (digests[index], signature, index ^ 1, path),
                (digests[index], stranger, index, path),
                (digests[index], signature, index, ProofPath(Array(path.dropLast()))),
            ]
            for step in path.indices {
                var changed = Array(path)
                changed[step] = other
                attempts.append((digests[index], signature, index, ProofPath(changed)))
            }
            for (digest, signature, index, path) in attempts {
                let isProven = checked.prove(
                    digest,
                    by: .batch(signature, index: index, path: path),
                    using: crypto
                )
                #expect(!isProven)
            }
            let isProven = checked.prove(
                digests[index],
                by: .batch(signature, index: index, path: path),
                using: crypto
            )
            #expect(isProven)
        }
    }

    private func batch(
        _ count: Int,
        random: inout SeededRandom
    ) -> (digests: [Bytes32], tree: BatchTree) {
        let digests = (0..<count).map { _ in
            Bytes32(random.next(), random.next(), random.next(), random.next())
        }
        return (digests, BatchTree(digests: digests, using: crypto))
    }
}
