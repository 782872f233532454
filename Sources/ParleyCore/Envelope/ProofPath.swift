/// The siblings along the path from a leaf of a `BatchTree` to its root, without an allocation.
package struct ProofPath: Sendable {
    /// As many hashes as the longest path has: `Limits.proofDepth`.
    private var hashes = InlineArray<10, Bytes32>(repeating: .zero)
    package let count: Int

    /// A path of `count` hashes, at most `Limits.proofDepth`, which are yet to be set.
    init(count: Int) {
        precondition(count <= Limits.proofDepth, "a path is no longer than a proof may be")
        self.count = count
    }

    /// A path whose hashes follow one another in `packed`.
    init(packed: Slice) {
        self.init(count: packed.count / Bytes32.count)
        packed.withBytes { read(0..<count, of: $0, at: 0) }
    }

    package init(_ siblings: [Bytes32]) {
        self.init(count: siblings.count)
        for (step, sibling) in siblings.enumerated() { hashes[step] = sibling }
    }

    /// Reads the hashes of some steps, of which the hash of step 0 is at an offset; the others stay
    /// as they are.
    mutating func read(_ steps: Range<Int>, of bytes: RawSpan, at offset: Int) {
        for step in steps { hashes[step] = bytes.hash(at: offset + Bytes32.count * step) }
    }

    /// Whether this is the hash of a step.
    ///
    /// The method is mutating as another one would copy all hashes to read one.
    mutating func has(_ hash: Bytes32, at step: Int) -> Bool { hashes.mutableSpan[step] == hash }

    /// The length of the hashes in bytes.
    var packedBytes: Int { Bytes32.count * count }

    /// Appends the lowest hashes, as a part of a byte string.
    func append(first steps: Int, to buffer: inout [UInt8]) {
        let hashes = hashes.span
        for step in 0..<steps { hashes[step].append(to: &buffer) }
    }

    /// Whether the hashes above a step are those of another path of the same length.
    func isSame(as other: ProofPath, above step: Int) -> Bool {
        // A subscript of the array would copy the array for each hash.
        let (own, others) = (hashes.span, other.hashes.span)
        var step = step + 1
        while step < count {
            guard own[step] == others[step] else { return false }
            step += 1
        }
        return true
    }
}

extension ProofPath: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(step: Int) -> Bytes32 {
        get { hashes.span[step] }
        set { hashes[step] = newValue }
    }
}

extension ProofPath: Equatable {
    package static func == (left: ProofPath, right: ProofPath) -> Bool {
        left.count == right.count && left.isSame(as: right, above: -1)
    }
}

extension ProofPath: ExpressibleByArrayLiteral {
    package init(arrayLiteral siblings: Bytes32...) {
        self.init(siblings)
    }
}

extension RawSpan {
    /// The 32 bytes at an offset.
    func hash(at offset: Int) -> Bytes32 {
        Bytes32(
            bigEndian(at: offset),
            bigEndian(at: offset + 8),
            bigEndian(at: offset + 16),
            bigEndian(at: offset + 24)
        )
    }
}
