/// Batches of one author whose signature was found good, the latest last.
package struct CheckedBatches: Sendable {
    /// Batches of one author that may be interleaved without checking a signature twice.
    package static let countMax = 16

    private var batches: [CheckedBatch] = []

    package init() {}

    /// Whether a proof follows from what was checked before; false says nothing.
    package mutating func prove(
        _ digest: Bytes32,
        by signature: Signature,
        at index: Int,
        path: [Bytes32],
        using crypto: some Cryptography
    ) -> Bool {
        guard let place = batches.lastIndex(where: { $0.signature == signature }) else {
            return false
        }
        return batches[place].proves(digest, at: index, path: path, using: crypto)
    }

    /// The signature of this batch is good.
    package mutating func add(_ batch: CheckedBatch) {
        if batches.count == Self.countMax { batches.removeFirst() }
        batches.append(batch)
    }
}

/// A batch, and the way from one of its digests to the root.
///
/// The way and what stands beside it are parts of the signed tree, so the next digest has to be
/// hashed only up to where its own way meets it: once on the average, if they come in order.
package struct CheckedBatch: Sendable {
    package let signature: Signature
    private var index: Int
    private var path: [Bytes32]
    /// What the digest and its siblings come to at each step: the leaf first, the root last.
    private var way: [Bytes32]

    /// The batch that a proof belongs to; its signature is to be checked over `root`.
    package init(
        _ digest: Bytes32,
        by signature: Signature,
        at index: Int,
        path: [Bytes32],
        using crypto: some Cryptography
    ) {
        self.signature = signature
        self.index = index
        self.path = path
        var hash = BatchTree.leaf(digest, using: crypto)
        way = [hash]
        way.reserveCapacity(path.count + 1)
        for (step, sibling) in path.enumerated() {
            hash = BatchTree.parent(of: hash, and: sibling, at: index >> step, using: crypto)
            way.append(hash)
        }
    }

    package var root: Bytes32 { way[way.count - 1] }

    /// Whether `digest` is in the same tree at `index` beside `path`.
    mutating func proves(
        _ digest: Bytes32,
        at index: Int,
        path: [Bytes32],
        using crypto: some Cryptography
    ) -> Bool {
        guard path.count == self.path.count else { return false }
        var hash = BatchTree.leaf(digest, using: crypto)
        var below: [Bytes32] = []
        for step in path.indices {
            let number = index >> step
            let known = self.index >> step
            if number == known || number == known ^ 1 {
                let (own, sibling) =
                    number == known ? (way[step], self.path[step]) : (self.path[step], way[step])
                guard hash == own, path[step] == sibling, isSame(path, above: step) else {
                    return false
                }
                for lower in below.indices { way[lower] = below[lower] }
                way[step] = hash
                self.index = index
                self.path = path
                return true
            }
            below.append(hash)
            hash = BatchTree.parent(of: hash, and: path[step], at: number, using: crypto)
        }
        // An empty path; every other two ways in one tree meet below its root.
        return false
    }

    private func isSame(_ other: [Bytes32], above step: Int) -> Bool {
        for place in step + 1..<max(step + 1, path.count) where path[place] != other[place] {
            return false
        }
        return true
    }
}
