import ParleyCore
import ParleyStore

/// The implementations of `NodeStore`; a suite runs against each of them.
enum StoreKind: CaseIterable, Sendable {
    case sqlite
    case memory
}

/// A store that can be closed and reopened with its contents.
final class Restartable {
    private(set) var store: any NodeStore
    private let scratch: Scratch?
    private var directory: DataDirectory?

    init(_ kind: StoreKind) throws {
        switch kind {
        case .memory:
            store = MemoryStore()
            scratch = nil
        case .sqlite:
            let scratch = try Scratch()
            let opened = try scratch.open()
            store = opened.store
            directory = opened.directory
            self.scratch = scratch
        }
    }

    deinit {
        store.close()
        directory?.release()
    }

    /// Reopens the store, as a restarted process would.
    func restart() throws {
        guard let scratch else { return }
        store.close()
        directory?.release()
        let opened = try scratch.open()
        store = opened.store
        directory = opened.directory
    }

    /// Commits and expects nothing to be left out.
    func commit(_ writes: StoreWrite...) throws {
        try commitAll(writes)
    }

    func commitAll(_ writes: [StoreWrite]) throws {
        let damage = try store.commit(writes)
        guard damage.isEmpty else { throw UnexpectedDamage(damage: damage) }
    }

    func contents() throws -> Contents { try Contents(of: store) }
}

struct UnexpectedDamage: Error {
    let damage: DamageReports
}

/// Everything that a store gives back.
struct Contents: Equatable, Sendable {
    var recovery: Recovery
    var sessions: [SessionRow]
    var blobs: [BlobID: StoredBlob]

    init(of store: any NodeStore) throws {
        let recovered = try store.recover()
        recovery = recovered.recovery
        var rows: [SessionRow] = []
        let damage = try store.recoverSessions { rows.append($0) }
        sessions = rows
        blobs = [:]
        for id in recovery.blobs.keys { blobs[id] = try store.blobBytes(id) }
        // Random writes may complete a blob that lacks chunks.
        let isIncomplete = recovered.damage.first.allSatisfy { report in
            if case .chunksMissing = report { true } else { false }
        }
        guard isIncomplete, damage.isEmpty else {
            throw UnexpectedDamage(damage: recovered.damage)
        }
    }
}
