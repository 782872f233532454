import Foundation
import GRDB
import ParleyCore
import ParleyStore
import Testing

/// Databases of other versions and of other programs.
@Suite struct SchemaTests {
    @Test func refusesADatabaseOfANewerVersion() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        try change(scratch, "INSERT INTO grdb_migrations VALUES ('99')")
        let error = StoreError.newerSchema(path: scratch.database, unknown: ["99"])
        #expect(throws: error) { try scratch.open() }
        #expect(error.description.contains("newer version"))
        // The refusal neither changed nor locked the database.
        try change(scratch, "DELETE FROM grdb_migrations WHERE identifier = '99'")
        try scratch.open().close()
    }

    @Test func refusesADatabaseOfSomebodyElse() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.data,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        try change(scratch, "CREATE TABLE bookmark (url TEXT)")
        try scratch.setMode(0o600, of: scratch.database)
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch.database))
        #expect(throws: StoreError.foreign(path: scratch.database)) { try scratch.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.database)) == before)
    }

    @Test func refusesMessagesOfAnEarlierFormat() throws {
        let scratch = try versionOne(withMigrations: [])
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch.database))
        let error = StoreError.oldSignatures(path: scratch.database, count: 1)
        for _ in 0..<2 { #expect(throws: error) { try scratch.open() } }
        #expect(error.description.contains("join the conversations again"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.database)) == before)
        // Without messages there is nothing that peers would not take.
        try change(scratch, "DELETE FROM session")
        try scratch.open().close()
        try scratch.open().close()
    }

    /// A dump of a database that version 1 wrote is read completely.
    @Test func readsWhatVersion1Wrote() throws {
        let scratch = try versionOne()
        let opened = try scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        // The epoch is bound to the location in which the dump was made.
        #expect(recovered.damage.first == [.moved])
        #expect(recovered.recovery.epoch == nil)
        let memory = MemoryStore()
        _ = try memory.commit(Self.versionOne)
        var expected = try Contents(of: memory)
        expected.recovery.epoch = nil
        #expect(recovered.recovery == expected.recovery)
        var rows: [SessionRow] = []
        #expect(try opened.store.recoverSessions { rows.append($0) }.isEmpty)
        #expect(rows == expected.sessions)
        #expect(try opened.store.blobBytes(Values.blob(1)).bytes == Values.bytes(40, 1))
    }

    /// A database of version 1 gets the later tables, once, and can then be written.
    @Test func goesOnInWhatVersion1Wrote() throws {
        let scratch = try versionOne()
        let guest = try #require(Values.guest(1, at: 5))
        let later: [StoreWrite] = [
            .deviceName(device: Values.device(1), name: "ben"),
            .origin(conversation: 1, OriginID(Values.narrow(2)), Values.origin(2)),
            .seat(conversation: 1, guest.number, guest),
            .member(conversation: 1, Values.memberRecord(2), Values.bytes(40, 2)),
        ]
        let opened = try scratch.open()
        #expect(try opened.store.recover().recovery.deviceNames.isEmpty)
        #expect(try opened.store.commit([.epoch(Epoch(8))] + later).isEmpty)
        opened.close()
        let again = try scratch.open()
        defer { again.close() }
        let memory = MemoryStore()
        _ = try memory.commit(Self.versionOne + [.epoch(Epoch(8))] + later)
        let contents = try Contents(of: again.store)
        #expect(try contents == Contents(of: memory))
        #expect(contents.recovery.deviceNames == [Values.device(1): "ben"])
        #expect(contents.recovery.conversations.map(\.seats) == [[guest], []])
        #expect(contents.recovery.conversations.map(\.members.count) == [1, 0])
    }

    /// The database of the fixture; the third migration changed what signatures are over, and not
    /// how it is stored.
    private func versionOne(withMigrations applied: [String] = ["3"]) throws -> Scratch {
        let scratch = try Scratch()
        try scratch.open().close()
        try FileManager.default.removeItem(atPath: scratch.database)
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/version-1.sql")
        try change(scratch, String(contentsOf: fixture, encoding: .utf8))
        for migration in applied {
            try change(scratch, "INSERT INTO grdb_migrations VALUES ('\(migration)')")
        }
        try scratch.setMode(0o600, of: scratch.database)
        return scratch
    }

    /// The contents of the fixture: rows in every table.
    private static let versionOne: [StoreWrite] = [
        .epoch(Epoch(7)),
        .conversation(Values.conversation(1, name: "Über", role: .writer)),
        .conversation(Values.conversation(4, role: .relay)),
        .sequencesReserved(conversation: 1, end: 640),
        .incarnationStarted(conversation: 1, FeedIncarnation(id: .max, start: 9)),
        .origin(conversation: 1, OriginID(Values.narrow(1)), Values.origin(1)),
        .cursor(
            conversation: 1,
            peer: Values.device(1),
            FeedCursor(incarnation: .max, position: 3)
        ),
        .blobChunk(Values.blob(1), index: 0, chunks: 1, Values.bytes(40, 1)),
        .blobCompleted(Values.blob(1)),
        .address(device: Values.device(1), text: "192.0.2.1:47275"),
        .session(
            Values.session(
                1,
                position: 8,
                heads: [Values.head(1, 1), Values.head(2, 7)],
                lines: Values.bytes(9, 2)
            )
        ),
    ]

    private func change(_ scratch: Scratch, _ sql: String) throws {
        let database = try DatabaseQueue(path: scratch.database)
        try database.writeWithoutTransaction { try $0.execute(sql: sql) }
        try database.close()
    }
}
