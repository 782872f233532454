/// One conversation on one node: its sessions, its change feed, its origins.
package struct ConversationState: Sendable {
    package let record: ConversationRecord
    package internal(set) var keys: ConversationKeys

    package internal(set) var origins: [OriginID: OriginState] = [:]
    package internal(set) var sessions: [SessionState] = []
    var sessionNumbers: [SessionTag: Int32] = [:]
    var sessionRows: [Int64: Int32] = [:]
    var feed: ChangeFeed
    var moves = PendingMoves()
    var runs: FeedRuns
    /// How far the feed of each peer is on this disk.
    var cursors: [DeviceID: FeedCursor]
    var ownSequences: OwnSequences
    var wants = WantTable()
    /// For each first byte of a session tag: the sum of the head digests' first eight bytes.
    var auditSums = [UInt64](repeating: 0, count: Audit.buckets)
    /// The highest place that any opened message claims.
    package internal(set) var highestPlace: UInt64 = 0
    /// Blobs that heads list, each with the number of heads.
    var listedBlobs: [BlobID: Int] = [:]

    init(recovered: RecoveredConversation, keys: ConversationKeys) {
        record = recovered.record
        self.keys = keys
        feed = ChangeFeed(start: recovered.runs.last.map { $0.start % FeedCursor.positionEnd } ?? 0)
        runs = FeedRuns(recovered.runs)
        cursors = recovered.cursors
        ownSequences = OwnSequences(end: recovered.sequencesReservedEnd)
    }

    package var number: UInt32 { record.number }
    package var role: Role { record.capability.role }
    package var sessionCount: Int { sessions.count }

    /// The session known by `tag`, if there is one.
    package func session(_ tag: SessionTag) -> SessionState? {
        sessionNumbers[tag].map { sessions[Int($0)] }
    }
}

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
    let position: UInt64
    /// Header, body and proof; nil while only the store has them.
    package internal(set) var envelope: Slice?
    /// The store was asked for it and does not have it.
    var isLost = false
    /// The commit after which it may be sent: what is written here is on this disk first.
    ///
    /// 0 for what peers sent.
    let sentAfter: Ticket
    /// Of the envelope, in bytes.
    let size: Int
    /// Links that it crossed to get here.
    let hops: UInt8
    /// Links whose other side is known to have it; at most a few.
    var knownTo: [LinkID]
    package let next: [ParticipantID]
    package let blobs: [BlobReference]
    package let isTombstone: Bool
}

/// Who stands behind an origin, and what of it is here.
package struct OriginState: Sendable {
    package let record: OriginRecord
    package let device: DeviceID
    package let participant: ParticipantID
    var isStored: Bool
    /// Sessions whose first head here was this origin's.
    var sessions = 0
    var checkedBatches = CheckedBatches()
    var bodyKey: Bytes32?

    init(record: OriginRecord, device: DeviceID, participant: ParticipantID, isStored: Bool) {
        self.record = record
        self.device = device
        self.participant = participant
        self.isStored = isStored
    }
}

/// The numbers of this device's own envelopes in one conversation.
///
/// They are reserved on disk in blocks before they are used, so that a crash skips numbers and
/// never uses one twice.
package struct OwnSequences: Sendable {
    /// Numbers that one write reserves.
    package static let block: UInt64 = 65_536

    package private(set) var next: UInt64
    package private(set) var committedEnd: UInt64
    package private(set) var reservedEnd: UInt64

    /// Every number from `end` on is unused.
    package init(end: UInt64) {
        next = min(end, Limits.sequenceEnd)
        committedEnd = next
        reservedEnd = next
    }

    /// How many numbers may be used at once.
    package var available: Int { Int(committedEnd - next) }

    /// The new end to commit when numbers run low and none are on their way, else nil.
    package mutating func reserve() -> UInt64? {
        guard reservedEnd == committedEnd, committedEnd - next < Self.block / 2,
            reservedEnd + Self.block < Limits.sequenceEnd
        else { return nil }
        reservedEnd += Self.block
        return reservedEnd
    }

    package mutating func reservationCommitted() {
        committedEnd = reservedEnd
    }

    /// The next number; there must be one available.
    package mutating func take() -> UInt64 {
        precondition(next < committedEnd, "a sequence was used before it was reserved on disk")
        defer { next += 1 }
        return next
    }
}
