import Dispatch
import Glibc
import ParleyCore
import ParleyStore
import Synchronization

/// An in-memory store that fails and blocks as a test prescribes.
final class FaultyStore: NodeStore {
    let base = MemoryStore()

    /// While `isGated`, each write signals this when it begins.
    let began = DispatchSemaphore(value: 0)
    /// While `isGated`, each write waits for this after it has begun.
    let gate = DispatchSemaphore(value: 0)
    /// While `isSyncGated`, each sync signals this when it begins.
    let syncBegan = DispatchSemaphore(value: 0)
    /// While `isSyncGated`, each sync waits for this after it has begun.
    let syncGate = DispatchSemaphore(value: 0)

    private let script = Mutex(Script())

    let isInMemory = false

    struct Script {
        var isGated = false
        var isSyncGated = false
        var writeErrors: [StoreError] = []
        var syncErrors: [StoreError] = []
        var reopenErrors: [StoreError] = []
        var maintainErrors: [StoreError] = []
        /// The errors of the next reads of heads.
        var readErrors: [StoreError] = []
        /// How long each write takes.
        var writeMicroseconds: UInt32 = 0
        var maintenances = 0
        /// The calls so far, in order; `maintain` is not among them.
        var calls: [String] = []
    }

    var maintenances: Int { script.withLock { $0.maintenances } }

    var calls: [String] { script.withLock { $0.calls } }

    func plan(_ change: (inout sending Script) -> Void) {
        script.withLock { change(&$0) }
    }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> DamageReports {
        let (isGated, duration) = script.withLock { script in
            script.calls.append("write \(writes.count)")
            return (script.isGated, script.writeMicroseconds)
        }
        // A slow disk: the time itself is what a test asks for.
        usleep(duration)
        if isGated {
            began.signal()
            gate.wait()
        }
        if let error = next({ $0.writeErrors.takeFirst() }) { throw error }
        return try base.write(writes)
    }

    func sync() throws(StoreError) {
        let isGated = script.withLock { script in
            script.calls.append("sync")
            return script.isSyncGated
        }
        if isGated {
            syncBegan.signal()
            syncGate.wait()
        }
        if let error = next({ $0.syncErrors.takeFirst() }) { throw error }
    }

    func maintain() throws(StoreError) -> Bool {
        script.withLock { $0.maintenances += 1 }
        if let error = next({ $0.maintainErrors.takeFirst() }) { throw error }
        return false
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
    ) throws(StoreError) -> DamageReports {
        try base.recoverSessions(each)
    }

    func heads(ofRow row: Int64) throws(StoreError) -> Few<StoredHead> {
        if let error = next({ $0.readErrors.takeFirst() }) { throw error }
        return try base.heads(ofRow: row)
    }

    func blobChunk(_ blob: BlobID, index: Int) throws(StoreError) -> Slice? {
        try base.blobChunk(blob, index: index)
    }

    func blobBytes(_ blob: BlobID) throws(StoreError) -> StoredBlob {
        try base.blobBytes(blob)
    }
}

extension [StoreError] {
    /// Removes the first element and returns it as a slice of at most one.
    fileprivate mutating func takeFirst() -> ArraySlice<StoreError> {
        defer { self = Array(dropFirst()) }
        return prefix(1)
    }
}
