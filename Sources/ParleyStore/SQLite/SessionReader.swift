import GRDB
import ParleyCore

/// Reads session rows and detects damaged ones.
struct SessionReader {
    private static let columns = "row, conversation, tag, position, sum, lines, heads, match"

    let database: Database
    let path: String

    /// The checksum of a row.
    static func sum(
        row: Int64,
        conversation: Int64,
        tag: Bytes16,
        position: Int64,
        lines: Slice,
        match: [UInt8]?,
        heads: RawSpan
    ) -> Int64 {
        var sum = RowSum(seed: Table.session.rawValue)
        sum.add(row)
        sum.add(conversation)
        sum.add(tag)
        sum.add(position)
        sum.add(lines)
        sum.add(heads)
        // Rows of before this column have no more in their sums.
        if let match { sum.add(Slice(match)) }
        return sum.value
    }

    /// The heads of a row, empty if the row does not exist.
    /// - Throws: `damaged`, or an error of SQLite.
    func heads(ofRow row: Int64) throws -> Few<StoredHead> {
        let query = try BoundStatement(
            "SELECT \(Self.columns) FROM session WHERE row = ?",
            in: database,
            path: path
        )
        defer { query.reset() }
        try query.bind(row, at: 1)
        return try query.step() ? Self.heads(query, ofRow: row) : []
    }

    /// As `heads(ofRow:)`, for several rows; consecutive row numbers are read without a search.
    ///
    /// The answer has one result for each row, in their order.
    func heads(ofRows rows: [Int64]) throws -> [Result<Few<StoredHead>, StoreError>] {
        let query = try BoundStatement(
            "SELECT \(Self.columns) FROM session WHERE row >= ? ORDER BY row",
            in: database,
            path: path
        )
        defer { query.reset() }
        var next: Int64?
        return rows.map { row in
            Result { () throws(StoreError) in
                try StoreError.typed(path: path) {
                    if row != next {
                        query.reset()
                        try query.bind(row, at: 1)
                    }
                    next = nil
                    guard try query.step(), query.integer(0) == row else { return [] }
                    next = row + 1
                    return try Self.heads(query, ofRow: row)
                }
            }
        }
    }

    /// The heads of the row at which `query` is.
    private static func heads(
        _ query: borrowing BoundStatement,
        ofRow row: Int64
    ) throws -> Few<StoredHead> {
        guard let session = session(query) else {
            throw StoreError.damaged(row: "session \(row)")
        }
        return session.heads
    }

    /// The heads of a row that is about to be replaced: as `heads(ofRow:)`, but empty if the row is
    /// damaged.
    func presentHeads(ofRow row: Int64) throws -> Few<StoredHead> {
        do {
            return try heads(ofRow: row)
        } catch StoreError.damaged {
            return []
        }
    }

    /// The rows that `recover` does not pass on.
    struct LeftOut {
        var damage = DamageReports()
        /// Damaged rows whose session is in a later row; they are not reported.
        var replaced: [Int64] = []
    }

    /// A damaged row, with the tags of sessions that it may belong to.
    private struct DamagedRow {
        let row: Int64
        let tags: [Bytes16]
    }

    /// Calls `each` with every undamaged row of an existing conversation, in ascending order of the
    /// row numbers.
    func recover(_ each: (SessionRow) throws -> Void) throws -> LeftOut {
        var found = LeftOut()
        var damaged: [DamagedRow] = []
        var conversations: Set<Int64> = []
        try BoundStatement("SELECT number FROM conversation", in: database, path: path)
            .forEach { _ = $0.integer(0).map { conversations.insert($0) } }
        let query = try BoundStatement(
            "SELECT \(Self.columns) FROM session ORDER BY row",
            in: database,
            path: path
        )
        try query.forEach { query in
            guard let session = Self.session(query) else {
                guard let row = query.integer(0), damaged.count < StoreLimits.damagedSessions
                else {
                    let key = query.integer(0).map(String.init) ?? "of unknown number"
                    return found.damage.add(.damaged(table: "session", key: key))
                }
                return damaged.append(DamagedRow(row: row, tags: Self.tags(query)))
            }
            guard conversations.contains(Int64(session.conversation)) else {
                let number = session.conversation
                found.damage.add(.orphaned(table: "session", conversation: number))
                return
            }
            do {
                try each(session)
            } catch {
                found.damage.add(.refused(row: session.row, reason: "\(error)"))
            }
        }
        try sort(damaged, into: &found)
        return found
    }

    /// Reports damaged rows, unless a later row has the session, because peers sent it again.
    private func sort(_ damaged: [DamagedRow], into found: inout LeftOut) throws {
        guard !damaged.isEmpty else { return }
        let rows = Set(damaged.map(\.row))
        let tags = Set(damaged.flatMap(\.tags))
        var latest: [Bytes16: Int64] = [:]
        try BoundStatement("SELECT row, tag FROM session ORDER BY row", in: database, path: path)
            .forEach { query in
                guard let row = query.integer(0), !rows.contains(row),
                    let tag = query.bytes16(1), tags.contains(tag)
                else { return }
                latest[tag] = row
            }
        for one in damaged {
            if one.tags.contains(where: { latest[$0].map { $0 > one.row } ?? false }) {
                found.replaced.append(one.row)
            } else {
                found.damage.add(.damaged(table: "session", key: String(one.row)))
            }
        }
    }

    /// The tags of a damaged row in its column and in its envelopes; some may be wrong.
    private static func tags(_ query: borrowing BoundStatement) -> [Bytes16] {
        let heads = query.slice(6).flatMap { HeadsLayout.heads(of: $0) } ?? []
        let envelopes = heads.compactMap { head in
            // An envelope that cannot be decoded names no session.
            head.envelope.flatMap { try? Envelope(decoding: $0) }
        }
        return [query.bytes16(2)].compactMap(\.self) + envelopes.map(\.header.tag.value)
    }

    /// The current row of `query`, or nil if it is damaged.
    private static func session(_ query: borrowing BoundStatement) -> SessionRow? {
        guard let row = query.integer(0), let number = query.integer(1),
            let conversation = UInt32(exactly: number),
            let tag = query.bytes16(2), let position = query.integer(3),
            let sum = query.integer(4), let lines = query.slice(5), let column = query.slice(6)
        else { return nil }
        let match = query.slice(7).map { $0.bytes }
        let expected = column.withBytes { heads in
            Self.sum(
                row: row,
                conversation: number,
                tag: tag,
                position: position,
                lines: lines,
                match: match,
                heads: heads
            )
        }
        guard sum == expected, let heads = HeadsLayout.heads(of: column) else { return nil }
        return SessionRow(
            row: row,
            conversation: conversation,
            tag: SessionTag(tag),
            position: UInt64(bitPattern: position),
            heads: heads,
            lines: lines,
            match: match
        )
    }
}
