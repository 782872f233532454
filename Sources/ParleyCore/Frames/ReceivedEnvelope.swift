/// An envelope as a peer's frame brings it, without its proof, which is not checked yet.
package struct ReceivedEnvelope: Sendable {
    package let items: EnvelopeItems
    package let place: EnvelopePlace
    /// The size of the encoded envelope in bytes.
    package let size: Int
    package let hops: UInt8
    /// The feed position as in `EnvelopeFrame`.
    package let position: UInt64
    package let isAwaited: Bool

    /// The envelope of a frame of its own.
    package init(_ envelope: Envelope, of frame: EnvelopeFrame) {
        items = envelope.items
        place = .whole(envelope.bytes)
        size = envelope.bytes.count
        hops = frame.hops
        position = frame.position
        isAwaited = frame.isAwaited
    }

    /// The envelope of an entry of a batch frame.
    init(_ entry: BatchEntry, of block: BatchBlock) throws(CodecError) {
        items = try EnvelopeItems(decoding: block.items(of: entry))
        place = .entry(of: block, at: UInt32(entry.start))
        size =
            entry.itemBytes + EnvelopeProof.bytes(ofBatchAt: entry.index, depth: block.depth)
        guard size <= Limits.envelopeBytes else { throw .tooLong }
        hops = entry.hops
        (position, isAwaited) = try FeedPosition.read(entry.position)
    }

    /// The number of links that an envelope has crossed here, if it had crossed `hops` before.
    static func hopsHere(_ hops: UInt8) -> UInt8 { hops < UInt8.max ? hops + 1 : UInt8.max }

    /// The credit that the envelope uses, in bytes.
    package var creditBytes: Int { EnvelopeFrame.prefixBytes + size }
}
