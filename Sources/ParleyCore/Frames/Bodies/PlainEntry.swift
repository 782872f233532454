/// An entry of a batch frame with an envelope of the usual form that a peer pushed without a
/// request to confirm: all that is read of it, without references.
struct PlainEntry {
    let entry: BatchEntry
    let header: UsualHeader
    /// The size of the encoded envelope in bytes.
    let size: Int

    /// The feed position of the peer, from 1 on.
    var position: UInt64 { entry.position }
    /// The credit that the envelope uses, in bytes.
    var creditBytes: Int { EnvelopeFrame.prefixBytes + size }
}

extension BatchBlock {
    /// The entry at an offset behind another one; nil if it is not plain, or malformed.
    func plainEntry(at start: Int) -> PlainEntry? {
        bytes.withBytes { bytes in
            guard bytes.byteCount - start >= BatchFrame.entryBytes else { return nil }
            let entry = BatchEntry(reading: bytes, at: start)
            guard entry.steps <= depth, entry.index >> depth == 0,
                entry.end <= bytes.byteCount, 1..<FeedCursor.positionEnd ~= entry.position,
                let header = UsualHeader(bytes.extracting(entry.items..<entry.end))
            else { return nil }
            let size =
                entry.itemBytes + EnvelopeProof.bytes(ofBatchAt: entry.index, depth: depth)
            guard size <= Limits.envelopeBytes else { return nil }
            return PlainEntry(entry: entry, header: header, size: size)
        }
    }

    /// The digest of an entry's envelope; `prefix` is `EnvelopeItems.digestPrefix`.
    func digest(
        of entry: BatchEntry,
        after prefix: HashInput,
        using crypto: some Cryptography
    ) -> Bytes32 {
        bytes.withBytes {
            prefix.sha256(then: $0.extracting(entry.items..<entry.end), using: crypto)
        }
    }
}
