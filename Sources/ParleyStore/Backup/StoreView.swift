import Foundation
import GRDB
package import ParleyCore

/// A read-only view of a node's database from another process, whether or not the node runs.
///
/// Each call is a read transaction and sees one state of the store.
package struct StoreView: Sendable {
    private let path: String
    private let queue: DatabaseQueue
    /// A lock that keeps nodes away, taken if this process cannot write to the directory.
    private let lock: DirectoryLock?
    /// Whether the log has lost commits that the last process made; false while a node runs.
    private let logIsCut: Bool

    /// Opens the database at `path`.
    ///
    /// - Throws: `lost`, `foreign`, `newerSchema`, `oldSignatures`, `corrupt`, `unreachable`, `io`.
    package init(of path: String) throws(StoreError) {
        self.path = path
        guard access(path, F_OK) == 0 || errno != ENOENT else { throw .lost(path: path) }
        var configuration = SQLiteStore.configuration
        configuration.readonly = true
        let directory = URL(filePath: path).deletingLastPathComponent().path
        let isWritable = access(directory, W_OK) == 0
        let stopped = try? DirectoryLock(readingIn: directory)
        if isWritable { stopped?.release() }
        lock = isWritable ? nil : stopped
        logIsCut = stopped != nil && LeftLog.isCut(ofDatabase: path)
        // Even a reader creates the log and its index, unless the database is opened as
        // `immutable`.
        let isImmutable = lock != nil && access("\(path)-wal", F_OK) != 0
        do throws(StoreError) {
            queue = try StoreError.typed(path: path) {
                let name = isImmutable ? "\(URL(filePath: path).absoluteString)?immutable=1" : path
                let queue = try DatabaseQueue(path: name, configuration: configuration)
                try queue.read { try Schema.prepare($0, path: path, isNew: false) }
                return queue
            }
        } catch .io where !isWritable {
            throw .unreachable(
                path: path,
                reason: "it cannot be read where nothing can be written; copy the directory to "
                    + "another disk, and name the copy with --data"
            )
        }
    }

    /// Copies everything that is committed to the empty file `target`.
    func copy(to target: String) throws(StoreError) {
        try StoreError.typed(path: target) {
            try queue.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [target]) }
        }
    }

    /// Has SQLite check the structure of the file.
    ///
    /// - Throws: `corrupt` if it is damaged, or another error of SQLite.
    package func checkStructure() throws(StoreError) {
        try read { try Self.checkStructure(of: $0, path: path) }
    }

    static func checkStructure(of database: Database, path: String) throws {
        let result = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
        guard result == "ok" else {
            throw StoreError.corrupt(path: path, detail: result ?? "integrity_check said nothing")
        }
    }

    /// Everything except the sessions, as a start reads it; `moved` is not among the damage.
    package func recover() throws(StoreError) -> RecoveredStore {
        try read { database in
            var reader = RecoveryReader(database: database, path: path)
            return try reader.recover(location: nil, logWasCut: logIsCut)
        }
    }

    /// Calls `each` with every session row that is not damaged, in ascending order of the numbers.
    ///
    /// - Returns: a damage report for each other row, unless a later row has its session.
    package func sessions(_ each: (SessionRow) -> Void) throws(StoreError) -> DamageReports {
        try read { try SessionReader(database: $0, path: path).recover(each).damage }
    }

    /// The conversation's number in a session row, which may be damaged like the rest of the row.
    package func conversation(ofRow row: Int64) throws(StoreError) -> UInt32? {
        let sql = "SELECT conversation FROM session WHERE row = ?"
        return try read { database in
            let query = try BoundStatement(sql, in: database, path: path)
            defer { query.reset() }
            try query.bind(row, at: 1)
            return try query.step() ? query.integer(0).flatMap { UInt32(exactly: $0) } : nil
        }
    }

    /// A blob, or the chunks of it that are missing or damaged.
    package func blob(_ blob: BlobID) throws(StoreError) -> StoredBlob {
        try read { try BlobReader(database: $0, path: path).stored(blob) }
    }

    private func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try StoreError.typed(path: path) { try queue.read(body) }
    }
}
