import Dispatch
import GRDB
import GRDBSQLite
import ParleyCore
import Synchronization

/// Copies the write-ahead log into the database (passive checkpoints) beside the commits, on a
/// connection and a queue of its own.
///
/// A checkpoint syncs the database, which takes a disk some hundred milliseconds where many pages
/// are new. Commits only append to the log and need not wait for that.
final class Checkpointer: Sendable {
    private let connection: DatabaseQueue
    private let path: String
    private let queue = DispatchQueue(label: "parley.store.checkpoints", qos: .utility)
    private let state = Mutex(State())

    private struct State {
        var isRunning = false
        /// The result of the last checkpoint, until it is taken.
        var result: Result<Int, StoreError>?
    }

    /// Makes a checkpointer; nobody else may use `connection`.
    init(_ connection: DatabaseQueue, path: String) {
        self.connection = connection
        self.path = path
    }

    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Starts a checkpoint; none may be running.
    func start() {
        state.withLock { $0.isRunning = true }
        queue.async {
            let result = Result { () throws(StoreError) in try self.copy() }
            self.state.withLock { $0 = State(result: result) }
        }
    }

    /// Waits until no checkpoint is running.
    func wait() { queue.sync {} }

    /// The pages of the log that are in the database according to a checkpoint that has ended since
    /// the last call; nil if none has.
    func takeCopied() throws(StoreError) -> Int? {
        let result = state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
        return try result?.get()
    }

    /// Waits until no checkpoint is running, and closes the connection.
    func close() {
        wait()
        // It has nothing to lose.
        try? connection.close()
    }

    private func copy() throws(StoreError) -> Int {
        try StoreError.typed(path: path) {
            try connection.writeWithoutTransaction { database in
                try database.copyLog(mode: SQLITE_CHECKPOINT_PASSIVE, path: path)
            }
        }
    }
}

extension Database {
    /// Copies the log into the database (a checkpoint).
    ///
    /// A passive checkpoint that finds no disk space is not an error: everything is in the log,
    /// which grows until a commit finds no space either.
    /// - Returns: the pages of the log that are in the database now.
    @discardableResult
    func copyLog(mode: Int32, path: String) throws -> Int {
        guard let connection = sqliteConnection else { throw StoreError.closed }
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection, nil, mode, nil, &copied)
        if code == SQLITE_OK || code == SQLITE_BUSY { return max(0, Int(copied)) }
        let error = StoreError.sqlite(
            path: path,
            code: code,
            detail: String(cString: sqlite3_errmsg(connection)),
            system: sqlite3_system_errno(connection)
        )
        guard case .full = error, mode == SQLITE_CHECKPOINT_PASSIVE else { throw error }
        return 0
    }
}
