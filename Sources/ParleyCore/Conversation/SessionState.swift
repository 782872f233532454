/// A session on one node.
package struct SessionState: Sendable {
    package let tag: SessionTag
    /// The row of the session in the store.
    package let row: Int64
    package internal(set) var register = SessionRegister()
    /// The records of the heads, in no particular order.
    package internal(set) var heads: [HeadRecord] = []
    /// The lines of messages that are no longer shown; empty on a relay.
    package internal(set) var lines = SessionLines()
    /// The shown message as a line of the transcript; nil on a relay and while it is unreadable.
    package internal(set) var shownLine: ShownLine?
    /// The commit of the latest change.
    var lastWrite = Ticket(0)
    /// Whether the row has to be written at the end of this step.
    var isDirty = false
    /// Whether the session is in the queue for eviction.
    var isInCacheQueue = false

    /// The record of the head `dot`.
    package func record(of dot: Dot) -> HeadRecord? {
        heads.first { $0.dot == dot }
    }

    func index(of dot: Dot) -> Int? {
        heads.firstIndex { $0.dot == dot }
    }

    /// Whether a head of `size` bytes would replace the only head and leave nothing else of it: no
    /// picture, no row that is lost, and no growth that a quota limits.
    func isOnlyHeadReplaced(by head: Head, size: Int) -> Bool {
        heads.count == 1 && !heads[0].isLost && heads[0].blobs.isEmpty
            && size <= max(heads[0].size, Limits.sessionBytes)
            && register.isOnlyHeadReplaced(by: head)
    }

    /// The lines of replaced messages; the loser of a conflict stays a head until it is replaced.
    var linesOfReplaced: [ShownLine] {
        lines.isEmpty ? [] : lines.lines.filter { index(of: $0.dot) == nil }
    }
}

/// The data of a head beside the register: the envelope, and the links whose peers have it.
///
/// A node has a record for each session, so the fields are in an order that leaves no gaps.
package struct HeadRecord: Sendable {
    package private(set) var dot: Dot
    /// The feed position of the merge; after a restart, the position of the session.
    package private(set) var position: UInt64
    /// Header, body and proof; nil while only the store has them.
    package internal(set) var place: EnvelopePlace?
    /// The commit that stores an envelope of this node, which may be sent only then; otherwise 0.
    package private(set) var sentAfter: Ticket
    /// Links whose peers are known to have the envelope; at most `knownToMax`.
    package internal(set) var knownTo: Few<LinkID>
    package private(set) var next: [ParticipantID]
    package let blobs: [BlobReference]
    /// The number of the author's device among the writers.
    private(set) var writer: Int32
    private var length: UInt32
    private var lengthBeforeProof: UInt32
    /// The number of links that the envelope has crossed.
    package private(set) var hops: UInt8
    /// Whether a read found that the store lacks the envelope.
    package internal(set) var isLost = false
    /// Whether this node asked for the envelope, which is then announced to peers and not pushed.
    package private(set) var isFetched: Bool
    package private(set) var isTombstone: Bool

    /// The record of an envelope that was merged at a feed position; `place` is nil if only the
    /// store has the envelope.
    init(
        _ header: EnvelopeHeader,
        place: EnvelopePlace?,
        size: Int,
        proofStart: Int,
        writer: Int32,
        position: UInt64,
        sentAfter: Ticket,
        hops: UInt8,
        isFetched: Bool,
        knownTo: Few<LinkID>
    ) {
        dot = header.dot
        self.position = position
        self.writer = writer
        self.place = place
        self.sentAfter = sentAfter
        self.knownTo = knownTo
        next = header.next
        blobs = header.blobs
        length = UInt32(size)
        lengthBeforeProof = UInt32(proofStart)
        self.hops = hops
        self.isFetched = isFetched
        isTombstone = header.isTombstone
    }

    /// The record of an envelope that arrived.
    init(
        _ arrival: Arrival,
        writer: Int32,
        position: UInt64,
        sentAfter: Ticket = Ticket(0),
        isFetched: Bool
    ) {
        self.init(
            arrival.header,
            place: arrival.place.compacted(),
            size: arrival.size,
            proofStart: arrival.items.bytes.count,
            writer: writer,
            position: position,
            sentAfter: sentAfter,
            hops: arrival.hops,
            isFetched: isFetched,
            knownTo: arrival.source.map { Few(only: $0) } ?? Few()
        )
    }

    /// Takes a pushed envelope in the place of another one, both without blobs.
    ///
    /// The values are changed one by one, as to make and to copy a record costs more than a merge.
    mutating func replace(with pushed: PushedEnvelope, writer: Int32, position: UInt64) {
        dot = pushed.dot
        self.position = position
        self.writer = writer
        place = pushed.place
        sentAfter = Ticket(0)
        knownTo.replaceAll(byOnly: pushed.source)
        if !next.isEmpty || !pushed.next.isEmpty { next = pushed.next }
        length = UInt32(pushed.size)
        lengthBeforeProof = UInt32(pushed.proofStart)
        hops = pushed.hops
        isFetched = false
        isTombstone = pushed.isTombstone
    }

    /// Header, body and proof; nil while only the store has them.
    package var envelope: Slice? { place?.bytes }
    /// The size of the envelope in bytes.
    package var size: Int { Int(length) }
    /// The offset of the proof in the envelope.
    var proofStart: Int { Int(lengthBeforeProof) }
}

extension HeadRecord {
    /// The number of links noted; a peer beyond gets one announcement too many.
    package static let knownToMax = 8

    /// Notes that the peer of a link has the envelope; closed links are forgotten first.
    mutating func know(_ link: LinkID, openLinks: [LinkID]) {
        guard !knownTo.contains(link) else { return }
        if knownTo.count == Self.knownToMax { knownTo.removeAll { !openLinks.contains($0) } }
        if knownTo.count == Self.knownToMax { knownTo.removeFirst() }
        knownTo.append(link)
    }
}
