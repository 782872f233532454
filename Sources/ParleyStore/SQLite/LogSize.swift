import GRDB
import GRDBSQLite
import Synchronization

/// The pages of the write-ahead log, which SQLite tells after each commit of a connection.
///
/// The connection must be closed before this is released.
final class LogSize: Sendable {
    private let count = Atomic<Int>(0)

    /// Follows the commits of a connection from now on.
    init(following database: Database) throws {
        guard let connection = database.sqliteConnection else { throw StoreError.closed }
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            connection,
            { pointer, _, _, pages in
                guard let pointer else { return SQLITE_OK }
                let size = Unmanaged<LogSize>.fromOpaque(pointer).takeUnretainedValue()
                size.count.store(Int(pages), ordering: .relaxed)
                return SQLITE_OK
            },
            pointer
        )
    }

    var pages: Int { count.load(ordering: .relaxed) }
}
