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

    func stored(_ blob: BlobID) throws -> StoredBlob {
        let total = try statement("SELECT chunks FROM blob WHERE id = ?")
        defer { total.reset() }
        try total.bind(blob.bytes, at: 1)
        guard try total.step(), let count = total.integer(0),
            (0...Int64(Limits.chunksPerBlob)).contains(count)
        else { return .notFound }
        let query = try statement(
            "SELECT sum, bytes, number FROM blob_chunk WHERE blob = ? ORDER BY number"
        )
        defer { query.reset() }
        try query.bind(blob.bytes, at: 1)
        var bytes: [UInt8] = []
        var damaged = Set(0..<Int(count))
        while try query.step() {
            guard let number = query.integer(2), (0..<count).contains(number),
                let chunk = Self.chunk(query, number: number, blob: blob)
            else { continue }
            chunk.append(to: &bytes)
            damaged.remove(Int(number))
        }
        return damaged.isEmpty ? .whole(Slice(bytes)) : .damaged(chunks: damaged.sorted())
    }

    /// The chunk in a row of `sum, bytes`; nil if it is damaged.
    static func chunk(
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
