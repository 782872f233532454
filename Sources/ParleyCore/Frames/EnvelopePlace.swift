/// Where the encoded bytes of an envelope are: header, body and proof.
package enum EnvelopePlace: Sendable {
    case whole(Slice)
    /// The entry at an offset of a batch frame, whose proof is put together when it is needed.
    case entry(of: BatchBlock, at: UInt32)

    /// The encoded envelope.
    package var bytes: Slice {
        switch self {
        case .whole(let bytes): bytes
        case .entry(let block, let start): block.envelope(at: Int(start))
        }
    }

    /// Whether this is the entry at an offset of a batch frame.
    func isEntry(of block: BatchBlock, at start: Int) -> Bool {
        guard case .entry(let own, let offset) = self else { return false }
        return own === block && Int(offset) == start
    }

    /// The same bytes, but not within a long read that they would keep in memory.
    func compacted() -> EnvelopePlace {
        switch self {
        case .whole(let bytes): .whole(bytes.compacted())
        case .entry: self
        }
    }
}
