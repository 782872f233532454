/// A session on one node.
package struct SessionState: Sendable {
    package let tag: SessionTag
    /// Its row in the store.
    package let row: Int64
    package internal(set) var register = SessionRegister()
    /// The records of the heads, in no particular order.
    package internal(set) var heads: [HeadRecord] = []
    /// The lines of messages that were shown, and are not any more; empty on a relay.
    package internal(set) var lines = SessionLines()
    /// The shown message as a line of the transcript; nil on a relay and while it is unreadable.
    package internal(set) var shownLine: ShownLine?
    /// The commit that writes its latest change.
    var lastWrite = Ticket(0)
    /// Whether its row has to be written at the end of this step.
    var isDirty = false
    /// Whether it is in the queue of sessions whose envelopes may be evicted.
    var isInCacheQueue = false

    init(tag: SessionTag, row: Int64) {
        self.tag = tag
        self.row = row
    }

    /// The record of the head `dot`.
    package func record(of dot: Dot) -> HeadRecord? {
        heads.first { $0.dot == dot }
    }

    func index(of dot: Dot) -> Int? {
        heads.firstIndex { $0.dot == dot }
    }

    /// The lines of replaced messages: a message that lost a conflict is a head until somebody
    /// settles it.
    var linesOfReplaced: [ShownLine] {
        lines.isEmpty ? [] : lines.lines.filter { index(of: $0.dot) == nil }
    }
}

/// The data of a head that the register does not need: its envelope, and which peers have it.
///
/// A node has one for each session, so the fields are in an order that leaves no gaps.
package struct HeadRecord: Sendable {
    package let dot: Dot
    /// The feed position at which it was merged; after a restart, the position of its session.
    package let position: UInt64
    /// Header, body and proof; nil while only the store has them.
    package internal(set) var envelope: Slice?
    /// The commit after which it may be sent; 0 if a peer sent it.
    ///
    /// An envelope of this node has to be on its own disk first.
    package let sentAfter: Ticket
    /// Links whose peers are known to have it; at most `knownToMax`.
    package internal(set) var knownTo: Few<LinkID>
    package let next: [ParticipantID]
    package let blobs: [BlobReference]
    /// The number of its author among the writers.
    let writer: Int32
    private let length: UInt32
    private let lengthBeforeProof: UInt32
    /// The number of links that it crossed to get here.
    package let hops: UInt8
    /// Whether the store was asked for its envelope and does not have it.
    package internal(set) var isLost = false
    /// Whether this node had to ask for it, so that it is announced to peers and not pushed.
    package let isFetched: Bool
    package let isTombstone: Bool

    /// The record of an envelope that was merged with the feed position `position`; the envelope is
    /// in memory if `isKept`.
    init(
        _ envelope: Envelope,
        isKept: Bool = true,
        writer: Int32,
        position: UInt64,
        sentAfter: Ticket,
        hops: UInt8,
        isFetched: Bool,
        knownTo: Few<LinkID>
    ) {
        dot = envelope.header.dot
        self.position = position
        self.writer = writer
        self.envelope = isKept ? envelope.bytes.compacted() : nil
        self.sentAfter = sentAfter
        self.knownTo = knownTo
        next = envelope.header.next
        blobs = envelope.header.blobs
        length = UInt32(envelope.bytes.count)
        lengthBeforeProof = UInt32(envelope.proofStart)
        self.hops = hops
        self.isFetched = isFetched
        isTombstone = envelope.header.isTombstone
    }

    /// The size of the envelope in bytes.
    package var size: Int { Int(length) }
    /// The offset of the proof in the envelope.
    var proofStart: Int { Int(lengthBeforeProof) }
}

extension HeadRecord {
    /// Links kept per head; a peer that is not among them gets one announcement too many.
    package static let knownToMax = 8

    /// Notes that the peer of a link has the envelope; closed links are forgotten first.
    mutating func know(_ link: LinkID, openLinks: [LinkID]) {
        guard !knownTo.contains(link) else { return }
        if knownTo.count == Self.knownToMax { knownTo.removeAll { !openLinks.contains($0) } }
        if knownTo.count == Self.knownToMax { knownTo.removeFirst() }
        knownTo.append(link)
    }
}
