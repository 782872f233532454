package import ParleyCore
import Synchronization

/// An in-memory store for tests and the simulator, which behaves like `SQLiteStore`.
///
/// The contents last as long as the object: a node restarted on the same object recovers all
/// commits.
package final class MemoryStore: NodeStore {
    private let state = Mutex(MemoryTables())

    package let isInMemory = true

    package init() {}

    package func recover() throws(StoreError) -> RecoveredStore {
        RecoveredStore(recovery: state.withLock { $0.recovery }, damage: .none)
    }

    package func recoverSessions(
        _ each: (SessionRow) throws -> Void
    ) throws(StoreError) -> DamageReports {
        var damage = DamageReports()
        let rows = state.withLock { $0.sessions.ascending }
        for row in rows {
            do {
                try each(row)
            } catch {
                damage.add(.refused(row: row.row, reason: "\(error)"))
            }
        }
        return damage
    }

    package func write(_ writes: [StoreWrite]) throws(StoreError) -> DamageReports {
        state.withLock { tables in
            for write in writes { tables.apply(write) }
            return tables.takeDamage()
        }
    }

    package func heads(ofRow row: Int64) throws(StoreError) -> Few<StoredHead> {
        state.withLock { $0.sessions[row]?.heads ?? [] }
    }

    package func blobChunk(_ blob: BlobID, index: Int) throws(StoreError) -> Slice? {
        state.withLock { $0.blobs[blob]?.chunks[index] }
    }

    package func blobBytes(_ blob: BlobID) throws(StoreError) -> StoredBlob {
        state.withLock { $0.blobs[blob]?.stored ?? .notFound }
    }

    package func sync() throws(StoreError) {}

    package func maintain() throws(StoreError) -> Bool { false }

    package func reopen() throws(StoreError) {}

    package func close() {}
}
