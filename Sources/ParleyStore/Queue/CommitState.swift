import ParleyCore

/// The state of a `CommitQueue`: the waiting writes, the lanes at work, and the errors.
///
/// One lane writes transactions while the other syncs. Writes that arrive meanwhile wait for the
/// next transaction. A sync covers all transactions that were written before it began.
struct CommitState {
    /// The number of one of the two serial queues on which a `CommitQueue` works: 0 or 1.
    typealias Lane = Int

    /// Everything that waits for the next transaction, with its last ticket.
    struct Waiting {
        let batch: WriteBatch
        let inbox: [[StoreWrite]]
        let ticket: UInt64
    }

    /// A transaction that was written and is not known to be on disk.
    private struct Written {
        let ticket: UInt64
        let batch: WriteBatch
        let damage: DamageReports
    }

    private enum Health {
        case sound
        /// Writing or syncing failed with this error; a lane may still be at work.
        case failed(StoreError, isInDoubt: Bool)
        /// After an error no lane is at work, and the queue waits to retry.
        case blocked(isInDoubt: Bool)
        /// The store is being reopened.
        case reopening
    }

    /// Writes that were submitted and are not merged into `batch` yet.
    private var inbox: [[StoreWrite]] = []
    /// Writes of transactions that failed, or that were not synced.
    private var batch = WriteBatch()
    private var submitted: UInt64 = 0
    private var written: [Written] = []
    private var isWriting = false
    private var syncing: Lane?
    private var health = Health.sound
    /// Whether the last report to the node was that commits fail.
    private var saidBlocked = false
    /// Whether something was written since the last maintenance of the store.
    private var needsMaintenance = false
    private(set) var isStopping = false
    /// Whether the last attempt, between an error and the end, has begun.
    private var hasTriedLast = false
    private var hasStopped = false

    /// The transactions that may be written and not on disk.
    private static let writtenMax = 2

    var isSound: Bool {
        if case .sound = health { true } else { false }
    }

    private var isIdle: Bool { !isWriting && syncing == nil }

    // MARK: Waiting

    /// Adds writes, unless the queue has stopped.
    ///
    /// - Returns: the lane that has to begin to write, if one has to.
    mutating func submit(_ writes: [StoreWrite], ticket: UInt64) -> Lane? {
        guard !isStopping else { return nil }
        inbox.append(writes)
        submitted = ticket
        return beginWriting()
    }

    /// Whether a commit with this ticket need not wait for others; if so, the ticket counts as
    /// submitted.
    mutating func isFree(forTicket ticket: UInt64) -> Bool {
        guard !isStopping, isIdle, isSound else { return false }
        submitted = ticket
        return true
    }

    /// Whether nothing waits to be written.
    var isEmpty: Bool { inbox.isEmpty && batch.isEmpty }

    /// Picks the lane that has to begin to write, other than the syncing lane; nil if none has to.
    private mutating func beginWriting() -> Lane? {
        guard !isWriting, mayWrite else { return nil }
        isWriting = true
        return syncing == 0 ? 1 : 0
    }

    private var mayWrite: Bool { isSound && !isEmpty && written.count < Self.writtenMax }

    // MARK: Writing

    /// Whether the writing lane has to maintain the store first.
    mutating func takeMaintenance() -> Bool {
        defer { needsMaintenance = false }
        return needsMaintenance && isSound
    }

    /// The store was maintained, and there may be more to do.
    mutating func maintained(isMore: Bool) { needsMaintenance = isMore }

    /// The next work of the writing lane.
    enum Next {
        case write(Waiting)
        /// Maintain the store again, as nothing waits.
        case maintain
        case end
    }

    /// Takes everything that waits.
    mutating func take() -> Next {
        guard mayWrite else {
            if needsMaintenance, isSound, !isStopping { return .maintain }
            isWriting = false
            return .end
        }
        defer {
            inbox = []
            batch = WriteBatch()
        }
        return .write(Waiting(batch: batch, inbox: inbox, ticket: submitted))
    }

    /// The writing lane has written a batch.
    ///
    /// - Returns: whether the lane syncs now instead of writing, and the lane that then has to
    ///   write.
    mutating func wrote(
        _ batch: WriteBatch,
        ticket: UInt64,
        _ damage: DamageReports,
        on lane: Lane
    ) -> (syncs: Bool, next: Lane?) {
        written.append(Written(ticket: ticket, batch: batch, damage: damage))
        needsMaintenance = true
        guard syncing == nil else { return (false, nil) }
        isWriting = false
        syncing = lane
        return (true, beginWriting())
    }

    /// A batch could not be written.
    mutating func failedToWrite(_ batch: WriteBatch, _ error: StoreError) {
        self.batch = batch
        failed(error)
    }

    /// The writing lane has failed, and stops writing.
    mutating func failed(_ error: StoreError) {
        isWriting = false
        fail(error, isInDoubt: error.needsReopening)
    }

    // MARK: Syncing

    /// The next work of the syncing lane.
    enum AfterSync {
        /// Sync this many transactions.
        case sync(Int)
        /// Write again.
        case write
        /// End, as the other lane writes, or after an error.
        case end
    }

    /// Finds the next work of the syncing lane.
    ///
    /// Written transactions are synced even if the transaction after them could not be written.
    mutating func nextSync() -> AfterSync {
        if !written.isEmpty, maySync { return .sync(written.count) }
        syncing = nil
        guard !isWriting, isSound else { return .end }
        isWriting = true
        return .write
    }

    private var maySync: Bool {
        switch health {
        case .sound, .failed(_, isInDoubt: false): true
        case .failed, .blocked, .reopening: false
        }
    }

    /// The oldest `count` transactions are on disk.
    ///
    /// - Returns: the report for these transactions, and the lane that has to begin to write.
    mutating func synced(_ count: Int) -> (CommitReport, next: Lane?) {
        var damage = DamageReports()
        for transaction in written.prefix(count) {
            damage.add(contentsOf: transaction.batch.damage)
            damage.add(contentsOf: transaction.damage)
        }
        let ticket = written[count - 1].ticket
        written.removeFirst(count)
        return (.committed(through: ticket, damage), beginWriting())
    }

    /// A sync failed, and the syncing ends.
    ///
    /// The kernel may regard pages as clean that never reached the disk, so nothing that was
    /// written counts before the store has been reopened.
    mutating func failedToSync(_ error: StoreError) {
        syncing = nil
        fail(error, isInDoubt: true)
    }

    // MARK: Errors

    private mutating func fail(_ error: StoreError, isInDoubt: Bool) {
        guard case .failed(let first, let wasInDoubt) = health else {
            health = .failed(error, isInDoubt: isInDoubt)
            return
        }
        health = .failed(first, isInDoubt: wasInDoubt || isInDoubt)
    }

    /// Ends a failure once no lane is at work: all writes that may not be on disk wait again.
    ///
    /// - Returns: the report to the node; nil if there is no failure to end.
    mutating func block() -> CommitReport? {
        guard case .failed(let error, let isInDoubt) = health, isIdle else { return nil }
        batch = written.reduce(WriteBatch()) { $0.adding($1.batch) }.adding(batch)
        written = []
        health = .blocked(isInDoubt: isInDoubt)
        saidBlocked = true
        return .blocked(through: submitted, error)
    }

    enum Retry {
        /// The store has to be reopened first.
        case reopen
        /// The caller has to write.
        case write
    }

    /// Begins to retry; nil if no commit has failed.
    mutating func retry() -> Retry? {
        guard case .blocked(let isInDoubt) = health, !hasTriedLast else { return nil }
        hasTriedLast = isStopping
        guard isInDoubt else {
            goOn()
            return .write
        }
        health = .reopening
        return .reopen
    }

    /// Reopening has succeeded, and the caller has to write, or has failed with `failure`.
    mutating func reopened(_ failure: StoreError?) {
        guard let failure else { return goOn() }
        fail(failure, isInDoubt: true)
    }

    private mutating func goOn() {
        health = .sound
        isWriting = true
    }

    /// Whether the node has to hear that commits succeed again.
    mutating func unblocked() -> Bool {
        defer { saidBlocked = false }
        return saidBlocked
    }

    // MARK: Stopping

    /// Takes no further writes.
    mutating func stop() { isStopping = true }

    /// Whether the queue stops and its work has ended; true only once.
    mutating func endsNow() -> Bool {
        guard isStopping, !hasStopped, isIdle else { return false }
        switch health {
        case .sound: hasStopped = isEmpty
        // If the last attempt has failed, the writes were never acknowledged.
        case .blocked: hasStopped = hasTriedLast
        case .failed, .reopening: break
        }
        return hasStopped
    }
}
