import GRDB

/// The schema of the database, as a list of migrations.
///
/// Every row, except those of GRDB's own table, has a column `sum`: a `RowSum` over its values.
/// Migrations are only ever appended, so a database with a migration that is not listed here was
/// written by a newer version.
enum Schema {
    /// "Parl" in ASCII; the application ID marks a SQLite file as a database of Parley.
    static let applicationID: Int64 = 0x5061_726C

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        migrator.registerMigration("1") { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: first)
        }
        migrator.registerMigration("2") { database in
            try database.execute(sql: second)
        }
        // Changes no table. The migration marks databases whose digests have format 2; `prepare`
        // refuses older databases with messages.
        migrator.registerMigration("3") { _ in }
        migrator.registerMigration("4") { database in
            try database.execute(sql: fourth)
        }
        migrator.registerMigration("5") { database in
            try database.execute(sql: fifth)
        }
        migrator.registerMigration("6") { database in
            try database.execute(sql: sixth)
        }
        migrator.registerMigration("7") { database in
            try database.execute(sql: seventh)
        }
        return migrator
    }()

    /// Checks that `migrator` can migrate the database at `path`, which may be empty only if
    /// `isNew`.
    ///
    /// - Throws: `foreign`, `lost`, `newerSchema`, `oldSignatures`, or an error of SQLite.
    static func prepare(_ database: Database, path: String, isNew: Bool) throws {
        let application = try Int64.fetchOne(database, sql: "PRAGMA application_id")
        // GRDB's own table is committed before the first migration, which a first start may miss.
        let query = "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'"
        let tables = try Int.fetchOne(database, sql: query)
        guard application == applicationID || (application == 0 && tables == 0) else {
            throw StoreError.foreign(path: path)
        }
        guard isNew || application == applicationID else { throw StoreError.lost(path: path) }
        let known = Set(migrator.migrations)
        let applied = try migrator.appliedIdentifiers(database)
        let unknown = applied.subtracting(known)
        guard unknown.isEmpty else {
            throw StoreError.newerSchema(path: path, unknown: unknown.sorted())
        }
        // Only a database with the first migration has the table `session`.
        guard applied.contains("1"), !applied.contains("3") else { return }
        let sessions = try Int.fetchOne(database, sql: "SELECT count(*) FROM session") ?? 0
        guard sessions == 0 else { throw StoreError.oldSignatures(path: path, count: sessions) }
    }

    private static let first = """
        CREATE TABLE meta (
            key TEXT PRIMARY KEY, value BLOB NOT NULL, sum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE conversation (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL, name TEXT NOT NULL,
            open INTEGER NOT NULL, public_write_key BLOB NOT NULL, relay_key BLOB NOT NULL,
            read_key BLOB, writer_seed BLOB, certificate BLOB, sum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE origin (
            conversation INTEGER NOT NULL, id BLOB NOT NULL, device_key BLOB NOT NULL,
            epoch INTEGER NOT NULL, certificate BLOB NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (conversation, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE run (
            ordinal INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, id INTEGER NOT NULL,
            start INTEGER NOT NULL, sum INTEGER NOT NULL,
            UNIQUE (conversation, id)
        ) STRICT;
        CREATE TABLE sequence (
            conversation INTEGER PRIMARY KEY, reserved_end INTEGER NOT NULL, sum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE session (
            row INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, tag BLOB NOT NULL,
            position INTEGER NOT NULL, sum INTEGER NOT NULL, lines BLOB NOT NULL,
            heads BLOB NOT NULL
        ) STRICT;
        CREATE TABLE cursor (
            conversation INTEGER NOT NULL, peer BLOB NOT NULL, run INTEGER NOT NULL,
            position INTEGER NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (conversation, peer)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE blob (
            id BLOB PRIMARY KEY, chunks INTEGER NOT NULL, complete INTEGER NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE blob_chunk (
            blob BLOB NOT NULL, number INTEGER NOT NULL, sum INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            UNIQUE (blob, number)
        ) STRICT;
        CREATE TABLE address (
            ordinal INTEGER PRIMARY KEY, device BLOB NOT NULL, text TEXT NOT NULL,
            sum INTEGER NOT NULL,
            UNIQUE (device, text)
        ) STRICT;
        """

    /// Adds the names of devices.
    private static let second = """
        CREATE TABLE device (
            id BLOB PRIMARY KEY, name TEXT NOT NULL, sum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Adds the guests of this node, and the hosts of guests everywhere.
    private static let fourth = """
        ALTER TABLE origin ADD COLUMN host BLOB;
        CREATE TABLE seat (
            conversation INTEGER NOT NULL, number INTEGER NOT NULL, seed BLOB NOT NULL,
            name TEXT NOT NULL, secret_hash BLOB NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (conversation, number)
        ) STRICT, WITHOUT ROWID;
        """

    /// Adds what is kept of turn games.
    private static let fifth = "ALTER TABLE session ADD COLUMN match BLOB"

    /// Adds the invites that end, and who let whom in: `kind` and `key` are those of
    /// `MemberRecord`.
    private static let sixth = """
        CREATE TABLE member (
            conversation INTEGER NOT NULL, kind INTEGER NOT NULL, key BLOB NOT NULL,
            record BLOB NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (conversation, kind, key)
        ) STRICT, WITHOUT ROWID;
        """

    /// Adds the generation whose write key certified an origin: its tag, 8 bytes.
    private static let seventh = "ALTER TABLE origin ADD COLUMN generation BLOB"
}
