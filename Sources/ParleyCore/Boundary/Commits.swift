/// The requested commits, and everything that waits for them.
package struct Commits: Sendable {
    package private(set) var issued = Ticket(0)
    package private(set) var committed = Ticket(0)
    /// Envelope bytes of commits that are not done.
    package private(set) var pendingBytes = 0
    /// Whether commits fail at present.
    package var isBlocked = false

    /// When to write cursors that advanced without anything else to write.
    package private(set) var cursorsDue: Moment?
    /// How long such cursors may wait for another write.
    private static let cursorDelay = Interval.seconds(1)
    /// From when on cursors are written along with other writes.
    private var nextCursors = Moment.start
    /// The least time between two writes of cursors that only accompany others.
    ///
    /// A cursor makes a commit one page longer. After a crash, peers announce again what came after
    /// the last cursor: at most what came within `cursorDelay`.
    private static let cursorInterval = Interval.milliseconds(100)

    private var sizes: [(ticket: Ticket, bytes: Int)] = []
    private var waiting: [(ticket: Ticket, delivery: Delivery)] = []
    private var reservations: [(ticket: Ticket, conversation: UInt32)] = []
    private var cursors: [(ticket: Ticket, cursor: PendingCursor)] = []

    package init() {}

    /// The ticket of the writes that are being gathered.
    package var next: Ticket { Ticket(issued.value + 1) }

    /// Keeps `delivery` until the writes that are being gathered are on disk.
    package mutating func afterNext(_ delivery: Delivery) {
        waiting.append((next, delivery))
    }

    /// Drops the deliveries about a conversation that was left, except the answers to its authors.
    package mutating func forget(_ conversation: UInt32) {
        waiting.removeAll { $0.delivery.isNews(of: conversation) }
    }

    /// Sequences of `conversation` are usable once the writes that are being gathered are on disk.
    package mutating func reservesSequences(of conversation: UInt32) {
        reservations.append((next, conversation))
    }

    /// Notes a cursor among the gathered writes: peers may hear of it only once it is on disk.
    ///
    /// - Returns: the write.
    package mutating func write(_ cursor: PendingCursor, at now: Moment) -> StoreWrite {
        cursors.append((next, cursor))
        nextCursors = now + Self.cursorInterval
        return .cursor(conversation: cursor.conversation, peer: cursor.peer, cursor.cursor)
    }

    /// Whether cursors are to be written now: they have waited long enough, or something else is
    /// written and they were not written a moment ago.
    package func areCursorsDue(at now: Moment, isWriting: Bool) -> Bool {
        isWriting && nextCursors <= now || cursorsDue.map { $0 <= now } ?? false
    }

    /// Notes whether cursors wait for another write.
    package mutating func cursorsWait(_ wait: Bool, at now: Moment) {
        cursorsDue = wait ? cursorsDue ?? now + Self.cursorDelay : nil
    }

    /// Makes one commit of the gathered writes, with `bytes` bytes of envelopes; nil if there are
    /// none.
    package mutating func issue(_ writes: [StoreWrite], bytes: Int) -> Persist? {
        guard !writes.isEmpty else { return nil }
        issued = next
        sizes.append((issued, bytes))
        pendingBytes += bytes
        return Persist(ticket: issued, writes: writes)
    }

    /// Everything up to `ticket` is on disk.
    ///
    /// - Returns: everything that waited for it, in order.
    package mutating func done(_ ticket: Ticket) -> CommitsDone {
        precondition(ticket <= issued, "a commit was confirmed that nobody asked for")
        committed = max(committed, ticket)
        let sizesDone = sizes.prefix { $0.ticket <= ticket }
        pendingBytes -= sizesDone.reduce(0) { $0 + $1.bytes }
        sizes.removeFirst(sizesDone.count)
        let waitingDone = waiting.prefix { $0.ticket <= ticket }
        let deliveries = waitingDone.map(\.delivery)
        waiting.removeFirst(waitingDone.count)
        let reservationsDone = reservations.prefix { $0.ticket <= ticket }
        let reserved = reservationsDone.map(\.conversation)
        reservations.removeFirst(reservationsDone.count)
        let cursorsDone = cursors.prefix { $0.ticket <= ticket }.map(\.cursor)
        cursors.removeFirst(cursorsDone.count)
        return CommitsDone(deliveries: deliveries, reserved: reserved, cursors: cursorsDone)
    }
}

/// Everything that waited for commits that are done.
package struct CommitsDone: Sendable {
    package let deliveries: [Delivery]
    /// Conversations with new sequences.
    package let reserved: [UInt32]
    package let cursors: [PendingCursor]
}

/// A cursor that is on its way to the disk.
package struct PendingCursor: Sendable {
    package let conversation: UInt32
    package let peer: DeviceID
    package let cursor: FeedCursor

    package init(conversation: UInt32, peer: DeviceID, cursor: FeedCursor) {
        self.conversation = conversation
        self.peer = peer
        self.cursor = cursor
    }
}
