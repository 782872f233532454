/// A session on one node.
package struct SessionState: Sendable {
    package let tag: SessionTag
    /// Its row in the store.
    package let row: Int64
    package internal(set) var register = SessionRegister()
    /// What belongs to the heads, in no order that matters.
    package internal(set) var heads: [HeadRecord] = []
    /// What a person saw of the session; stays empty on a relay.
    package internal(set) var lines = SessionLines()
    /// The message that is shown, as a person sees it; nil on a relay and while it is unreadable.
    package internal(set) var shownLine: ShownLine?
    /// Whether its row has to be written at the end of this turn.
    var isDirty = false
    /// The commit that writes its latest change.
    var lastWrite = Ticket(0)
    /// Whether it is in line to have its envelopes leave memory.
    var isInCacheQueue = false

    init(tag: SessionTag, row: Int64) {
        self.tag = tag
        self.row = row
    }

    /// What belongs to the head `dot`.
    package func record(of dot: Dot) -> HeadRecord? {
        heads.first { $0.dot == dot }
    }

    func index(of dot: Dot) -> Int? {
        heads.firstIndex { $0.dot == dot }
    }
}

/// What a node keeps with a head beside what the register needs.
package struct HeadRecord: Sendable {
    package let dot: Dot
    /// The feed position at which it came, or a later one of its session after a restart.
    package let position: UInt64
    /// Header, body and proof; nil while only the store has them.
    package internal(set) var envelope: Slice?
    /// The store was asked for it and does not have it.
    package internal(set) var isLost = false
    /// The commit after which it may be sent: what is written here is on this disk first.
    ///
    /// 0 for what peers sent.
    package let sentAfter: Ticket
    /// Of the envelope, in bytes.
    package let size: Int
    /// Links that it crossed to get here.
    package let hops: UInt8
    /// Links whose other side is known to have it; at most a few.
    package internal(set) var knownTo: [LinkID]
    package let next: [ParticipantID]
    package let blobs: [BlobReference]
    package let isTombstone: Bool
}

extension HeadRecord {
    /// Links kept per head; a peer that is not among them is told once more than necessary.
    private static let knownToMax = 8

    /// The peer of a link has the envelope; links that are gone are forgotten first.
    mutating func know(_ link: LinkID, isOpen: (LinkID) -> Bool) {
        guard !knownTo.contains(link) else { return }
        if knownTo.count == Self.knownToMax { knownTo.removeAll { !isOpen($0) } }
        if knownTo.count == Self.knownToMax { knownTo.removeFirst() }
        knownTo.append(link)
    }
}
