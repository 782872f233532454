/// Writes envelopes of one conversation for a link in as few bytes as their proofs allow:
/// envelopes of one batch that follow one another in a `BatchFrame`, others in a frame each.
package struct BatchFrameWriter {
    private let conversation: UInt32
    private let bytesMax: Int
    private var bytes: [UInt8] = []
    private var open: OpenFrame?

    /// The batch frame at the end of `bytes`, to which envelopes may still be added.
    private struct OpenFrame {
        /// The offset of its header.
        let start: Int
        let signature: Signature
        /// The index and the path of the envelope that was added last.
        var index: Int
        var path: ProofPath

        /// The number of steps after which a path of the same batch goes on like the last one.
        ///
        /// Ways to the root that have met stay together; that is checked, as the proofs of an
        /// envelope that a Byzantine device made may be anything.
        func stepsUnlike(_ path: ProofPath, at index: Int) -> Int {
            let steps = Int.bitWidth - (index ^ self.index).leadingZeroBitCount
            return path.isSame(as: self.path, from: steps) ? steps : path.count
        }
    }

    /// A writer for frames in which the conversation has this number.
    ///
    /// `capacity` is the number of bytes that are expected. The body of a frame with more than one
    /// envelope has at most `bytesMax` bytes.
    package init(conversation: UInt32, capacity: Int = 0, bytesMax: Int = BatchFrame.bytesMax) {
        self.conversation = conversation
        self.bytesMax = bytesMax
        bytes.reserveCapacity(capacity)
    }

    /// The bytes of the frames so far.
    package var count: Int { bytes.count }

    /// Adds an envelope whose proof begins at `proofStart`.
    package mutating func append(
        _ envelope: Slice,
        proofStart: Int,
        hops: UInt8,
        position: UInt64
    ) {
        var reader = CBORReader(envelope[proofStart..<envelope.count])
        // The proof was read when the envelope arrived, so it can be read again.
        guard case .batch(let signature, let index, let path)? = try? EnvelopeProof(from: &reader)
        else {
            closeFrame()
            EnvelopeFrame(
                conversation: conversation,
                hops: hops,
                position: position,
                envelope: envelope
            ).append(to: &bytes)
            return
        }
        let steps = stepsToWrite(path, at: index, of: signature, itemBytes: proofStart)
        bytes.appendBigEndian(position)
        bytes.append(hops)
        bytes.append(UInt8(steps))
        bytes.appendBigEndian(UInt16(index))
        bytes.appendBigEndian(UInt32(proofStart))
        path.append(first: steps, to: &bytes)
        envelope.append(0..<proofStart, to: &bytes)
        open?.index = index
        open?.path = path
    }

    /// The frames, one after the other; the writer is empty afterwards.
    ///
    /// It is not a consuming method: the caller's copy of `bytes` would live on, and the header of
    /// the last frame would be written into a second copy of all frames.
    package mutating func finish() -> [UInt8] {
        closeFrame()
        defer { bytes = [] }
        return bytes
    }

    /// How much of a path the open frame needs; a frame is opened if no open one can take the
    /// envelope.
    private mutating func stepsToWrite(
        _ path: ProofPath,
        at index: Int,
        of signature: Signature,
        itemBytes: Int
    ) -> Int {
        if let open, open.signature == signature, open.path.count == path.count {
            let steps = open.stepsUnlike(path, at: index)
            let added = BatchFrame.entryBytes + steps * Bytes32.count + itemBytes
            let bodyBytes = bytes.count - open.start - FrameHeader.count + added
            if bodyBytes <= bytesMax { return steps }
        }
        closeFrame()
        open = OpenFrame(start: bytes.count, signature: signature, index: index, path: path)
        FrameHeader(length: 0, type: BatchFrame.type).append(to: &bytes)
        bytes.appendBigEndian(conversation)
        signature.append(to: &bytes)
        return path.count
    }

    /// Writes the length of the open frame into its header.
    private mutating func closeFrame() {
        guard let open else { return }
        FrameHeader.setLength(of: &bytes, from: open.start)
        self.open = nil
    }
}
