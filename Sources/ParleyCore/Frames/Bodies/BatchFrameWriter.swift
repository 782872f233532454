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
        /// The proof of the latest envelope in the frame.
        var proof: EnvelopeProof
        /// The block of the latest envelope, and the offset of the entry behind it.
        var next: (block: BatchBlock, offset: Int)?

        mutating func read(_ entry: BatchEntry, of block: BatchBlock) {
            block.read(entry, into: &proof)
        }
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
        _ place: EnvelopePlace,
        proofStart: Int,
        hops: UInt8,
        position: UInt64
    ) {
        switch place {
        case .entry(let block, let start):
            let entry = block.entry(at: Int(start))
            if !appendNext(entry, of: block, hops: hops, position: position) {
                append(
                    block.items(of: entry),
                    block.proof(at: entry.start),
                    hops: hops,
                    position: position
                )
            }
            open?.next = (block, entry.end)
        case .whole(let envelope):
            guard let proof = BatchProofPlace(in: envelope, at: proofStart) else {
                return appendAlone(envelope, hops: hops, position: position)
            }
            append(
                envelope[0..<proofStart],
                proof.proof(in: envelope),
                hops: hops,
                position: position
            )
        }
    }

    /// Adds an envelope in a frame of its own.
    private mutating func appendAlone(_ envelope: Slice, hops: UInt8, position: UInt64) {
        closeFrame()
        EnvelopeFrame(
            conversation: conversation,
            hops: hops,
            position: position,
            envelope: envelope
        ).append(to: &bytes)
    }

    /// Adds an entry as received, if the entry in front is the latest in the frame, and no hashes
    /// are repeated.
    ///
    /// - Returns: whether the entry was added.
    private mutating func appendNext(
        _ entry: BatchEntry,
        of block: BatchBlock,
        hops: UInt8,
        position: UInt64
    ) -> Bool {
        guard let start = open?.start, let index = open?.proof.index, let next = open?.next,
            next.block === block, next.offset == entry.start,
            entry.steps <= Int.bitWidth - (entry.index ^ index).leadingZeroBitCount,
            bytes.count - start - FrameHeader.count + entry.end - entry.start <= bytesMax
        else { return false }
        let end = bytes.count
        block.bytes.append(entry.start..<entry.end, to: &bytes)
        var span = bytes.mutableSpan
        var copy = span.mutableBytes
        copy.storeBytes(of: position.bigEndian, toByteOffset: end, as: UInt64.self)
        copy.storeBytes(of: hops, toByteOffset: end + 8, as: UInt8.self)
        open?.read(entry, of: block)
        return true
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

    /// Adds an envelope of a batch, in a new frame if the open one is unfit.
    private mutating func append(
        _ items: Slice,
        _ proof: EnvelopeProof,
        hops: UInt8,
        position: UInt64
    ) {
        let steps = stepsInOpenFrame(proof, itemBytes: items.count) ?? openFrame(proof)
        bytes.appendBigEndian(position)
        bytes.append(hops)
        bytes.append(UInt8(steps))
        bytes.appendBigEndian(UInt16(proof.index))
        bytes.appendBigEndian(UInt32(items.count))
        proof.path.append(first: steps, to: &bytes)
        items.append(to: &bytes)
        open?.proof = proof
        open?.next = nil
    }

    /// The number of path hashes to write into the open frame; nil if that is unfit.
    private func stepsInOpenFrame(_ proof: EnvelopeProof, itemBytes: Int) -> Int? {
        guard let open, open.proof.path.count == proof.path.count,
            open.proof.signature == proof.signature
        else { return nil }
        let steps = proof.stepsUnlike(open.proof)
        let added = BatchFrame.entryBytes + steps * Bytes32.count + itemBytes
        let bodyBytes = bytes.count - open.start - FrameHeader.count + added
        return bodyBytes <= bytesMax ? steps : nil
    }

    /// Opens a frame for an envelope with a proof.
    ///
    /// - Returns: the number of path hashes to write.
    private mutating func openFrame(_ proof: EnvelopeProof) -> Int {
        closeFrame()
        open = OpenFrame(start: bytes.count, proof: proof)
        FrameHeader(length: 0, type: BatchFrame.type).append(to: &bytes)
        bytes.appendBigEndian(conversation)
        proof.signature.append(to: &bytes)
        return proof.path.count
    }

    /// Writes the length of the open frame into its header.
    private mutating func closeFrame() {
        guard let open else { return }
        FrameHeader.setLength(of: &bytes, from: open.start)
        self.open = nil
    }
}
