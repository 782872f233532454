import GRDB
import ParleyCore

/// Reads blobs; damaged chunks count as missing.
struct BlobReader {
    let database: Database
    let path: String

    func chunk(_ blob: BlobID, index: Int) throws -> Slice? {
        let query = try statement(
            "SELECT sum, bytes FROM blob_chunk WHERE blob = ? AND number = ?"
        )
        defer { query.reset() }
        try query.bind(blob.bytes, at: 1)
        try query.bind(Int64(index), at: 2)
        guard try query.step() else { return nil }
        return Self.chunk(query, number: Int64(index), blob: blob)
    }

    func bytes(_ blob: BlobID) throws -> Slice? {
        let total = try statement("SELECT chunks FROM blob WHERE id = ?")
        defer { total.reset() }
        try total.bind(blob.bytes, at: 1)
        guard try total.step(), let chunks = total.integer(0) else { return nil }
        let query = try statement(
            "SELECT sum, bytes, number FROM blob_chunk WHERE blob = ? ORDER BY number"
        )
        defer { query.reset() }
        try query.bind(blob.bytes, at: 1)
        var bytes: [UInt8] = []
        var next: Int64 = 0
        while next < chunks, try query.step() {
            guard query.integer(2) == next,
                let chunk = Self.chunk(query, number: next, blob: blob)
            else { return nil }
            chunk.append(to: &bytes)
            next += 1
        }
        return next == chunks ? Slice(bytes) : nil
    }

    private static func chunk(
        _ query: borrowing BoundStatement,
        number: Int64,
        blob: BlobID
    ) -> Slice? {
        guard let sum = query.integer(0), let bytes = query.slice(1) else { return nil }
        let expected = bytes.withBytes { Table.sum(ofChunk: $0, number: number, blob: blob) }
        return sum == expected ? bytes : nil
    }

    private func statement(_ sql: String) throws -> BoundStatement {
        try BoundStatement(sql, in: database, path: path)
    }
}
