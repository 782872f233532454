import Foundation
import GRDB
import ParleyCore
import ParleyStore
import Testing

extension TestNodes {
    func database(of name: String) -> String {
        root.appending(path: "\(name)/parley.sqlite").path
    }

    /// Changes what is on the disk of a node that is stopped: each message has the highest revision
    /// that there can be.
    func raiseRevisionsToTheLimit(of name: String) throws {
        let directory = try DataDirectory(path: root.appending(path: name).path)
        defer { directory.release() }
        let store = try SQLiteStore(in: directory)
        defer { store.close() }
        var writes: [StoreWrite] = []
        _ = try store.recoverSessions { row in
            writes.append(.session(try Self.withHighestRevision(row)))
        }
        try #require(!writes.isEmpty)
        _ = try store.commit(writes)
    }

    /// Changes one bit of the second chunk of the only picture of a node that is stopped, in the
    /// file itself.
    func flipBitInPicture(of name: String) throws {
        let database = try DatabaseQueue(path: database(of: name))
        let chunk = try database.read { database in
            try Data.fetchOne(database, sql: "SELECT bytes FROM blob_chunk WHERE number = 1")
        }
        try database.close()
        let bytes = try #require(chunk)
        let file = URL(fileURLWithPath: self.database(of: name))
        var contents = try Data(contentsOf: file)
        // One of the two samples lies within one page.
        let found = [10_000, 10_100].compactMap { contents.range(of: bytes[$0..<$0 + 32]) }.first
        contents[try #require(found).lowerBound] ^= 1
        try contents.write(to: file)
    }

    /// Removes the record of the device of a node that is stopped, which earlier versions had not.
    func forgetDevice(of name: String) throws {
        let database = try DatabaseQueue(path: database(of: name))
        try database.write { try $0.execute(sql: "DELETE FROM meta WHERE key = 'device'") }
        try database.close()
    }

    /// The blobs of a stopped node that are incomplete or damaged.
    func damagedBlobs(of name: String) throws -> [BlobID] {
        let directory = try DataDirectory(path: root.appending(path: name).path)
        defer { directory.release() }
        let store = try SQLiteStore(in: directory)
        defer { store.close() }
        let blobs = try store.recover().recovery.blobs
        return try blobs.filter { id, blob in
            guard blob.isComplete, case .whole = try store.blobBytes(id) else { return true }
            return false
        }
        .map(\.key)
    }

    private static func withHighestRevision(_ row: SessionRow) throws -> SessionRow {
        let heads = try row.heads.map { head in
            let envelope = try Envelope(decoding: try #require(head.envelope))
            var header = envelope.header
            header.revision = Limits.sequenceEnd - 1
            let bytes = Envelope.encode(
                headerBytes: Slice(header.encoded()),
                body: envelope.body,
                proof: envelope.proof
            )
            return StoredHead(dot: head.dot, envelope: Slice(bytes))
        }
        return SessionRow(
            row: row.row,
            conversation: row.conversation,
            tag: row.tag,
            position: row.position,
            heads: heads,
            lines: row.lines
        )
    }
}

/// Another program that holds the database of a node, which cannot write meanwhile.
struct DatabaseLock {
    private let connection: DatabaseQueue

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        connection = try DatabaseQueue(path: path, configuration: configuration)
        try connection.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
    }

    func release() {
        do {
            try connection.writeWithoutTransaction { try $0.rollback() }
            try connection.close()
        } catch {
            Issue.record(error)
        }
    }
}
