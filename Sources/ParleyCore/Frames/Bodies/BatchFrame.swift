/// Consecutive envelopes of one batch on a link, in one frame.
///
/// The frame is a shorter form of `envelope` frames, and read as those. It has the signature of the
/// batch once, and of each path only the hashes up to the last step that differs from the previous
/// path. The body is `u32 conversation · signature`, and for each envelope `u64 position · u8 hops
/// · u8 steps · u16 index · u32 length · steps × 32 bytes · length bytes`: the first hashes of the
/// path, and header and body of the envelope. The first path is complete, so its steps are the
/// depth of the batch.
package struct BatchFrame: Sendable {
    package static let type: UInt8 = 35

    /// The bytes in front of the first envelope.
    package static let prefixBytes = 4 + Signature.count
    /// The bytes in front of the hashes of an envelope.
    package static let entryBytes = 16
    /// The longest pushed body with more than one envelope, so that a peer can soon read the first.
    package static let bytesMax = 16 << 10
    /// The longest body with more than one envelope in an answer to a want.
    ///
    /// A frame is read when all of it has arrived, and a peer that receives nothing for a second
    /// asks another node.
    package static let wantedBytesMax = 4 << 10

    private let conversation: UInt32
    private var reader: BatchReader
    private var proof: EnvelopeProof

    /// Reads the prefix; `next` reads the envelopes.
    package init(decoding body: Slice) throws(CodecError) {
        let block = try BatchBlock(decoding: body, of: 0, number: 0)
        self.init(rest: BatchReader(block), proof: block.proof)
    }

    /// The envelopes that a reader has not read; `proof` is the proof before.
    init(rest reader: BatchReader, proof: EnvelopeProof) {
        self.reader = reader
        self.proof = proof
        conversation = reader.block.bytes.bigEndian(at: 0)
    }

    /// The next envelope with its whole proof, in a frame of its own; nil after the last.
    package mutating func next() throws(CodecError) -> RawFrame? {
        guard let entry = try reader.next(&proof) else { return nil }
        let envelope = reader.block.envelope(of: entry, proof: proof)
        var frame: [UInt8] = []
        frame.reserveCapacity(EnvelopeFrame.prefixBytes + envelope.count)
        frame.appendBigEndian(conversation)
        frame.appendBigEndian(UInt32(entry.hops) << 24)
        frame.appendBigEndian(entry.position)
        envelope.append(to: &frame)
        return RawFrame(type: FrameType.envelope.rawValue, body: Slice(frame))
    }
}
