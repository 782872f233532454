/// The proof of authorship of an envelope: a signature over this envelope or over a batch.
///
/// The proof is the third item of an envelope: `[1, signature]` or `[2, signature, index, path]`,
/// with a packed path of 32 bytes a step.
package enum EnvelopeProof: Sendable, Equatable {
    /// A signature over the digest.
    case single(Signature)
    /// A signature over the root of a `BatchTree`, whose path has 1 to `Limits.proofDepth` steps.
    ///
    /// The index is below 2^steps.
    case batch(Signature, index: Int, path: ProofPath)

    /// The length of the longest encoded proof, in bytes.
    static let bytesMax = bytesMax(depth: Limits.proofDepth)

    /// The length of the longest encoded batch proof of this depth, in bytes.
    static func bytesMax(depth: Int) -> Int {
        1 + 1 + 2 + Signature.count + 3 + 3 + Bytes32.count * depth
    }

    /// The length of the encoded proof of the envelope at an index of a batch, in bytes.
    static func bytes(ofBatchAt index: Int, depth: Int) -> Int {
        let indexBytes = index < 24 ? 1 : index < 256 ? 2 : 3
        let pathBytes = Bytes32.count * depth
        return 1 + 1 + 2 + Signature.count + indexBytes
            + CBORWriter.byteStringBytes(count: pathBytes)
    }

    private enum Kind {
        static let single: UInt64 = 1
        static let batch: UInt64 = 2
    }

    package var signature: Signature {
        switch self {
        case .single(let signature), .batch(let signature, _, _): signature
        }
    }

    /// The bytes that the signature covers, equal for all envelopes of a batch.
    package func signedBytes(
        of digest: Bytes32,
        using cryptography: some Cryptography
    ) -> [UInt8] {
        switch self {
        case .single:
            return digest.bytes
        case .batch(_, let index, let path):
            let root = BatchTree.root(
                over: digest,
                at: index,
                path: path,
                using: cryptography
            )
            return BatchTree.signedBytes(root: root)
        }
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

    func write(to writer: inout CBORWriter) {
        switch self {
        case .single(let signature):
            writer.array(count: 2)
            writer.unsigned(Kind.single)
            writer.signature(signature)
        case .batch(let signature, let index, let path):
            Self.writeBatch(signature, index: index, pathBytes: path.packedBytes, to: &writer)
            for sibling in path { writer.raw(sibling) }
        }
    }

    /// Appends a batch proof up to its path, whose `pathBytes` bytes are to follow.
    static func appendBatch(
        _ signature: Signature,
        index: Int,
        pathBytes: Int,
        to buffer: inout [UInt8]
    ) {
        var writer = CBORWriter(buffer)
        buffer = []
        writeBatch(signature, index: index, pathBytes: pathBytes, to: &writer)
        buffer = writer.finish()
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
