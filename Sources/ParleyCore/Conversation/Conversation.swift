/// A conversation on a node: sessions, change feed, origins, and wants.
///
/// The value does no I/O: it takes envelopes and rows, and answers with values that describe the
/// changes.
package struct Conversation: Sendable {
    /// This node's device.
    let device: DeviceID
    let limits: Limits
    package internal(set) var keys: ConversationKeys

    package internal(set) var origins = OriginTable()
    var amounts: KeptByWriter
    package var sessions: SessionTable
    package internal(set) var feed: ChangeFeed
    package internal(set) var moves = PendingMoves()
    var incarnations: FeedIncarnations
    /// The part of each peer's feed that is on disk here.
    package internal(set) var cursors: [DeviceID: FeedCursor]
    package var ownSequences: OwnSequences
    /// The highest position of our feed that another node has confirmed to this process.
    private(set) var storedElsewhere: UInt64 = 0
    package var wants = WantTable()
    /// The highest place in the transcript among all opened messages.
    package internal(set) var highestPlace: UInt64 = 0
    /// The names of devices that authors sealed in shown messages.
    package internal(set) var names = SealedNames()
    var roles = RoleTable()
    /// The places of all lines in the transcript; empty on a relay.
    var order = TranscriptOrder()

    /// A conversation from a data directory, to which sessions are still to be added.
    package init(
        recovered: RecoveredConversation,
        device: DeviceID,
        epoch: Epoch,
        limits: Limits,
        using crypto: some Cryptography
    ) {
        let generations = Generations(recovered: recovered, using: crypto)
        let record = recovered.record.follows(generations, using: crypto)
        self.device = device
        self.limits = limits
        amounts = KeptByWriter(limits: limits, isOpen: record.isOpen)
        keys = ConversationKeys(
            record: record,
            generations: generations,
            device: device,
            epoch: epoch,
            using: crypto
        )
        sessions = SessionTable(of: record.number)
        feed = ChangeFeed(
            start: recovered.incarnations.last.map { $0.start % FeedCursor.positionEnd } ?? 0
        )
        incarnations = FeedIncarnations(recovered.incarnations)
        cursors = recovered.cursors
        ownSequences = OwnSequences(end: recovered.sequencesReservedEnd)
        for (id, record) in recovered.origins {
            origins[id] = OriginState(record, in: keys.id, using: crypto)
            _ = storeOrigin(id)
        }
        adoptOwnOrigin(epoch: epoch, using: crypto)
        for guest in recovered.seats {
            origins.take(guest, in: record, epoch: epoch, using: crypto)
        }
    }

    package var record: ConversationRecord { keys.record }
    package var generations: Generations { keys.generations }
    /// The place of this device in the current generation of keys.
    package var standing: Generations.Standing { keys.generations.standing }
    package var number: UInt32 { record.number }
    package var role: Capability.Role { record.capability.role }
    package var sessionCount: Int { sessions.count }
    /// The incarnation that numbers the changes of this process.
    package var presentIncarnation: UInt64? { incarnations.present?.id }

    /// The number of the session with this tag, if any.
    @inline(__always)
    func sessionNumber(_ tag: SessionTag) -> Int32? { sessions.numbers[tag] }

    /// Whether a head lists the blob.
    package func lists(_ blob: BlobID) -> Bool { sessions.lists(blob) }

    /// Whether a wanted envelope may be overdue.
    ///
    /// Inlined, as otherwise the compiler may copy a conversation of a table.
    @inline(__always)
    func mayBeOverdue(at now: Moment) -> Bool { wants.isDue(at: now) }

    /// The session with this tag, if any.
    package func session(_ tag: SessionTag) -> SessionState? {
        sessions.numbers[tag].map { sessions[Int($0)] }
    }

    /// The feed position of a session's latest change.
    package func position(of tag: SessionTag) -> UInt64? {
        sessions.numbers[tag].flatMap { feed.position(of: $0) }
    }

    /// Another node has everything up to this position of our feed on disk.
    package mutating func storedElsewhere(upTo position: UInt64) {
        storedElsewhere = max(storedElsewhere, position)
    }

    /// Starts an incarnation of the feed.
    package mutating func begin(_ id: UInt64) -> FeedIncarnation {
        feed.recoveryEnded()
        let incarnation = FeedIncarnation(id: id, start: feed.latest)
        incarnations.start(incarnation)
        return incarnation
    }

    /// Forgets all incarnations of the feed, so that each peer starts over.
    package mutating func forgetIncarnations() { incarnations = FeedIncarnations() }

    /// Whether the latest feed position of a session is not on disk yet.
    package func isMoving(_ session: Int32) -> Bool {
        feed.position(of: session).map { moves.isUnderWay(to: $0) } ?? false
    }

    /// Reserves sequences if few are left.
    ///
    /// - Returns: the new end to write, if any.
    package mutating func reserveSequences() -> UInt64? {
        role == .writer ? ownSequences.reserve() : nil
    }

    // MARK: This node's disk

    /// The writes up to a ticket are on disk, and with them the moves of sessions in the feed.
    @inline(__always)
    package mutating func committed(_ ticket: Ticket) { moves.committed(ticket) }

    /// The reservation of sequences is on disk, so that the sequences may be used.
    package mutating func reservationCommitted() { ownSequences.reservationCommitted() }

    /// Whether a cursor in this peer's feed is kept.
    package func keepsCursor(of peer: DeviceID) -> Bool {
        cursors.count < Limits.cursors || cursors[peer] != nil
    }

    /// The cursor in a peer's feed is on disk.
    package mutating func committed(_ cursor: FeedCursor, of peer: DeviceID) {
        cursors[peer] = cursor
    }
}
