import Foundation
import ParleyCore
import ParleyStore
import Testing

@Suite struct WriteAheadLogTests {
    /// A sync takes longer if the file has grown: so the log grows seldom, and not in each commit.
    @Test func fewCommitsLengthenTheFile() throws {
        let scratch = try Scratch()
        let opened = try scratch.open()
        defer { opened.close() }
        _ = try opened.store.commit([.conversation(Values.conversation(1))])
        var sizes: Set<Int> = []
        for number in UInt64(1)...400 {
            try commit(number, to: opened.store)
            sizes.insert(try size(of: scratch.database + "-wal"))
        }
        #expect(sizes.count < 10)
    }

    /// The file stays shorter than twice what triggers a checkpoint, however much is written.
    @Test func theFileDoesNotGrowWithoutEnd() throws {
        let scratch = try Scratch()
        let opened = try scratch.open()
        defer { opened.close() }
        _ = try opened.store.commit([.conversation(Values.conversation(1))])
        let envelope = Values.bytes(60_000, 1)
        var greatest = 0
        for number in UInt64(1)...300 {
            try commit(number, envelope, to: opened.store)
            greatest = max(greatest, try size(of: scratch.database + "-wal"))
        }
        #expect(greatest > StoreLimits.logPages * 4_096)
        #expect(greatest < StoreLimits.logPages * 4_096 * 2)
    }

    /// The files of a node that was cut off, as another process finds them: the log with the zeros
    /// that follow the last commit.
    @Test func commitsBeforeTheZerosAreRead() throws {
        let scratch = try Scratch()
        let opened = try scratch.open()
        defer { opened.close() }
        _ = try opened.store.commit([.conversation(Values.conversation(1))])
        for number in UInt64(1)...20 { try commit(number, to: opened.store) }
        let log = try Data(contentsOf: URL(fileURLWithPath: scratch.database + "-wal"))
        #expect(log.suffix(4_096).allSatisfy { $0 == 0 })

        let copy = try Scratch()
        try FileManager.default.createDirectory(
            atPath: copy.data,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: scratch.database + suffix,
                toPath: copy.database + suffix
            )
        }
        let reopened = try copy.open()
        defer { reopened.close() }
        var rows: [Int64] = []
        let damage = try reopened.store.recoverSessions { rows.append($0.row) }
        #expect(damage.isEmpty)
        #expect(rows == Array(1...20))
    }

    private func commit(
        _ number: UInt64,
        _ envelope: Slice = Values.bytes(40, 1),
        to store: SQLiteStore
    ) throws {
        let head = StoredHead(dot: Values.dot(1, number), envelope: envelope)
        _ = try store.commit([.session(Values.session(Int64(number), heads: [head]))])
        _ = try store.maintain()
    }

    private func size(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.size] as? NSNumber).intValue
    }
}
