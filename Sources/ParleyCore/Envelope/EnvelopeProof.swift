/// The proof of authorship of an envelope: a signature over this envelope or over a batch.
///
/// The proof is the third item of an envelope: `[1, signature]` or `[2, signature, index, path]`,
/// with a packed path of 32 bytes a step.
package struct EnvelopeProof: Sendable, Equatable {
    package let signature: Signature
    /// The index of the envelope in its batch, below 2^steps; 0 if the envelope is alone.
    package internal(set) var index: Int
    /// The path to the root of the `BatchTree` that the signature covers, of 1 to
    /// `Limits.proofDepth` steps; empty if the signature covers the digest of the envelope.
    package internal(set) var path: ProofPath

    /// A signature over the digest of one envelope.
    package static func single(_ signature: Signature) -> Self {
        Self(signature: signature, index: 0, path: ProofPath(count: 0))
    }

    /// A signature over the root of a batch, with a path that is not empty.
    package static func batch(_ signature: Signature, index: Int, path: ProofPath) -> Self {
        Self(signature: signature, index: index, path: path)
    }

    private init(signature: Signature, index: Int, path: ProofPath) {
        self.signature = signature
        self.index = index
        self.path = path
    }

    /// Whether the signature covers a batch.
    package var isBatch: Bool { path.count > 0 }

    /// The length of the longest encoded proof, in bytes.
    static let bytesMax = bytesMax(depth: Limits.proofDepth)

    /// The length of the longest encoded batch proof of this depth, in bytes.
    static func bytesMax(depth: Int) -> Int {
        1 + 1 + 2 + Signature.count + 3 + 3 + Bytes32.count * depth
    }

    /// The length of the encoded proof of the envelope at an index of a batch, in bytes.
    package static func bytes(ofBatchAt index: Int, depth: Int) -> Int {
        let indexBytes = index < 24 ? 1 : index < 256 ? 2 : 3
        let pathBytes = Bytes32.count * depth
        return 1 + 1 + 2 + Signature.count + indexBytes
            + CBORWriter.byteStringBytes(count: pathBytes)
    }

    /// The number of hashes at the start of the path that a reader of another proof of the batch
    /// lacks.
    ///
    /// The other hashes are in the other path: two paths to the root that have met stay together.
    /// The hashes are compared, because a Byzantine device can write any path.
    func stepsUnlike(_ other: EnvelopeProof) -> Int {
        let steps = Int.bitWidth - (index ^ other.index).leadingZeroBitCount
        let isShared = steps < path.count && path.isSame(as: other.path, above: steps - 1)
        return isShared ? steps : path.count
    }

    private enum Kind {
        static let single: UInt64 = 1
        static let batch: UInt64 = 2
    }

    /// The bytes that the signature covers, equal for all envelopes of a batch.
    package func signedBytes(
        of digest: Bytes32,
        using cryptography: some Cryptography
    ) -> [UInt8] {
        guard isBatch else { return digest.bytes }
        let root = BatchTree.root(over: digest, at: index, path: path, using: cryptography)
        return BatchTree.signedBytes(root: root)
    }

    /// Whether the owner of `publicKey` signed the envelope with this `Envelope.digest`.
    ///
    /// The proof also holds for an inner node of the tree, which the caller must not pass.
    package func holds(
        for digest: Bytes32,
        by publicKey: Bytes32,
        using cryptography: some Cryptography
    ) -> Bool {
        let bytes = signedBytes(of: digest, using: cryptography)
        return cryptography.verify(signature, of: bytes.span.bytes, by: publicKey)
    }

    init(from reader: inout CBORReader) throws(CodecError) {
        let count = try reader.openArray(countMax: 4)
        guard count > 0 else { throw .wrongLength }
        switch try reader.unsigned() {
        case Kind.single:
            guard count == 2 else { throw .wrongLength }
            let signature = try reader.signature()
            reader.closeArray()
            self = .single(signature)
        case Kind.batch:
            guard count == 4 else { throw .wrongLength }
            let (signature, index, path) = try Self.readBatch(from: &reader)
            reader.closeArray()
            self = .batch(signature, index: index, path: path)
        case let kind:
            throw .unknownKind(UInt8(clamping: kind))
        }
    }

    /// Appends the encoded proof.
    func append(to buffer: inout [UInt8]) {
        var writer = CBORWriter(buffer)
        buffer = []
        write(to: &writer)
        buffer = writer.finish()
    }

    func write(to writer: inout CBORWriter) {
        guard isBatch else {
            writer.array(count: 2)
            writer.unsigned(Kind.single)
            writer.signature(signature)
            return
        }
        Self.writeBatch(signature, index: index, pathBytes: path.packedBytes, to: &writer)
        for sibling in path { writer.raw(sibling) }
    }

    private static func writeBatch(
        _ signature: Signature,
        index: Int,
        pathBytes: Int,
        to writer: inout CBORWriter
    ) {
        writer.array(count: 4)
        writer.unsigned(Kind.batch)
        writer.signature(signature)
        writer.unsigned(UInt64(index))
        writer.byteStringHead(count: pathBytes)
    }

    private static func readBatch(
        from reader: inout CBORReader
    ) throws(CodecError) -> (Signature, index: Int, ProofPath) {
        let signature = try reader.signature()
        let index = try reader.unsigned(in: 0...UInt64(BatchTree.leavesMax - 1))
        let packed = try reader.packed(
            elementBytes: Bytes32.count,
            countMax: Limits.proofDepth
        )
        guard !packed.isEmpty else { throw .wrongLength }
        let path = ProofPath(packed: packed)
        guard index >> UInt64(path.count) == 0 else { throw .outOfRange }
        return (signature, Int(index), path)
    }
}
