import GRDB
import Glibc
import ParleyCore

/// A copy of a node's database in one file, with the small files of its data directory.
///
/// A backup is a database with two more tables: `backup` describes the copy, and `backup_file` has
/// the files. No archive has to be packed, and SQLite and the checksums of the rows show whether
/// the copy is whole.
///
/// SQLite copies the database (`VACUUM INTO`) in one read transaction, from any process. The copy
/// is compact, needs no log, and has everything that was committed when the transaction began. A
/// backup has the epoch without its location, so a node that starts with the copy begins a new
/// epoch.
package struct StoreBackup: Sendable {
    /// The path of the copy.
    package let path: String
    /// The copy, opened before SQLite opened its path.
    private let file: StoreFile
    private let queue: DatabaseQueue

    /// The most bytes of one file in a backup.
    package static let fileBytesMax = 64 << 20

    /// Copies the database at `source` to the new file `path`, which only its owner may read, and
    /// brings the copy to the present schema.
    ///
    /// - Throws: `foreign`, `lost`, `newerSchema`, `oldSignatures`, `corrupt`, `unreachable`,
    ///   `full`, `io`, `readOnly`.
    package init(copying source: String, to path: String) throws(StoreError) {
        // SQLite accepts an empty file; other users could read a file that SQLite creates.
        let file = try StoreFile(path, O_RDWR | O_CREAT | O_EXCL)
        try Self.copy(source, to: path, file)
        try self.init(file, at: path)
    }

    /// Copies the backup at `source` byte by byte to the new file `path`, which only its owner may
    /// read, and brings the copy to the present schema.
    ///
    /// SQLite would take a file beside the backup for the log.
    ///
    /// - Throws: `foreign`, `newerSchema`, `oldSignatures`, `corrupt`, `unreachable`, `full`, `io`,
    ///   `readOnly`.
    package init(restoring source: String, to path: String) throws(StoreError) {
        let file = try StoreFile(path, O_RDWR | O_CREAT | O_EXCL)
        try StoreFile(source, O_RDONLY | O_NONBLOCK).copy(to: file)
        try self.init(file, at: path)
    }

    private init(_ file: StoreFile, at path: String) throws(StoreError) {
        self.path = path
        self.file = file
        queue = try StoreError.typed(path: path) {
            let queue = try DatabaseQueue(path: path, configuration: SQLiteStore.configuration)
            // Nobody uses the file before `close`, which writes it to the disk.
            try queue.inDatabase {
                try $0.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
                try Schema.prepare($0, path: path, isNew: false)
            }
            try Schema.migrator.migrate(queue)
            return queue
        }
    }

    /// The free bytes from which a disk is not full.
    private static let freeBytesMin = 1 << 20

    private static func copy(
        _ source: String,
        to path: String,
        _ file: StoreFile
    ) throws(StoreError) {
        let view = try StoreView(of: source)
        do throws(StoreError) {
            try view.copy(to: path)
        } catch .corrupt(_, let detail) {
            throw .corrupt(path: source, detail: detail)
        } catch .full where file.freeBytes ?? 0 > freeBytesMin {
            throw .corrupt(path: source, detail: "SQLite finds no place for a row of it")
        }
    }

    /// Checks all of the copy.
    ///
    /// - Throws: `corrupt`, or another error of SQLite.
    package func check() throws(StoreError) -> StoreCheck {
        try use { try StoreCheck(of: $0, path: path) }
    }

    // MARK: Making

    /// Makes the copy a backup, with the number of rows damaged in `check`.
    ///
    /// - Parameters:
    ///   - check: The result of `check()`.
    ///   - made: The time, in seconds since 1970.
    /// - Throws: an error of SQLite.
    package func mark(_ check: StoreCheck, made: Int64) throws(StoreError) {
        try use { database in
            try database.execute(sql: Self.tables)
            try database.execute(
                sql: "INSERT INTO backup VALUES (?, ?)",
                arguments: [made, check.damage.count]
            )
            let meta = MetaTable(database: database, path: path)
            guard case .present(let epoch) = try meta.entry(.epoch) else { return }
            try meta.set(.epoch, to: Array(epoch.prefix(8)))
        }
    }

    /// Adds a file under a path relative to the data directory; `written` is the time of its last
    /// change, in seconds since 1970.
    package func add(_ name: String, _ bytes: [UInt8], written: Int64) throws(StoreError) {
        try use { database in
            let sql = "INSERT INTO backup_file VALUES (?, ?, ?, ?)"
            let insert = try BoundStatement(sql, in: database, path: path)
            try insert.bind(name, at: 1)
            try insert.bind(Table.sum(ofFile: name, bytes), at: 2)
            try insert.bind(bytes, at: 3)
            try insert.bind(written, at: 4)
            try insert.run()
        }
    }

    /// Closes the copy; it is on disk when the call returns.
    package func close() throws(StoreError) {
        try StoreError.typed(path: path) { try queue.close() }
        guard file.isAtItsPath else {
            throw .unreachable(path: path, reason: "another process removed or replaced it")
        }
        try file.sync()
    }

    // MARK: Reading

    /// The time of the backup, in seconds since 1970, and the number of rows damaged then; nil if
    /// the file is no backup.
    package func mark() throws(StoreError) -> (made: Int64, damaged: Int)? {
        try use { database in
            guard try database.tableExists("backup"), try database.tableExists("backup_file"),
                let row = try Row.fetchOne(database, sql: "SELECT made, damaged FROM backup")
            else { return nil }
            return (row["made"], row["damaged"])
        }
    }

    /// The names of the files.
    package func files() throws(StoreError) -> [String] {
        try use { try String.fetchAll($0, sql: "SELECT name FROM backup_file ORDER BY name") }
    }

    /// The bytes of a file, and the time of its last change in seconds since 1970.
    ///
    /// - Throws: `damaged` if its checksum does not match, or an error of SQLite.
    package func file(
        _ name: String
    ) throws(StoreError) -> (bytes: [UInt8], written: Int64) {
        try use { database in
            let sql = "SELECT sum, bytes, written FROM backup_file WHERE name = ?"
            let query = try BoundStatement(sql, in: database, path: path)
            defer { query.reset() }
            try query.bind(name, at: 1)
            guard try query.step(), let bytes = query.bytes(1), let written = query.integer(2),
                query.integer(0) == Table.sum(ofFile: name, bytes)
            else { throw StoreError.damaged(row: "file \(name)") }
            return (bytes, written)
        }
    }

    /// Removes the tables of a backup, which a node's database does not have.
    package func unmark() throws(StoreError) {
        try use { database in
            // The key of the device must not stay in free pages.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "DROP TABLE backup_file; DROP TABLE backup")
        }
    }

    /// Whether a file begins as backups do: with the header of a Parley database that needs no log.
    ///
    /// A node's database needs its log.
    ///
    /// - Throws: `unreachable`, `io`.
    package static func isPossible(_ path: String) throws(StoreError) -> Bool {
        let file = try StoreFile(path, O_RDONLY | O_NONBLOCK)
        var header = [UInt8](repeating: 0, count: 100)
        let count = pread(file.descriptor, &header, header.count, 0)
        guard count >= 0 else { throw .system(path: path, code: errno) }
        var application: [UInt8] = []
        application.appendBigEndian(UInt32(Schema.applicationID))
        return count == header.count && header.starts(with: "SQLite format 3\0".utf8)
            && header[18] == 1 && Array(header[68..<72]) == application
    }

    private func use<Result>(
        _ body: (Database) throws -> Result
    ) throws(StoreError) -> Result {
        try StoreError.typed(path: path) { try queue.inDatabase(body) }
    }

    private static let tables = """
        CREATE TABLE backup (made INTEGER NOT NULL, damaged INTEGER NOT NULL) STRICT;
        CREATE TABLE backup_file (
            name TEXT PRIMARY KEY, sum INTEGER NOT NULL, bytes BLOB NOT NULL,
            written INTEGER NOT NULL
        ) STRICT;
        """
}
