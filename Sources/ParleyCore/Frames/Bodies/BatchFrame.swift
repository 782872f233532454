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
    static let prefixBytes = 4 + Signature.count
    /// The bytes in front of the hashes of an envelope.
    static let entryBytes = 16
    /// The longest pushed body with more than one envelope, so that a peer can soon read the first.
    package static let bytesMax = 16 << 10
    /// The longest body with more than one envelope in an answer to a want.
    ///
    /// A frame is read when all of it has arrived, and a peer that receives nothing for a second
    /// asks another node.
    package static let wantedBytesMax = 4 << 10

    private let conversation: UInt32
    private let signature: Signature
    private let body: Slice
    private var offset = Self.prefixBytes
    /// The path of the previous envelope; empty before the first.
    private var path = Slice.empty

    /// Reads the prefix; `next` reads the envelopes.
    package init(decoding body: Slice) throws(CodecError) {
        guard body.count > Self.prefixBytes else { throw .truncated }
        conversation = body.bigEndian(at: 0)
        signature = Signature(reading: body, at: 4)
        self.body = body
    }

    /// The next envelope with its whole proof, in a frame of its own; nil after the last.
    package mutating func next() throws(CodecError) -> RawFrame? {
        guard offset < body.count else { return nil }
        let entry = try Entry(reading: body, at: offset)
        let depth = path.isEmpty ? entry.steps : path.count / Bytes32.count
        guard 1...Limits.proofDepth ~= depth, entry.steps <= depth, entry.index >> depth == 0
        else { throw .outOfRange }
        let hashes = offset + Self.entryBytes
        let items = hashes + entry.steps * Bytes32.count
        offset = items + entry.length
        guard offset <= body.count else { throw .truncated }
        let pathBytes = depth * Bytes32.count

        var frame: [UInt8] = []
        frame.reserveCapacity(
            EnvelopeFrame.prefixBytes + entry.length + EnvelopeProof.bytesMax(depth: depth)
        )
        frame.appendBigEndian(conversation)
        frame.appendBigEndian(UInt32(entry.hops) << 24)
        frame.appendBigEndian(entry.position)
        body.append(items..<offset, to: &frame)
        EnvelopeProof.appendBatch(
            signature,
            index: entry.index,
            pathBytes: pathBytes,
            to: &frame
        )
        body.append(hashes..<items, to: &frame)
        if items - hashes < pathBytes { path.append(items - hashes..<pathBytes, to: &frame) }
        let whole = Slice(frame)
        path = whole[(whole.count - pathBytes)..<whole.count]
        return RawFrame(type: FrameType.envelope.rawValue, body: whole)
    }

    /// The numbers in front of an envelope.
    private struct Entry {
        let position: UInt64
        let hops: UInt8
        let steps: Int
        let index: Int
        let length: Int

        init(reading body: Slice, at offset: Int) throws(CodecError) {
            guard body.count - offset >= BatchFrame.entryBytes else { throw .truncated }
            position = body.bigEndian(at: offset)
            hops = body[offset + 8]
            steps = Int(body[offset + 9])
            index = Int(body.bigEndian(at: offset + 10) as UInt16)
            length = Int(body.bigEndian(at: offset + 12) as UInt32)
        }
    }
}
