/// Writes envelopes for a link: those of one batch in a `BatchFrame`, others in a frame each.
package struct BatchFrameWriter {
    private let conversation: UInt32
    private let bytesMax: Int
    private var bytes: [UInt8] = []
    private var open: OpenFrame?

    /// The batch frame at the end of `bytes`, which is still open for envelopes.
    private struct OpenFrame {
        /// The offset of the frame's header.
        let start: Int
        /// The latest envelope in the frame.
        var envelope: Slice
        var proof: BatchProofPlace
    }

    /// A writer for frames in which the conversation has this number.
    ///
    /// `capacity` is the expected number of bytes. A frame with more than one envelope has a body
    /// of at most `bytesMax` bytes.
    package init(conversation: UInt32, capacity: Int = 0, bytesMax: Int = BatchFrame.bytesMax) {
        self.conversation = conversation
        self.bytesMax = bytesMax
        bytes.reserveCapacity(capacity)
    }

    /// The number of bytes in all frames so far.
    package var count: Int { bytes.count }

    /// Adds an envelope whose proof begins at `proofStart`.
    package mutating func append(
        _ envelope: Slice,
        proofStart: Int,
        hops: UInt8,
        position: UInt64
    ) {
        guard let proof = BatchProofPlace(in: envelope, at: proofStart) else {
            closeFrame()
            EnvelopeFrame(
                conversation: conversation,
                hops: hops,
                position: position,
                envelope: envelope
            ).append(to: &bytes)
            return
        }
        let steps = stepsToWrite(proof, of: envelope, itemBytes: proofStart)
        bytes.appendBigEndian(position)
        bytes.append(hops)
        bytes.append(UInt8(steps))
        bytes.appendBigEndian(UInt16(proof.index))
        bytes.appendBigEndian(UInt32(proofStart))
        envelope.append(proof.path(first: steps), to: &bytes)
        envelope.append(0..<proofStart, to: &bytes)
        open?.envelope = envelope
        open?.proof = proof
    }

    /// Returns the frames, and leaves the writer empty.
    ///
    /// The method is not consuming: the caller's copy of `bytes` would live on, and the header of
    /// the last frame would be written into a second copy of all frames.
    package mutating func finish() -> [UInt8] {
        closeFrame()
        defer { bytes = [] }
        return bytes
    }

    /// The number of path hashes to write for an envelope, in a new frame if the open one is unfit.
    private mutating func stepsToWrite(
        _ proof: BatchProofPlace,
        of envelope: Slice,
        itemBytes: Int
    ) -> Int {
        let signature = proof.signature..<proof.signature + Signature.count
        if let open, open.proof.depth == proof.depth,
            envelope.hasBytes(signature, of: open.envelope, at: open.proof.signature)
        {
            let steps = proof.stepsUnlike(open.proof, of: open.envelope, in: envelope)
            let added = BatchFrame.entryBytes + steps * Bytes32.count + itemBytes
            let bodyBytes = bytes.count - open.start - FrameHeader.count + added
            if bodyBytes <= bytesMax { return steps }
        }
        closeFrame()
        open = OpenFrame(start: bytes.count, envelope: envelope, proof: proof)
        FrameHeader(length: 0, type: BatchFrame.type).append(to: &bytes)
        bytes.appendBigEndian(conversation)
        envelope.append(signature, to: &bytes)
        return proof.depth
    }

    /// Writes the length of the open frame into its header.
    private mutating func closeFrame() {
        guard let open else { return }
        FrameHeader.setLength(of: &bytes, from: open.start)
        self.open = nil
    }
}
