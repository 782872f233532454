/// Which commits were asked for, which are done, and what waits for them.
struct Commits: Sendable {
    private(set) var issued = Ticket(0)
    private(set) var committed = Ticket(0)
    /// Envelope bytes of commits that are not done.
    private(set) var pendingBytes = 0
    /// Commits fail for now.
    var isBlocked = false

    private var sizes: [(ticket: Ticket, bytes: Int)] = []
    private var waiting: [(ticket: Ticket, delivery: Delivery)] = []
    private var reservations: [(ticket: Ticket, conversation: UInt32)] = []
    private var cursors: [(ticket: Ticket, cursor: PendingCursor)] = []

    /// The ticket of the writes that are being gathered.
    var next: Ticket { Ticket(issued.value + 1) }

    /// Keeps `delivery` until the writes that are being gathered are on disk.
    mutating func afterNext(_ delivery: Delivery) {
        waiting.append((next, delivery))
    }

    /// Of a conversation that was left nothing is told any more, but what its authors wait for.
    mutating func forget(_ conversation: UInt32) {
        waiting.removeAll { $0.delivery.isNews(of: conversation) }
    }

    /// Sequences of `conversation` are usable once the writes that are being gathered are on disk.
    mutating func reservesSequences(of conversation: UInt32) {
        reservations.append((next, conversation))
    }

    /// A cursor is among the writes that are being gathered: only when they are on disk may a peer
    /// hear of it, also on another link.
    mutating func writes(_ cursor: PendingCursor) {
        cursors.append((next, cursor))
    }

    mutating func issue(_ writes: [StoreWrite], bytes: Int) -> Persist? {
        guard !writes.isEmpty else { return nil }
        issued = next
        sizes.append((issued, bytes))
        pendingBytes += bytes
        return Persist(ticket: issued, writes: writes)
    }

    /// Everything up to `ticket` is on disk.
    ///
    /// - Returns: what waited for it, in order.
    mutating func done(_ ticket: Ticket) -> CommitsDone {
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

/// What waited for commits that are done.
struct CommitsDone: Sendable {
    let deliveries: [Delivery]
    /// Conversations with new sequences.
    let reserved: [UInt32]
    let cursors: [PendingCursor]
}

/// How far a peer's feed will be on disk.
struct PendingCursor: Sendable {
    let conversation: UInt32
    let peer: DeviceID
    let cursor: FeedCursor
}
