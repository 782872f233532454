/// The body of a batch frame, which all sessions share whose envelopes are in the frame.
///
/// `BatchFrame` describes the bytes.
package final class BatchBlock: Sendable {
    let bytes: Slice
    /// The depth of the batch's tree, at most `Limits.proofDepth`.
    let depth: Int
    package let signature: Signature
    /// The offsets of the entries, ascending.
    private let starts: [UInt32]
    /// The number of the conversation in this data directory.
    let conversation: UInt32
    /// The number of the block in the cache of envelopes.
    let number: Int

    /// A copy of the body of a frame, whose entries `BatchReader` checks.
    package init(
        decoding body: Slice,
        of conversation: UInt32,
        number: Int
    ) throws(CodecError) {
        guard body.count > BatchFrame.prefixBytes + BatchFrame.entryBytes else { throw .truncated }
        signature = Signature(reading: body, at: 4)
        depth = Int(body[BatchFrame.prefixBytes + 9])
        guard 1...Limits.proofDepth ~= depth else { throw .outOfRange }
        bytes = Slice(body.bytes)
        starts = Self.starts(in: bytes)
        self.conversation = conversation
        self.number = number
    }

    /// The entry at an offset at which an entry was read before.
    func entry(at start: Int) -> BatchEntry {
        bytes.withBytes { BatchEntry(reading: $0, at: start) }
    }

    /// Header and sealed body of the envelope of an entry.
    func items(of entry: BatchEntry) -> Slice { bytes[entry.items..<entry.end] }

    /// Header, body and proof of the envelope that was read at an offset.
    func envelope(at start: Int) -> Slice {
        envelope(of: entry(at: start), proof: proof(at: start))
    }

    /// Header, body and proof of the envelope of an entry.
    func envelope(of entry: BatchEntry, proof: EnvelopeProof) -> Slice {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entry.itemBytes + EnvelopeProof.bytesMax(depth: depth))
        self.bytes.append(entry.items..<entry.end, to: &bytes)
        proof.append(to: &bytes)
        return Slice(bytes)
    }

    /// A proof of the batch, whose index and path are yet to be read.
    var proof: EnvelopeProof { .batch(signature, index: 0, path: ProofPath(count: depth)) }

    /// Reads the index and the hashes of an entry; the hashes above stay those of the entry before.
    func read(_ entry: BatchEntry, into proof: inout EnvelopeProof) {
        proof.index = entry.index
        bytes.withBytes { proof.path.read(0..<entry.steps, of: $0, at: entry.hashes) }
    }

    /// The proof of the entry at an offset; the upper hashes of its path are those of entries in
    /// front.
    func proof(at start: Int) -> EnvelopeProof {
        var proof = proof
        proof.index = entry(at: start).index
        var known = 0
        var index = starts.partitioningIndex { $0 > start } - 1
        bytes.withBytes { bytes in
            while known < depth, index >= 0 {
                let start = Int(starts[index])
                let steps = BatchEntry.steps(in: bytes, at: start)
                if steps > known {
                    proof.path.read(known..<steps, of: bytes, at: start + BatchFrame.entryBytes)
                    known = steps
                }
                index -= 1
            }
        }
        return proof
    }

    /// The offsets of the entries; those behind one that is cut off are left out.
    private static func starts(in bytes: Slice) -> [UInt32] {
        var starts: [UInt32] = []
        bytes.withBytes { bytes in
            var offset = BatchFrame.prefixBytes
            while bytes.byteCount - offset >= BatchFrame.entryBytes {
                let entry = BatchEntry(reading: bytes, at: offset)
                guard entry.end <= bytes.byteCount else { break }
                starts.append(UInt32(offset))
                offset = entry.end
            }
        }
        return starts
    }
}

/// The numbers in front of an envelope in a batch frame, and where its parts are.
struct BatchEntry: BitwiseCopyable {
    /// The offset of the entry in the body of the frame.
    let start: Int
    let position: UInt64
    let hops: UInt8
    /// The number of hashes in the entry.
    let steps: Int
    /// The index of the envelope in its batch.
    let index: Int
    /// The offset of header and sealed body.
    let items: Int
    /// The offset behind them.
    let end: Int

    /// The entry at an offset with at least `BatchFrame.entryBytes` bytes behind it.
    init(reading body: RawSpan, at start: Int) {
        self.start = start
        position = body.bigEndian(at: start)
        hops = body.byte(at: start + 8)
        steps = Self.steps(in: body, at: start)
        index = Int(body.bigEndian(at: start + 10) as UInt16)
        items = start + BatchFrame.entryBytes + steps * Bytes32.count
        end = items + Int(body.bigEndian(at: start + 12) as UInt32)
    }

    /// The number of hashes in the entry at an offset.
    static func steps(in body: RawSpan, at start: Int) -> Int { Int(body.byte(at: start + 9)) }

    /// The offset of the lowest hashes of the path.
    var hashes: Int { start + BatchFrame.entryBytes }
    var itemBytes: Int { end - items }
}

/// Reads and checks the entries of a batch frame, in order.
struct BatchReader {
    let block: BatchBlock
    /// The offset of the next entry.
    var offset = BatchFrame.prefixBytes

    init(_ block: BatchBlock) { self.block = block }

    /// The next entry; nil after the last.
    ///
    /// The hashes of the entry are read into `proof`, which begins as `BatchBlock.proof` and then
    /// has the path of the entry in front.
    mutating func next(_ proof: inout EnvelopeProof) throws(CodecError) -> BatchEntry? {
        guard offset < block.bytes.count else { return nil }
        guard block.bytes.count - offset >= BatchFrame.entryBytes else { throw .truncated }
        let entry = block.entry(at: offset)
        guard entry.steps <= block.depth, entry.index >> block.depth == 0 else {
            throw .outOfRange
        }
        guard entry.end <= block.bytes.count else { throw .truncated }
        block.read(entry, into: &proof)
        offset = entry.end
        return entry
    }
}
