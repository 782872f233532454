import Dispatch
package import ParleyCore
import Synchronization

/// Group commit, so that the node's loop never waits for the disk.
///
/// All writes that arrive while a transaction is written form the next transaction. The queue has
/// two lanes: the lane that has written a transaction syncs it, while the other lane writes the
/// next. Commits are reported when they are on disk; a store in memory commits and reports at once.
/// Reads run concurrently on a queue of their own.
///
/// After an error no write is lost and the order is kept: the queue keeps all writes that may not
/// be on disk, adds later writes, and retries with exponential back-off. If the error leaves the
/// durability of commits in doubt, the queue first reopens and checks the store. The queue does not
/// limit how much may wait: after a `blocked` report the node stops submitting new work.
package final class CommitQueue: Sendable {
    private let store: any NodeStore
    private let hop: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let report: @Sendable (CommitReport) -> Void
    private let lanes = [
        DispatchQueue(label: "parley.store.commits.0"),
        DispatchQueue(label: "parley.store.commits.1"),
    ]
    private let reads: ReadQueue
    private let state = Mutex(CommitState())
    private let backOff: Mutex<CommitBackOff>
    private let retryMilliseconds: ClosedRange<Int>
    /// The durations of the syncs that the node has not taken yet; a report follows each sync.
    private let syncs = Mutex<[Duration]>([])
    /// Called once the store is closed.
    private let stopped = Mutex<(@Sendable () -> Void)?>(nil)

    /// Makes a queue that commits to `store` and reports to one node.
    ///
    /// - Parameters:
    ///   - store: the store, which nobody else may use from now on.
    ///   - retryMilliseconds: the shortest and the longest back-off after a failed commit or read.
    ///   - hop: runs a closure on the node's loop; all answers pass through it, in order, and so do
    ///     the reports of a store on disk.
    ///   - report: receives the reports, on the loop.
    package init(
        store: any NodeStore,
        retryMilliseconds: ClosedRange<Int> = 200...5_000,
        hop: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        report: @escaping @Sendable (CommitReport) -> Void
    ) {
        self.store = store
        backOff = Mutex(CommitBackOff(retryMilliseconds))
        self.retryMilliseconds = retryMilliseconds
        reads = ReadQueue(store: store, hop: hop)
        self.hop = hop
        self.report = report
    }

    // MARK: Commits

    /// Commits `writes` together with everything else that waits; each ticket must be higher than
    /// the one before.
    ///
    /// With a store in memory, the call must be made on the loop, and the commit is done and
    /// reported before it returns. The call is ignored after `stop`.
    package func submit(ticket: UInt64, writes: [StoreWrite]) {
        if store.isInMemory, commitNow(ticket, writes) { return }
        if let lane = state.withLock({ $0.submit(writes, ticket: ticket) }) { start(lane) }
    }

    /// Commits without the queue, if nothing waits there and the store neither fails nor has
    /// stopped.
    private func commitNow(_ ticket: UInt64, _ writes: [StoreWrite]) -> Bool {
        guard state.withLock({ $0.isFree(forTicket: ticket) }),
            let damage = try? store.commit(writes)
        else { return false }
        report(.committed(through: ticket, damage))
        return true
    }

    /// Takes the durations of the syncs since the last call.
    package func takeSyncs() -> [Duration] {
        syncs.withLock { syncs in
            defer { syncs = [] }
            return syncs
        }
    }

    /// Retries a failed commit at once, for example because somebody has freed disk space.
    package func retry() {
        lanes[0].async { self.tryAgain() }
    }

    /// Commits everything that was submitted, closes the store and then calls `done` on the loop.
    ///
    /// After an error there is one more attempt. Call it once.
    package func stop(_ done: @escaping @Sendable () -> Void) {
        stopped.withLock { $0 = done }
        state.withLock { $0.stop() }
        lanes[0].async {
            self.tryAgain()
            self.endIfDone()
        }
    }

    private func start(_ lane: CommitState.Lane) { lanes[lane].async { self.write(on: lane) } }

    /// Writes and syncs until nothing waits or the other lane writes.
    private func write(on lane: CommitState.Lane) {
        var isWriting = true
        while isWriting, maintain() {
            let waiting: CommitState.Waiting
            switch state.withLock({ $0.take() }) {
            case .write(let next): waiting = next
            case .maintain: continue
            case .end: return endIfDone()
            }
            let batch = waiting.batch.adding(waiting.inbox)
            let damage: DamageReports
            do throws(StoreError) {
                damage = try store.write(batch.writes)
            } catch {
                state.withLock { $0.failedToWrite(batch, error) }
                break
            }
            let (syncs, next) = state.withLock {
                $0.wrote(batch, ticket: waiting.ticket, damage, on: lane)
            }
            if let next { start(next) }
            if syncs { isWriting = sync() }
        }
        endIfDone()
    }

    /// Maintains the store if something was written; false if that failed.
    private func maintain() -> Bool {
        guard state.withLock({ $0.takeMaintenance() }) else { return true }
        do throws(StoreError) {
            let isMore = try store.maintain()
            state.withLock { $0.maintained(isMore: isMore) }
            return true
        } catch {
            state.withLock { $0.failed(error) }
            return false
        }
    }

    /// Syncs and reports written transactions, also transactions that the other lane writes
    /// meanwhile.
    ///
    /// - Returns: whether this lane writes again.
    private func sync() -> Bool {
        while true {
            switch state.withLock({ $0.nextSync() }) {
            case .write: return true
            case .end: return false
            case .sync(let count):
                let begin = ContinuousClock.now
                do throws(StoreError) {
                    try store.sync()
                } catch {
                    state.withLock { $0.failedToSync(error) }
                    return false
                }
                syncs.withLock { $0.append(ContinuousClock.now - begin) }
                let (report, next) = state.withLock { $0.synced(count) }
                if let next { start(next) }
                reportUnblocked()
                deliver(report)
            }
        }
    }

    /// Reports a failure, or closes the store, once no lane is at work.
    private func endIfDone() {
        // The report must be on its way before a retry can cause another report.
        let (isBlocked, ends) = state.withLock { state in
            let report = state.block()
            if let report { deliver(report) }
            return (report != nil, state.endsNow())
        }
        if ends {
            close()
        } else if isBlocked {
            waitToRetry()
        }
    }

    private func close() {
        reads.queue.async {
            self.store.close()
            if let done = self.stopped.withLock({ $0.take() }) { self.hop(done) }
        }
    }

    // MARK: Errors

    private func waitToRetry() {
        let (wait, number) = backOff.withLock { $0.next() }
        guard !state.withLock(\.isStopping) else { return lanes[0].async { self.tryAgain() } }
        lanes[0].asyncAfter(deadline: .now() + .milliseconds(wait)) { [weak self] in
            guard let self, backOff.withLock({ $0.isLatest(number) }) else { return }
            if !state.withLock(\.isStopping) { tryAgain() }
        }
    }

    private func tryAgain() {
        switch state.withLock({ $0.retry() }) {
        case nil: break
        case .write: goOn()
        case .reopen:
            // No read may run while the store is reopened, so this runs on the queue of the reads.
            reads.queue.async {
                let failure: StoreError?
                do throws(StoreError) {
                    try self.store.reopen()
                    failure = nil
                } catch {
                    failure = error
                }
                self.lanes[0].async {
                    self.state.withLock { $0.reopened(failure) }
                    if failure == nil { self.goOn() } else { self.endIfDone() }
                }
            }
        }
    }

    private func goOn() {
        if state.withLock(\.isEmpty) { reportUnblocked() }
        write(on: 0)
    }

    private func reportUnblocked() {
        guard state.withLock({ $0.unblocked() }) else { return }
        backOff.withLock { $0.reset() }
        deliver(.unblocked)
    }

    private func deliver(_ report: CommitReport) {
        let take = self.report
        hop { take(report) }
    }

    // MARK: Reads

    /// Makes the next reads come from the file, and not from cached pages.
    package func forgetPages() {
        reads.read({ (_: Result<Void, StoreError>) in }) { store in store.forgetPages() }
    }

    /// Reads the heads of a session row, as of the last commit or later.
    package func heads(
        ofRow row: Int64,
        _ done: @escaping @Sendable (Result<Few<StoredHead>, StoreError>) -> Void
    ) {
        heads(ofRows: [row]) { results in results.forEach(done) }
    }

    /// As `heads(ofRow:)`, with one answer for all rows: a result for each, in their order.
    package func heads(
        ofRows rows: [Int64],
        _ done: @escaping @Sendable ([Result<Few<StoredHead>, StoreError>]) -> Void
    ) {
        reads.heads(ofRows: rows, done)
    }

    /// Reads the heads of session rows, and retries rows that cannot be read for now.
    ///
    /// A row cannot be read for now if the disk fails or the store is being reopened. `done` is
    /// called with the rows that have been read together, and again for each row whose result was
    /// not final. After `readsMax` failed reads of a row it counts as lost, if the store can be
    /// written. Nothing is read again after `stop`.
    package func headsRetrying(
        ofRows rows: [Int64],
        _ done: @escaping @Sendable ([HeadsOfRow]) -> Void
    ) {
        read(rows, 1, after: CommitBackOff(retryMilliseconds), done)
    }

    /// The reads of a row; some 40 s pass between the first and the last.
    package static let readsMax = 13

    private func read(
        _ rows: [Int64],
        _ number: Int,
        after backOff: CommitBackOff,
        _ done: @escaping @Sendable ([HeadsOfRow]) -> Void
    ) {
        heads(ofRows: rows) { [weak self] results in
            guard let self else { return }
            let isLast = number >= Self.readsMax && state.withLock(\.isSound)
            let read = zip(rows, results).map { HeadsOfRow(row: $0, result: $1, isLast: isLast) }
            done(read)
            let others = read.filter { !$0.isFinal }.map(\.row)
            guard !others.isEmpty, !state.withLock(\.isStopping) else { return }
            var backOff = backOff
            let moment = DispatchTime.now() + .milliseconds(backOff.next().milliseconds)
            reads.queue.asyncAfter(deadline: moment) { [weak self, backOff] in
                self?.read(others, number + 1, after: backOff, done)
            }
        }
    }

    /// Reads a chunk of a blob; the result is nil if the chunk is missing or damaged.
    package func blobChunk(
        _ blob: BlobID,
        index: Int,
        _ done: @escaping @Sendable (Result<Slice?, StoreError>) -> Void
    ) {
        reads.read(done) { store throws(StoreError) in try store.blobChunk(blob, index: index) }
    }

    /// Reads a whole blob, or which of its chunks are missing or damaged.
    package func blobBytes(
        _ blob: BlobID,
        _ done: @escaping @Sendable (Result<StoredBlob, StoreError>) -> Void
    ) {
        reads.read(done) { store throws(StoreError) in try store.blobBytes(blob) }
    }
}

/// One row of `CommitQueue.headsRetrying`.
package struct HeadsOfRow: Sendable {
    package let row: Int64
    package let result: Result<Few<StoredHead>, StoreError>
    /// Whether the row is not read again: its heads are there, or they are lost.
    package let isFinal: Bool

    init(row: Int64, result: Result<Few<StoredHead>, StoreError>, isLast: Bool) {
        self.row = row
        self.result = result
        switch result {
        case .success: isFinal = true
        case .failure(let error): isFinal = isLast || error.isLoss
        }
    }
}
