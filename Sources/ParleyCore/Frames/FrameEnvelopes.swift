/// The envelopes of a frame, in order: the one of an `envelope` frame, or all of a batch frame.
struct FrameEnvelopes {
    private var alone: EnvelopeFrame?
    private var reader: BatchReader?
    /// The proof of the envelope that was read last.
    private(set) var proof: EnvelopeProof

    /// The envelope of a frame of its own.
    init(alone body: Slice) throws(CodecError) {
        alone = try EnvelopeFrame(decoding: body)
        proof = .single(Signature(first: .zero, second: .zero))
    }

    /// The envelopes of a batch frame.
    init(of block: BatchBlock) {
        reader = BatchReader(block)
        proof = block.proof
    }

    /// The batch frame; nil for an envelope in a frame of its own.
    var block: BatchBlock? { reader?.block }

    /// The offset of the next entry of a batch frame.
    var offset: Int { reader?.offset ?? 0 }

    /// The entries up to one with this path were read elsewhere.
    mutating func passed(_ entry: BatchEntry, with path: ProofPath) {
        reader?.offset = entry.end
        proof.index = entry.index
        proof.path = path
    }

    /// The envelopes of a batch frame that were not read.
    var rest: BatchFrame? { reader.map { BatchFrame(rest: $0, proof: proof) } }

    /// The next envelope, whose proof is in `proof` then; nil after the last.
    mutating func next() throws(Refusal) -> ReceivedEnvelope? {
        do throws(CodecError) {
            if let frame = alone {
                alone = nil
                let envelope = try Envelope(decoding: frame.envelope)
                proof = envelope.proof
                return ReceivedEnvelope(envelope, of: frame)
            }
            guard let entry = try reader?.next(&proof), let block else { return nil }
            return try ReceivedEnvelope(entry, of: block)
        } catch {
            throw .malformed(error)
        }
    }
}
