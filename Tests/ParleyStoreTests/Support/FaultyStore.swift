import Dispatch
import ParleyCore
import ParleyStore
import Synchronization

/// A store in memory whose disk fails as told, and that can be held up.
final class FaultyStore: NodeStore {
    let base = MemoryStore()

    /// Signalled when a commit has begun, while `isGated`.
    let began = DispatchSemaphore(value: 0)
    /// Waited for by a commit that has begun, while `isGated`.
    let gate = DispatchSemaphore(value: 0)

    private let script = Mutex(Script())

    struct Script {
        var isGated = false
        var commitErrors: [StoreError] = []
        var reopenErrors: [StoreError] = []
        var maintainErrors: [StoreError] = []
        /// What was called, in order.
        var calls: [String] = []
    }

    var calls: [String] { script.withLock { $0.calls } }

    func plan(_ change: (inout sending Script) -> Void) {
        script.withLock { change(&$0) }
    }

    func commit(_ writes: [StoreWrite]) throws(StoreError) -> StoreFindings {
        let isGated = script.withLock { script in
            script.calls.append("commit \(writes.count)")
            return script.isGated
        }
        if isGated {
            began.signal()
            gate.wait()
        }
        if let error = next({ $0.commitErrors.takeFirst() }) { throw error }
        return try base.commit(writes)
    }

    func maintain() throws(StoreError) {
        if let error = next({ $0.maintainErrors.takeFirst() }) { throw error }
    }

    func reopen() throws(StoreError) {
        script.withLock { $0.calls.append("reopen") }
        if let error = next({ $0.reopenErrors.takeFirst() }) { throw error }
    }

    func close() {
        script.withLock { $0.calls.append("close") }
    }

    private func next(
        _ take: @Sendable (inout Script) -> ArraySlice<StoreError>
    ) -> StoreError? {
        script.withLock { take(&$0).first }
    }

    func recover() throws(StoreError) -> RecoveredStore { try base.recover() }

    func recoverSessions(
        _ each: (SessionRow) throws -> Void
    ) throws(StoreError) -> StoreFindings {
        try base.recoverSessions(each)
    }

    func heads(ofRow row: Int64) throws(StoreError) -> [StoredHead] {
        try base.heads(ofRow: row)
    }

    func blobChunk(_ blob: BlobID, index: Int) throws(StoreError) -> Slice? {
        try base.blobChunk(blob, index: index)
    }

    func blobBytes(_ blob: BlobID) throws(StoreError) -> Slice? { try base.blobBytes(blob) }

    func usage() throws(StoreError) -> StoreUsage { try base.usage() }
}

extension [StoreError] {
    /// The first element, as a slice of at most one, taken away.
    fileprivate mutating func takeFirst() -> ArraySlice<StoreError> {
        defer { self = Array(dropFirst()) }
        return prefix(1)
    }
}
