import ParleyCore
import ParleyStore
import Synchronization
import TestSupport

/// A store whose writes and syncs fail at random, and which loses what was not synced when it is
/// reopened, as a disk does that failed.
final class LossyStore: NodeStore {
    let isInMemory = false

    private struct State {
        var random: SeededRandom
        /// The transactions that are on disk, in order.
        var durable: [[StoreWrite]] = []
        /// The transactions that were written: `durable` and those that were not synced.
        var present: [[StoreWrite]] = []
        var mustReopen = false
        var isWriting = false
        var isSyncing = false
        var isClosed = false
        var problems: [String] = []

        mutating func fails(_ what: String) -> StoreError? {
            if isClosed { problems.append("\(what) after the end") }
            guard UInt64.random(in: 0..<6, using: &random) == 0 else { return nil }
            let isFull = Bool.random(using: &random)
            return isFull ? .full(path: what) : .io(path: what, detail: "a test")
        }
    }

    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(random: SeededRandom(seed: seed))) }

    /// Calls that the queue may not make.
    var problems: [String] { state.withLock { $0.problems } }

    /// A store with what is on disk.
    func durable() throws -> MemoryStore {
        let copy = MemoryStore()
        for writes in state.withLock(\.durable) { _ = try copy.commit(writes) }
        return copy
    }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> DamageReports {
        let failure = state.withLock { state in
            if state.isWriting { state.problems.append("two writes at once") }
            state.isWriting = true
            return state.fails("write")
        }
        // The other thread may come in between.
        state.withLock { state in
            state.isWriting = false
            if failure == nil { state.present.append(writes) }
        }
        if let failure { throw failure }
        return .none
    }

    func sync() throws(StoreError) {
        let (count, failure) = state.withLock { state in
            if state.isSyncing { state.problems.append("two syncs at once") }
            if state.mustReopen { state.problems.append("a sync without reopening") }
            state.isSyncing = true
            return (state.present.count, state.fails("sync"))
        }
        state.withLock { state in
            state.isSyncing = false
            if failure == nil { state.durable = Array(state.present.prefix(count)) }
            if failure != nil { state.mustReopen = true }
        }
        if let failure { throw failure }
    }

    func maintain() throws(StoreError) -> Bool {
        if let failure = state.withLock({ $0.mustReopen ? nil : $0.fails("maintain") }) {
            throw failure
        }
        return false
    }

    func reopen() throws(StoreError) {
        let failure = state.withLock { state in
            if state.isWriting || state.isSyncing { state.problems.append("reopened at work") }
            state.present = state.durable
            let failure = state.fails("reopen")
            state.mustReopen = failure != nil
            return failure
        }
        if let failure { throw failure }
    }

    func close() {
        state.withLock { state in
            if state.isWriting || state.isSyncing { state.problems.append("closed at work") }
            state.isClosed = true
        }
    }

    func recover() throws(StoreError) -> RecoveredStore { try MemoryStore().recover() }

    func recoverSessions(
        _ each: (SessionRow) throws -> Void
    ) throws(StoreError) -> DamageReports { .none }

    func heads(ofRow row: Int64) throws(StoreError) -> Few<StoredHead> { [] }

    func blobChunk(_ blob: BlobID, index: Int) throws(StoreError) -> Slice? { nil }

    func blobBytes(_ blob: BlobID) throws(StoreError) -> StoredBlob { .notFound }
}
