import GRDB
import ParleyCore

/// Replaces session rows: the hot path of a commit.
struct SessionWriter {
    private let insert: BoundStatement
    private let reader: SessionReader
    private var column: [UInt8] = []

    init(database: Database, path: String) throws {
        insert = try BoundStatement(
            "INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            in: database,
            path: path
        )
        reader = SessionReader(database: database, path: path)
    }

    /// Writes `row`; heads without bytes keep the bytes that the stored row has for them.
    ///
    /// - Returns: a damage report for each head whose bytes are missing in the stored row.
    mutating func replace(_ row: SessionRow) throws -> DamageReports {
        var damage = DamageReports()
        var heads = row.heads
        if !row.hasAllBytes {
            let present = try reader.presentHeads(ofRow: row.row)
            heads = row.filled(from: present, reporting: &damage).heads
        }
        column.removeAll(keepingCapacity: true)
        HeadsLayout.append(heads, to: &column)
        let sum = SessionReader.sum(
            row: row.row,
            conversation: Int64(row.conversation),
            tag: row.tag.value,
            position: Int64(bitPattern: row.position),
            lines: row.lines,
            match: row.match,
            heads: column.span.bytes
        )
        try insert.bind(row.row, at: 1)
        try insert.bind(Int64(row.conversation), at: 2)
        try insert.bind(row.position, at: 4)
        try insert.bind(sum, at: 5)
        try insert.bind(row.match, at: 8)
        let words = (row.tag.value.words.0.bigEndian, row.tag.value.words.1.bigEndian)
        try withUnsafeBytes(of: words) { tag in
            try insert.bind(borrowed: tag, at: 3)
            try row.lines.withBytes { lines in
                try lines.withUnsafeBytes { lines in
                    try insert.bind(borrowed: lines, at: 6)
                    try column.withUnsafeBytes { heads in
                        try insert.bind(borrowed: heads, at: 7)
                        try insert.run()
                    }
                }
            }
        }
        return damage
    }
}
