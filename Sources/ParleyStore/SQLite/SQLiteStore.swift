import GRDB
import GRDBSQLite
import Glibc
package import ParleyCore
import Synchronization

/// The store of a node in the file `parley.sqlite` of its data directory.
///
/// The database uses a write-ahead log. With `synchronous=NORMAL` SQLite syncs the log before a
/// checkpoint, and its header when the log starts over
/// (https://sqlite.org/wal.html#performance_considerations). `sync` makes transactions durable,
/// while the next transaction may be written. One connection writes and another reads, so reads do
/// not wait for the disk.
///
/// Opening checks the mode of the file, the application ID and the schema version, and SQLite
/// checks header and length. Recovery checks the checksum of every row. Only `reopen`, after a disk
/// error, checks the whole file (`quick_check`): at each start that would take seconds and find no
/// damage that the checksums miss. Memory-mapped reads are off, because a file that shrinks under a
/// mapping kills the process.
package final class SQLiteStore: NodeStore {
    /// The path of the database.
    package let path: String

    package let isInMemory = false

    private let directory: DataDirectory
    /// The location of the directory and its database.
    private let location: DirectoryLocation
    private let connections: Mutex<Connections?>
    private let log = Mutex(WriteAheadLog())
    private let vacuum = Mutex(Vacuum())
    private let reserve: SpaceReserve
    private let activity = Mutex(ActivityTable())

    private struct Connections: Sendable {
        let writer: DatabaseQueue
        let reader: DatabaseQueue
        let log: StoreFile
        let database: StoreFile
        let location: DirectoryLocation
        let logWasCut: Bool
    }

    /// Opens the database of `directory`, and creates it if the directory has no device key.
    ///
    /// While fewer than `freeBytesMin` bytes are free on its file system, `write` throws `scarce`.
    ///
    /// - Throws: `foreignOwner`, `tooOpen`, `unreachable`, `lost`, `foreign`, `newerSchema`,
    ///   `oldSignatures`, `corrupt`, `locked`, `readOnly`, `full`, `io`.
    package init(in directory: DataDirectory, freeBytesMin: Int = 0) throws(StoreError) {
        self.directory = directory
        reserve = SpaceReserve(least: freeBytesMin)
        let path = directory.file("parley.sqlite")
        self.path = path
        let opened = try Self.open(path, in: directory, isNew: !directory.hasKey)
        location = opened.location
        connections = Mutex(opened)
    }

    // MARK: Writing

    package func write(_ writes: [StoreWrite]) throws(StoreError) -> DamageReports {
        try write { database, open in
            // Lengthening the log would hide that somebody has cut it.
            guard open.log.isThere, open.database.isThere else {
                throw StoreError.lost(path: path)
            }
            if !writes.contains(where: \.leaves) { try reserve.check(open.database, path: path) }
            var writer = RowWriter(database: database, path: path, location: location)
            let begin = try BoundStatement("BEGIN IMMEDIATE", in: database, path: path)
            let commit = try BoundStatement("COMMIT", in: database, path: path)
            try begin.run()
            log.withLock { $0.lengthen(open.log) }
            do {
                for write in writes { try writer.carryOut(write) }
                try note(writer.changed, left: writer.left, in: database)
                try commit.run()
            } catch {
                // Some errors end the transaction by themselves. An error of the rollback is
                // ignored, because the first error is the one to report.
                if database.isInsideTransaction { try? database.rollback() }
                throw error
            }
            return writer.damage
        }
    }

    /// Notes that something of conversations is being written.
    private func note(
        _ changed: Set<UInt32>,
        left: Set<UInt32>,
        in database: Database
    ) throws {
        let now = Int64(time(nil))
        let due = activity.withLock { table in
            for number in left { table.left(number) }
            return table.changed(changed, at: now)
        }
        let meta = MetaTable(database: database, path: path)
        for number in due { try meta.setActivity(of: number, to: now) }
    }

    package func lastActivity(of number: UInt32) -> Int64? {
        activity.withLock { $0.moments[number] }
    }

    package func sync() throws(StoreError) {
        let opened = try opened()
        try opened.log.sync()
        guard opened.log.isThere, opened.database.isThere else { throw .lost(path: path) }
    }

    package func maintain() throws(StoreError) -> Bool {
        try write { database, open in
            guard let connection = database.sqliteConnection else { throw StoreError.closed }
            let vacuum = try vacuum(database)
            var written: Int32 = 0
            var highest: Int32 = 0
            sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &written, &highest, 1)
            let pages = log.withLock { log in
                log.add(pages: Int(written))
                if vacuum != .idle { log.shortensDatabase = true }
                return log.pages
            }
            if pages >= StoreLimits.logPages || vacuum == .done {
                try copyLog(of: open, connection, mode: SQLITE_CHECKPOINT_PASSIVE)
            }
            return vacuum == .more
        }
    }

    /// Gives pages back; if space is short, this is tried again later.
    private func vacuum(_ database: Database) throws -> Vacuum.Step {
        do throws(StoreError) {
            return try StoreError.typed(path: path) {
                var next = vacuum.withLock(\.self)
                defer { vacuum.withLock { $0 = next } }
                return try next.step(database, path: path)
            }
        } catch {
            guard error.isLackOfSpace else { throw error }
            return .idle
        }
    }

    /// Copies the log into the database (a checkpoint), on the connection that commits.
    ///
    /// On another connection, SQLite before 3.51.3 can lose commits
    /// (https://sqlite.org/wal.html#walresetbug). A passive checkpoint that finds no disk space is
    /// not an error: everything is in the log, which grows until a commit finds no space either. A
    /// checkpoint that copies the whole log also shortens the file of the database to its last
    /// page.
    private func copyLog(
        of open: Connections,
        _ connection: SQLiteConnection,
        mode: Int32
    ) throws {
        let isShortened = log.withLock(\.shortensDatabase)
        if isShortened { open.database.mayBecomeShorter() }
        var frames: Int32 = 0
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection, nil, mode, &frames, &copied)
        if isShortened { open.database.becameShorter() }
        log.withLock { log in
            log.restart()
            if code == SQLITE_OK, frames == copied { log.shortensDatabase = false }
        }
        guard code != SQLITE_OK, code != SQLITE_BUSY else { return }
        let error = StoreError.sqlite(
            path: path,
            code: code,
            detail: String(cString: sqlite3_errmsg(connection))
        )
        guard case .full = error, mode == SQLITE_CHECKPOINT_PASSIVE else { throw error }
    }

    // MARK: Reading

    package func heads(ofRow row: Int64) throws(StoreError) -> Few<StoredHead> {
        try peek { database in
            try SessionReader(database: database, path: path).heads(ofRow: row)
        }
    }

    /// One transaction for all rows needs a fraction of the locks of one transaction per row.
    package func heads(ofRows rows: [Int64]) -> [Result<Few<StoredHead>, StoreError>] {
        guard rows.count > 1 else {
            return rows.map { row in Result { () throws(StoreError) in try heads(ofRow: row) } }
        }
        do throws(StoreError) {
            return try read { database in
                try SessionReader(database: database, path: path).heads(ofRows: rows)
            }
        } catch {
            return rows.map { _ in .failure(error) }
        }
    }

    package func blobChunk(_ blob: BlobID, index: Int) throws(StoreError) -> Slice? {
        try peek { database in
            try BlobReader(database: database, path: path).chunk(blob, index: index)
        }
    }

    package func blobBytes(_ blob: BlobID) throws(StoreError) -> StoredBlob {
        try read { database in
            try BlobReader(database: database, path: path).stored(blob)
        }
    }

    package func forgetPages() { connections.withLock { $0 }?.reader.releaseMemory() }

    package func recover() throws(StoreError) -> RecoveredStore {
        let logWasCut = try opened().logWasCut
        return try read { database in
            var reader = RecoveryReader(database: database, path: path)
            let recovered = try reader.recover(location: location, logWasCut: logWasCut)
            let meta = MetaTable(database: database, path: path)
            var moments: [UInt32: Int64] = [:]
            for conversation in recovered.recovery.conversations {
                let number = conversation.record.number
                moments[number] = try meta.activity(of: number)
            }
            activity.withLock { [moments] in $0 = ActivityTable(recovered: moments) }
            return recovered
        }
    }

    package func recoverSessions(
        _ each: (SessionRow) throws -> Void
    ) throws(StoreError) -> DamageReports {
        let found = try read { database in
            try SessionReader(database: database, path: path).recover(each)
        }
        // A row that cannot be deleted now, as on a full disk, is found again at the next start.
        if !found.replaced.isEmpty { try? deleteSessions(found.replaced) }
        return found.damage
    }

    private func deleteSessions(_ rows: [Int64]) throws(StoreError) {
        try write { database, _ in
            let sql = "DELETE FROM session WHERE row = ?"
            let delete = try BoundStatement(sql, in: database, path: path)
            for row in rows {
                try delete.bind(row, at: 1)
                try delete.run()
            }
        }
    }

    package var space: StoreSpace {
        var space = StoreSpace()
        guard let open = connections.withLock({ $0 }) else { return space }
        space.used = (open.database.size ?? 0) + (open.log.size ?? 0)
        space.free = open.database.freeBytes ?? 0
        return space
    }

    // MARK: Opening and closing

    package func reopen() throws(StoreError) {
        close()
        let opened = try Self.open(path, in: directory, isNew: false)
        // The state in memory belongs to the former database.
        guard opened.location == location else { throw .lost(path: path) }
        connections.withLock { $0 = opened }
        try write { database, _ in
            guard let connection = database.sqliteConnection else { throw StoreError.closed }
            // After a failed sync the kernel may regard pages as clean that never reached the disk.
            // So the whole log is copied into the database, which writes its content again.
            try copyLog(of: opened, connection, mode: SQLITE_CHECKPOINT_TRUNCATE)
            opened.log.becameShorter()
            let result = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            guard result == "ok" else {
                throw StoreError.corrupt(path: path, detail: result ?? "quick_check said nothing")
            }
        }
    }

    package func close() {
        let closed = connections.withLock { connections in
            defer { connections = nil }
            return connections
        }
        // Errors are ignored: all acknowledged writes are on disk, and a connection that fails to
        // close is closed when it is freed.
        try? closed?.reader.close()
        try? closed?.writer.close()
    }

    /// Opens the database, and creates it if it `isNew`.
    ///
    /// Otherwise a database that is missing or has no tables is `lost`.
    private static func open(
        _ path: String,
        in directory: DataDirectory,
        isNew: Bool
    ) throws(StoreError) -> Connections {
        guard isNew || access(path, F_OK) == 0 || errno != ENOENT else { throw .lost(path: path) }
        let file = try StoreFile(path, isNew ? O_RDWR | O_CREAT : O_RDWR)
        let location = try check(file, path: path, in: directory, isNew: isNew)
        // SQLite overwrites what it does not find in the log.
        let logWasCut = LeftLog.isCut(ofDatabase: path)
        return try StoreError.typed(path: path) {
            var configuration = configuration
            let writer = try DatabaseQueue(path: path, configuration: configuration)
            try writer.writeWithoutTransaction { database in
                try Schema.prepare(database, path: path, isNew: isNew)
                try Vacuum.prepare(database, path: path, free: file.freeBytes ?? 0)
                try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            }
            try Schema.migrator.migrate(writer)
            // If that fails, as on a full disk, the log stays as it is, and the next start sees it.
            if logWasCut { try? forgetEpoch(writer) }
            configuration.readonly = true
            let reader = try DatabaseQueue(path: path, configuration: configuration)
            let log = try StoreFile(path + "-wal", O_WRONLY, floor: logBytesMax)
            // The device key is made next; beside a key, a database without tables counts as lost.
            if isNew { try log.sync() }
            return Connections(
                writer: writer,
                reader: reader,
                log: log,
                database: file,
                location: location,
                logWasCut: logWasCut
            )
        }
    }

    /// Makes the next start begin an epoch, also if this process ends before it has, and leaves an
    /// empty log.
    private static func forgetEpoch(_ writer: DatabaseQueue) throws {
        try writer.writeWithoutTransaction { database in
            let key = MetaTable.Key.epoch.rawValue
            try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [key])
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Checks owner, mode and length of the database; SQLite gives the log and its index the same
    /// owner and mode.
    ///
    /// - Returns: the location of the directory and the file.
    private static func check(
        _ file: StoreFile,
        path: String,
        in directory: DataDirectory,
        isNew: Bool
    ) throws(StoreError) -> DirectoryLocation {
        let status = try DataDirectory.status(of: file.descriptor, path: path)
        guard status.st_mode & 0o077 == 0 else {
            throw .tooOpen(path: path, mode: status.st_mode & 0o7777)
        }
        guard isNew || status.st_size > 0 else { throw .lost(path: path) }
        return try directory.location.with(database: file.descriptor, path: path)
    }

    /// The configuration of connections to a node's database or a copy.
    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(StoreLimits.busySeconds)
        configuration.prepareDatabase { try $0.execute(sql: tuning) }
        return configuration
    }

    /// The settings of each connection.
    ///
    /// `secure_delete = FAST` overwrites deleted keys where that costs no extra write.
    private static let tuning = """
        PRAGMA page_size = 4096;
        PRAGMA cache_size = -\(StoreLimits.cacheKibibytes);
        PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA secure_delete = FAST;
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA journal_size_limit = \(logBytesMax);
        """

    /// The size to which SQLite makes a longer log shorter, when it starts over.
    private static let logBytesMax = StoreLimits.logPages * 4_096 * 4

    // MARK: Access

    private func write<Result>(
        _ body: (Database, Connections) throws -> Result
    ) throws(StoreError) -> Result {
        let open = try opened()
        return try StoreError.typed(path: path) {
            try open.writer.writeWithoutTransaction { try body($0, open) }
        }
    }

    /// Runs one statement, which sees a consistent state of the store without a transaction.
    private func peek<Result>(
        _ body: (Database) throws -> Result
    ) throws(StoreError) -> Result {
        let open = try opened()
        return try StoreError.typed(path: path) { try open.reader.unsafeRead(body) }
    }

    /// Runs statements in one read transaction, after every commit that has returned.
    private func read<Result>(
        _ body: (Database) throws -> Result
    ) throws(StoreError) -> Result {
        let open = try opened()
        return try StoreError.typed(path: path) { try open.reader.read(body) }
    }

    private func opened() throws(StoreError) -> Connections {
        guard let opened = connections.withLock({ $0 }) else { throw .closed }
        return opened
    }
}
