import GRDB
import ParleyCore

/// Writes blobs and their chunks.
struct BlobWriter {
    let database: Database
    let path: String

    func keep(_ blob: BlobID, index: Int, chunks: Int, bytes: Slice) throws {
        let complete = try isComplete(blob) ?? false
        try set(blob, chunks: Int64(chunks), isComplete: complete)
        let insert = try statement(
            "INSERT OR REPLACE INTO blob_chunk (blob, number, sum, bytes) VALUES (?, ?, ?, ?)"
        )
        try insert.bind(blob.bytes, at: 1)
        try insert.bind(Int64(index), at: 2)
        try bytes.withBytes { span in
            let sum = Table.sum(ofChunk: span, number: Int64(index), blob: blob)
            try insert.bind(sum, at: 3)
            try span.withUnsafeBytes { buffer in
                try insert.bind(borrowed: buffer, at: 4)
                try insert.run()
            }
        }
    }

    func complete(_ blob: BlobID) throws {
        let query = try statement("SELECT chunks FROM blob WHERE id = ?")
        try query.bind(blob.bytes, at: 1)
        let chunks = try query.step() ? query.integer(0) : nil
        query.reset()
        guard let chunks else { return }
        try set(blob, chunks: chunks, isComplete: true)
    }

    func drop(_ blob: BlobID) throws {
        for sql in ["DELETE FROM blob_chunk WHERE blob = ?", "DELETE FROM blob WHERE id = ?"] {
            let delete = try statement(sql)
            try delete.bind(blob.bytes, at: 1)
            try delete.run()
        }
    }

    /// Deletes chunks of a blob, which is incomplete from now on.
    func drop(_ chunks: [Int], of blob: BlobID) throws {
        let query = try statement("SELECT chunks FROM blob WHERE id = ?")
        try query.bind(blob.bytes, at: 1)
        let total = try query.step() ? query.integer(0) : nil
        query.reset()
        guard let total else { return }
        try set(blob, chunks: total, isComplete: false)
        let delete = try statement("DELETE FROM blob_chunk WHERE blob = ? AND number = ?")
        for chunk in chunks {
            try delete.bind(blob.bytes, at: 1)
            try delete.bind(Int64(chunk), at: 2)
            try delete.run()
        }
    }

    private func isComplete(_ blob: BlobID) throws -> Bool? {
        let query = try statement("SELECT complete FROM blob WHERE id = ?")
        defer { query.reset() }
        try query.bind(blob.bytes, at: 1)
        return try query.step() ? query.integer(0) == 1 : nil
    }

    private func set(_ blob: BlobID, chunks: Int64, isComplete: Bool) throws {
        let complete: Int64 = isComplete ? 1 : 0
        let insert = try statement("INSERT OR REPLACE INTO blob VALUES (?, ?, ?, ?)")
        try insert.bind(blob.bytes, at: 1)
        try insert.bind(chunks, at: 2)
        try insert.bind(complete, at: 3)
        try insert.bind(Table.sum(ofBlob: blob, chunks: chunks, complete: complete), at: 4)
        try insert.run()
    }

    private func statement(_ sql: String) throws -> BoundStatement {
        try BoundStatement(sql, in: database, path: path)
    }
}
