import GRDB

/// Gives unused pages of the database back to the file system, step by step.
///
/// A step moves pages from the end of the database to unused ones. The file becomes shorter with
/// the next checkpoint that copies the whole log.
struct Vacuum {
    /// The result of a step.
    enum Step {
        /// Too few pages are unused.
        case idle
        /// More pages are unused.
        case more
        /// The last unused page was given back.
        case done
    }

    private var isUnderWay = false

    /// Takes a step if many pages are unused; a few unused pages are soon used again.
    mutating func step(_ database: Database, path: String) throws -> Step {
        let unused = try Self.number("PRAGMA freelist_count", database, path)
        if !isUnderWay {
            guard unused >= Int64(StoreLimits.unusedPages),
                try unused * 8 >= Self.number("PRAGMA page_count", database, path),
                try Self.number("PRAGMA auto_vacuum", database, path) == Self.incremental
            else { return .idle }
            isUnderWay = true
        }
        if unused > 0 {
            try database.execute(sql: "PRAGMA incremental_vacuum(\(StoreLimits.vacuumPages))")
        }
        guard unused <= Int64(StoreLimits.vacuumPages) else { return .more }
        isUnderWay = false
        return .done
    }

    /// The value of `PRAGMA auto_vacuum` that `step` needs.
    private static let incremental: Int64 = 2

    /// Turns incremental vacuum on, at the first connection to a database.
    ///
    /// In an existing database the setting takes effect only when all pages are written anew, so a
    /// long database of an earlier version keeps its old setting. The temporary copy holds keys and
    /// therefore lies beside the database.
    static func prepare(_ database: Database, path: String, free: Int) throws {
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        guard try number("PRAGMA auto_vacuum", database, path) != incremental else { return }
        let bytes = Int(try number("PRAGMA page_count", database, path)) * 4_096
        guard bytes <= StoreLimits.rewrittenBytes, bytes * 3 < free else { return }
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        let quoted = folder.replacing("'", with: "''")
        try database.execute(
            sql: """
                PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '\(quoted)';
                VACUUM;
                PRAGMA temp_store_directory = ''; PRAGMA temp_store = MEMORY;
                PRAGMA wal_checkpoint(TRUNCATE)
                """
        )
    }

    private static func number(
        _ pragma: String,
        _ database: Database,
        _ path: String
    ) throws -> Int64 {
        let query = try BoundStatement(pragma, in: database, path: path)
        defer { query.reset() }
        return try query.step() ? query.integer(0) ?? 0 : 0
    }
}
