import Foundation
import GRDB
import ParleyCore
import ParleyStore
import TestSupport
import Testing

/// Damage in a database is found, and what was written anew since is not reported again.
@Suite(.timeLimit(.minutes(5))) struct RepairTests {
    private let blob = Values.blob(1)
    private let chunks = (0..<3).map { Values.bytes(65_536, UInt64($0)) }

    private func write(_ index: Int) -> StoreWrite {
        .blobChunk(blob, index: index, chunks: 3, chunks[index])
    }

    /// A closed database with a blob of three chunks.
    private func scratchWithBlob() throws -> Scratch {
        let scratch = try Scratch()
        let opened = try scratch.open()
        defer { opened.close() }
        _ = try opened.store.commit((0..<3).map(write) + [.blobCompleted(blob)])
        return scratch
    }

    /// Regression: with one bit changed in `blob_chunk`, only the whole blob could not be read.
    @Test func aChangedByteIsFoundInItsChunk() throws {
        let scratch = try scratchWithBlob()
        try scratch.flipBit(after: chunks[1].bytes[30_000..<30_032])
        let opened = try scratch.open()
        defer { opened.close() }
        #expect(try opened.store.recover().damage.isEmpty, "no chunk is read at the start")
        #expect(try opened.store.blobBytes(blob) == .damaged(chunks: [1]))
        #expect(try opened.store.blobChunk(blob, index: 1) == nil)
        #expect(try opened.store.blobChunk(blob, index: 2) == chunks[2])

        _ = try opened.store.commit([.blobChunksDropped(blob, [1])])
        let partial = RecoveredBlob(isComplete: false, chunks: [0, 2])
        #expect(try opened.store.recover().recovery.blobs == [blob: partial])
        _ = try opened.store.commit([write(1), .blobCompleted(blob)])
        #expect(try opened.store.blobBytes(blob).bytes == Slice(chunks.flatMap(\.bytes)))
        let whole = RecoveredBlob(isComplete: true, chunks: [])
        #expect(try opened.store.recover().recovery.blobs == [blob: whole])
    }

    /// A complete blob that lacks a chunk is found at the start.
    @Test func aMissingChunkIsFoundAtTheStart() throws {
        let scratch = try scratchWithBlob()
        try scratch.change("DELETE FROM blob_chunk WHERE number = 1")
        let opened = try scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        let partial = RecoveredBlob(isComplete: false, chunks: [0, 2])
        #expect(recovered.recovery.blobs == [blob: partial])
        let name = Hexadecimal.text(blob.bytes)
        #expect(recovered.damage.first == [.chunksMissing(blob: name, count: 1)])
    }

    /// Regression: the warning about a damaged session row came back at each start, although the
    /// session had been stored anew.
    @Test(arguments: ["heads = zeroblob(20)", "position = position + 1", "lines = x'00'"])
    func aReplacedSessionIsNotReportedAgain(change: String) throws {
        let scratch = try Scratch()
        let opened = try scratch.open()
        let rows = (Int64(1)...3).map { Values.session($0, heads: [Values.head(1, UInt64($0))]) }
        let writes = [StoreWrite.conversation(Values.conversation(1))] + rows.map { .session($0) }
        _ = try opened.store.commit(writes)
        opened.close()
        try scratch.change("UPDATE session SET \(change) WHERE row = 2")
        let report = DamageReport.damaged(table: "session", key: "2")
        for _ in 0..<2 {
            let damage = try scratch.sessions().damage
            #expect(damage.first == [report], "the session is still missing")
        }

        // A peer sent it again.
        let again = try scratch.open()
        let repaired = SessionRow(
            row: 4,
            conversation: 1,
            tag: rows[1].tag,
            position: 9,
            heads: rows[1].heads,
            lines: .empty
        )
        _ = try again.store.commit([.session(repaired)])
        again.close()
        for _ in 0..<2 {
            let found = try scratch.sessions()
            #expect(found.damage.isEmpty)
            #expect(found.rows == [rows[0], rows[2], repaired])
        }
        let last = try scratch.open()
        defer { last.close() }
        #expect(try last.store.heads(ofRow: 2) == [], "the damaged row is deleted")
    }
}

extension Scratch {
    /// Changes the closed database behind the store's back.
    fileprivate func change(_ sql: String) throws {
        let database = try DatabaseQueue(path: database)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    /// Changes one bit of the closed file, behind the first place that holds these bytes.
    fileprivate func flipBit(after bytes: ArraySlice<UInt8>) throws {
        let url = URL(fileURLWithPath: database)
        var file = try Data(contentsOf: url)
        let found = try #require(file.range(of: Data(bytes)))
        file[found.upperBound] ^= 4
        try file.write(to: url)
    }

    /// The sessions that a start finds, and what it reports.
    fileprivate func sessions() throws -> (rows: [SessionRow], damage: DamageReports) {
        let opened = try open()
        defer { opened.close() }
        var rows: [SessionRow] = []
        let damage = try opened.store.recoverSessions { rows.append($0) }
        return (rows, damage)
    }
}
