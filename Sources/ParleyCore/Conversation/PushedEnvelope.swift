/// The part of a pushed envelope, without blobs, that the record of a head takes.
struct PushedEnvelope {
    let tag: SessionTag
    let dot: Dot
    let place: EnvelopePlace
    let next: [ParticipantID]
    let source: LinkID
    /// The size of the envelope, and the offset of its proof, in bytes.
    let size: Int
    let proofStart: Int
    /// The number of links that the envelope has crossed.
    let hops: UInt8
    let isTombstone: Bool

    /// The envelope of an arrival; nil with blobs, or if this node wrote it.
    init?(_ arrival: Arrival) {
        guard let source = arrival.source, arrival.header.blobs.isEmpty else { return nil }
        tag = arrival.header.tag
        dot = arrival.head.dot
        place = arrival.place.compacted()
        next = arrival.header.next
        self.source = source
        size = arrival.size
        proofStart = arrival.items.bytes.count
        hops = arrival.hops
        isTombstone = arrival.header.isTombstone
    }

    /// The envelope of a plain entry.
    init(_ plain: PlainEntry, of block: BatchBlock, from link: LinkID) {
        tag = plain.header.tag
        dot = plain.header.dot
        place = .entry(of: block, at: UInt32(plain.entry.start))
        next = []
        source = link
        size = plain.size
        proofStart = plain.entry.itemBytes
        hops = ReceivedEnvelope.hopsHere(plain.entry.hops)
        isTombstone = false
    }
}

/// The state of a session before its only head was replaced.
struct ReplacedHead {
    let dot: Dot
    let digestPrefix: UInt64
    let place: EnvelopePlace?
    let size: Int
    let writer: Int32
    let isInCacheQueue: Bool
    let isDirty: Bool
}

extension SessionState {
    /// Replaces the only head and its record; the session is then to be written, and in the queue
    /// for eviction.
    mutating func replaceOnlyHead(
        by head: Head,
        _ pushed: PushedEnvelope,
        _ writer: Int32,
        _ position: UInt64
    ) -> ReplacedHead {
        let old = ReplacedHead(
            dot: heads[0].dot,
            digestPrefix: register.replaceOnlyHead(by: head),
            place: heads[0].place,
            size: heads[0].size,
            writer: heads[0].writer,
            isInCacheQueue: isInCacheQueue,
            isDirty: isDirty
        )
        heads[0].replace(with: pushed, writer: writer, position: position)
        isInCacheQueue = true
        isDirty = true
        return old
    }
}
