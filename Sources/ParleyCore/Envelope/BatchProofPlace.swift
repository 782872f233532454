/// Where the parts of a batch's proof are in an encoded envelope.
///
/// An envelope that is passed on was read when it arrived, and each value has one encoding. So the
/// places follow from few bytes, and the proof is not decoded again for each link.
struct BatchProofPlace: Sendable {
    /// The offset of the signature.
    let signature: Int
    /// The place of the envelope in its batch.
    let index: Int
    /// The offset of the hashes of the path.
    let path: Int
    /// The number of these hashes.
    let depth: Int

    /// The array of four, the kind of the proof, and the head of the signature's byte string.
    private static let headBytes = 1 + 1 + 2
    private static let arrayOfFour: UInt8 = 0x84

    /// The places in `envelope`, whose proof begins at `start`; nil if it is a proof of this
    /// envelope alone.
    init?(in envelope: Slice, at start: Int) {
        let signature = start + Self.headBytes
        guard envelope.count > signature + Signature.count, envelope[start] == Self.arrayOfFour
        else { return nil }
        let indexHead = signature + Signature.count
        guard let (index, pathHead) = Self.number(in: envelope, at: indexHead),
            let (pathBytes, path) = Self.number(in: envelope, at: pathHead),
            path + pathBytes == envelope.count
        else { return nil }
        self.signature = signature
        self.index = index
        self.path = path
        depth = pathBytes / Bytes32.count
    }

    /// The number in the head of an item, which is below 65,536, and the offset behind it.
    private static func number(in bytes: Slice, at offset: Int) -> (Int, end: Int)? {
        guard offset < bytes.count else { return nil }
        switch bytes[offset] & 0x1f {
        case let short where short < 24:
            return (Int(short), offset + 1)
        case 24 where offset + 1 < bytes.count:
            return (Int(bytes[offset + 1]), offset + 2)
        case 25 where offset + 2 < bytes.count:
            return (Int(bytes.bigEndian(at: offset + 1) as UInt16), offset + 3)
        default:
            return nil
        }
    }

    /// The first bytes of the path, of `steps` hashes.
    func path(first steps: Int) -> Range<Int> { path..<path + steps * Bytes32.count }

    /// The number of hashes at the beginning of the path that follow from no other proof; the rest
    /// are those of `other`, which is a proof of the same batch in the envelope `otherEnvelope`.
    ///
    /// Ways to the root that have met stay together; that is checked, as the proofs of an envelope
    /// that a Byzantine device made may be anything.
    func stepsUnlike(
        _ other: BatchProofPlace,
        of otherEnvelope: Slice,
        in envelope: Slice
    ) -> Int {
        let steps = Int.bitWidth - (index ^ other.index).leadingZeroBitCount
        guard steps < depth else { return depth }
        let shared = path(first: steps).upperBound..<path(first: depth).upperBound
        let others = other.path(first: steps).upperBound
        return envelope.hasBytes(shared, of: otherEnvelope, at: others) ? steps : depth
    }
}
