import Dispatch
package import ParleyCore
import Synchronization

/// Group commit, so that the node's loop never waits for the disk.
///
/// Everything that arrived while the last commit ran becomes one transaction with one sync, on a
/// queue of its own, and is reported when it is done. Reads run on a second queue beside it.
///
/// After an error nothing is lost and nothing is out of order: all that is not committed is kept,
/// later writes join it, and it is tried again after a while. Where the error leaves
/// in doubt what is on disk, the store is first opened anew and checked. How much may wait is up to
/// the node, which asks for no more when `blocked` was reported.
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
        /// Waits to try again.
        case blocked(StoreError)
    }

    private struct State {
        var phase = Phase.idle
        /// Submitted and not looked at.
        var inbox: [[StoreWrite]] = []
        /// Looked at and not committed.
        var batch = WriteBatch()
        var submitted: UInt64 = 0
        var isStopping = false
        /// Whether the node was told that commits fail.
        var saidBlocked = false
        /// How long the next wait is.
        var retryMilliseconds: Int
        /// Tells a timer of a wait that is over.
        var retryNumber = 0
    }

    private let retryMilliseconds: ClosedRange<Int>

    /// A queue in front of `store` that reports to one node.
    ///
    /// - Parameters:
    ///   - store: from here on used by nobody else.
    ///   - retryMilliseconds: the first wait before what failed is tried again, and the longest.
    ///   - hop: brings a closure to the node's loop; everything is reported through it, in order.
    ///   - report: called on the loop.
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

    /// Commits `writes` with whatever else waits; tickets ascend.
    ///
    /// Ignored after `stop`.
    package func submit(ticket: UInt64, writes: [StoreWrite]) {
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

    /// Tries again now what failed, for instance because somebody made room.
    package func retry() {
        commits.async { self.tryAgain() }
    }

    /// Commits what was submitted, closes the store and then calls `done` on the loop.
    package func stop(_ done: @escaping @Sendable () -> Void) {
        state.withLock { $0.isStopping = true }
        commits.async {
            // A last try; what fails was never acknowledged.
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
                var findings = batch.findings
                findings.add(contentsOf: try store.commit(batch.writes))
                tellUnblocked()
                tell(.committed(through: ticket, findings))
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

    /// All that waits, as one batch, and the last ticket in it; nil and idle if nothing does.
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
        // Nothing may read meanwhile.
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

    /// Reads the heads of a session row; what was committed before is seen.
    package func heads(
        ofRow row: Int64,
        _ done: @escaping @Sendable (Result<[StoredHead], StoreError>) -> Void
    ) {
        reads.read(done) { store throws(StoreError) in try store.heads(ofRow: row) }
    }

    /// Reads a chunk of a blob; nil if it is not here or damaged.
    package func blobChunk(
        _ blob: BlobID,
        index: Int,
        _ done: @escaping @Sendable (Result<Slice?, StoreError>) -> Void
    ) {
        reads.read(done) { store throws(StoreError) in try store.blobChunk(blob, index: index) }
    }

    /// Reads a whole blob; nil unless all of it is here and undamaged.
    package func blobBytes(
        _ blob: BlobID,
        _ done: @escaping @Sendable (Result<Slice?, StoreError>) -> Void
    ) {
        reads.read(done) { store throws(StoreError) in try store.blobBytes(blob) }
    }

    /// Asks how much room the store takes and has.
    package func usage(_ done: @escaping @Sendable (Result<StoreUsage, StoreError>) -> Void) {
        reads.read(done) { store throws(StoreError) in try store.usage() }
    }
}
