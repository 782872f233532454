/// The offsets of the parts of a batch's proof in an encoded envelope.
///
/// A forwarded envelope was decoded on arrival, and each value has only one encoding. A few bytes
/// therefore determine the offsets, and the proof is not decoded again for each link.
package struct BatchProofPlace: Sendable {
    /// The offset of the signature.
    let signature: Int
    /// The index of the envelope in its batch.
    let index: Int
    /// The offset of the hashes of the path.
    let path: Int
    /// The number of hashes in the path.
    let depth: Int

    /// The bytes before the signature: the heads of an array of four and of 64 bytes, and the kind.
    private static let head: UInt32 = 0x8402_5840

    /// The offsets in `envelope`, whose proof begins at `start`; nil unless a valid batch proof.
    package init?(in envelope: Slice, at start: Int) {
        let signature = start + 4
        guard envelope.count > signature + Signature.count,
            envelope.bigEndian(at: start) == Self.head
        else { return nil }
        let indexHead = signature + Signature.count
        guard let (index, pathHead) = Self.number(in: envelope, at: indexHead, major: 0),
            let (pathBytes, path) = Self.number(in: envelope, at: pathHead, major: 2),
            path + pathBytes == envelope.count, pathBytes.isMultiple(of: Bytes32.count),
            1...Limits.proofDepth ~= pathBytes / Bytes32.count,
            index >> (pathBytes / Bytes32.count) == 0
        else { return nil }
        self.signature = signature
        self.index = index
        self.path = path
        depth = pathBytes / Bytes32.count
    }

    /// The number in the head of an item, and the offset behind; nil unless shortest and of this
    /// major type.
    private static func number(
        in bytes: Slice,
        at offset: Int,
        major: UInt8
    ) -> (Int, end: Int)? {
        guard offset < bytes.count, bytes[offset] >> 5 == major else { return nil }
        switch bytes[offset] & 0x1f {
        case let short where short < 24:
            return (Int(short), offset + 1)
        case 24 where offset + 1 < bytes.count:
            let number = Int(bytes[offset + 1])
            return number >= 24 ? (number, offset + 2) : nil
        case 25 where offset + 2 < bytes.count:
            let number = Int(bytes.bigEndian(at: offset + 1) as UInt16)
            return number > 0xff ? (number, offset + 3) : nil
        default:
            return nil
        }
    }

    /// The proof, of the envelope that the offsets are of.
    func proof(in envelope: Slice) -> EnvelopeProof {
        .batch(
            Signature(reading: envelope, at: signature),
            index: index,
            path: ProofPath(packed: envelope[path..<path + depth * Bytes32.count])
        )
    }
}
