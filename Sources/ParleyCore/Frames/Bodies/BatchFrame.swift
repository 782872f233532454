/// Envelopes of one batch that follow one another on a link, in one frame.
///
/// The signature of the batch is there once, and the path of each proof only up to the last step in
/// which it differs from the path before. The body is `u32 conversation · signature`, and for each
/// envelope `u64 position · u8 hops · u8 steps · u16 index · u32 length · steps × 32 bytes · length
/// bytes`: the first hashes of the path, and header and body of the envelope. The first path is
/// complete, so its steps are the depth of the batch.
///
/// It is a shorter way to write `envelope` frames, and nothing else: it is read as those.
package struct BatchFrame: Sendable {
    package static let type: UInt8 = 35

    /// The bytes in front of the first envelope.
    static let prefixBytes = 4 + Signature.count
    /// The bytes in front of the hashes of an envelope.
    static let entryBytes = 16
    /// The longest body that is written, if more than one envelope is in it: about as much as is
    /// sealed and read at a time.
    package static let bytesMax = 16 << 10
    /// The longest body with more than one envelope that the peer asked for.
    ///
    /// A frame is read when all of it has arrived, and a peer that receives nothing for a second
    /// asks another node.
    package static let wantedBytesMax = 4 << 10

    private let conversation: UInt32
    private let signature: Signature
    private let body: Slice
    private var offset = Self.prefixBytes
    /// The path of the envelope before; empty in front of the first one.
    private var path = Slice.empty

    /// Reads the prefix; `next` reads the envelopes.
    package init(decoding body: Slice) throws(CodecError) {
        guard body.count > Self.prefixBytes else { throw .truncated }
        conversation = body.bigEndian(at: 0)
        signature = Signature(reading: body, at: 4)
        self.body = body
    }

    /// The next envelope with its whole proof, in a frame of its own; nil after the last one.
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
