/// The siblings along the path from a leaf of a `BatchTree` to its root, 32 bytes each.
package struct ProofPath: Sendable, Equatable {
    private let packed: Slice

    /// A path whose hashes follow one another in `packed`.
    init(packed: Slice) {
        precondition(packed.count.isMultiple(of: Bytes32.count), "a path has whole hashes")
        self.packed = packed
    }

    package init(_ siblings: [Bytes32]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Bytes32.count * siblings.count)
        for sibling in siblings { sibling.append(to: &bytes) }
        packed = Slice(bytes)
    }

    /// The length of the hashes in bytes.
    var packedBytes: Int { packed.count }

    /// Appends the hashes as a part of a byte string.
    func write(to writer: inout CBORWriter) { writer.raw(packed) }
}

extension ProofPath: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { packed.count / Bytes32.count }

    package subscript(step: Int) -> Bytes32 {
        Bytes32(reading: packed, at: Bytes32.count * step)
    }
}

extension ProofPath: ExpressibleByArrayLiteral {
    package init(arrayLiteral siblings: Bytes32...) {
        self.init(siblings)
    }
}
