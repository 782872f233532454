import Dispatch
package import ParleyCore
import Synchronization

/// Group commit, so that the node's loop never waits for the disk.
///
/// All writes that arrive while a commit runs become the next transaction, with one sync. Commits
/// run on a queue of their own and are reported when they are on disk; those of a store in memory
/// are done and reported at once. Reads run concurrently on a second queue.
///
/// After an error no write is lost and the order is kept: the queue keeps everything that is not
/// committed, adds later writes to it, and retries with exponential back-off. If the error leaves
/// in doubt what is on disk, the queue first reopens and checks the store. The queue does not limit
/// how much may wait: the node stops submitting new work when `blocked` was reported.
package final class CommitQueue: Sendable {
    private let store: any NodeStore
    private let hop: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let report: @Sendable (CommitReport) -> Void
    private let commits = DispatchQueue(label: "parley.store.commits", qos: .userInitiated)
    private let reads: ReadQueue
    private let state: Mutex<State>

    private enum Phase {
        case idle
        case working
        /// The last commit failed with this error, and the queue waits to retry.
        case blocked(StoreError)
    }

    private struct State {
        var phase = Phase.idle
        /// Writes that were submitted and are not merged into `batch` yet.
        var inbox: [[StoreWrite]] = []
        /// Writes of a commit that failed.
        var batch = WriteBatch()
        var submitted: UInt64 = 0
        var isStopping = false
        /// Whether the last report to the node was that commits fail.
        var saidBlocked = false
        /// The length of the next back-off.
        var retryMilliseconds: Int
        /// The number of the current back-off; a timer of an earlier one does nothing.
        var retryNumber = 0
    }

    private let retryMilliseconds: ClosedRange<Int>

    /// Makes a queue that commits to `store` and reports to one node.
    ///
    /// - Parameters:
    ///   - store: the store, which nobody else may use from now on.
    ///   - retryMilliseconds: the shortest and the longest back-off after a failed commit.
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
        self.retryMilliseconds = retryMilliseconds
        state = Mutex(State(retryMilliseconds: retryMilliseconds.lowerBound))
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
        let wakes = state.withLock { state in
            guard !state.isStopping else { return false }
            state.inbox.append(writes)
            state.submitted = ticket
            guard case .idle = state.phase else { return false }
            state.phase = .working
            return true
        }
        if wakes { commits.async { self.work() } }
    }

    /// Commits without the queue, unless something waits in it or the store has stopped or fails,
    /// which a store in memory does not.
    private func commitNow(_ ticket: UInt64, _ writes: [StoreWrite]) -> Bool {
        let isIdle = state.withLock { state in
            guard !state.isStopping, case .idle = state.phase else { return false }
            state.submitted = ticket
            return true
        }
        guard isIdle, let damage = try? store.commit(writes) else { return false }
        report(.committed(through: ticket, damage))
        return true
    }

    /// Retries a failed commit at once, for example because somebody has freed disk space.
    package func retry() {
        commits.async { self.tryAgain() }
    }

    /// Commits everything that was submitted, closes the store and then calls `done` on the loop.
    package func stop(_ done: @escaping @Sendable () -> Void) {
        state.withLock { $0.isStopping = true }
        commits.async {
            // This is the last attempt. Writes that fail now were never acknowledged.
            self.work()
            self.reads.queue.async {
                self.store.close()
                self.hop(done)
            }
        }
    }

    private func work() {
        while let (batch, ticket) = take() {
            do throws(StoreError) {
                var damage = batch.damage
                damage.add(contentsOf: try store.commit(batch.writes))
                tellUnblocked()
                tell(.committed(through: ticket, damage))
            } catch {
                state.withLock { $0.batch = batch }
                return block(error)
            }
            do throws(StoreError) {
                try store.maintain()
            } catch {
                return block(error)
            }
        }
    }

    /// Takes everything that waits as one batch with its last ticket; if nothing waits, returns nil
    /// and makes the queue idle.
    private func take() -> (batch: WriteBatch, ticket: UInt64)? {
        let taken = state.withLock { state -> (WriteBatch, [[StoreWrite]], UInt64)? in
            guard !state.inbox.isEmpty || !state.batch.isEmpty else {
                state.phase = .idle
                return nil
            }
            defer {
                state.inbox = []
                state.batch = WriteBatch()
            }
            return (state.batch, state.inbox, state.submitted)
        }
        guard let (kept, inbox, ticket) = taken else { return nil }
        var batch = kept
        for writes in inbox {
            for write in writes { batch.add(write) }
        }
        return (batch, ticket)
    }

    // MARK: Errors

    private func block(_ error: StoreError) {
        let (wait, number, ticket) = state.withLock { state in
            defer {
                let doubled = state.retryMilliseconds * 2
                state.retryMilliseconds = min(doubled, retryMilliseconds.upperBound)
            }
            state.phase = .blocked(error)
            state.saidBlocked = true
            state.retryNumber += 1
            return (state.retryMilliseconds, state.retryNumber, state.submitted)
        }
        tell(.blocked(through: ticket, error))
        commits.asyncAfter(deadline: .now() + .milliseconds(wait)) { [weak self] in
            guard let self else { return }
            let isDue = state.withLock { $0.retryNumber == number && !$0.isStopping }
            if isDue { tryAgain() }
        }
    }

    private func tryAgain() {
        let error = state.withLock { state -> StoreError? in
            guard case .blocked(let error) = state.phase else { return nil }
            state.phase = .working
            return error
        }
        guard let error else { return }
        guard error.needsReopening else { return goOn() }
        // No read may run while the store is reopened, so this runs on the queue of the reads.
        reads.queue.async {
            let failure: StoreError?
            do throws(StoreError) {
                try self.store.reopen()
                failure = nil
            } catch {
                failure = error
            }
            self.commits.async {
                if let failure { self.block(failure) } else { self.goOn() }
            }
        }
    }

    private func goOn() {
        let isEmpty = state.withLock { $0.inbox.isEmpty && $0.batch.isEmpty }
        if isEmpty { tellUnblocked() }
        work()
    }

    private func tellUnblocked() {
        let wasBlocked = state.withLock { state in
            defer {
                state.saidBlocked = false
                state.retryMilliseconds = retryMilliseconds.lowerBound
            }
            return state.saidBlocked
        }
        if wasBlocked { tell(.unblocked) }
    }

    private func tell(_ report: CommitReport) {
        let tell = self.report
        hop { tell(report) }
    }

    // MARK: Reads

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
