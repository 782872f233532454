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
