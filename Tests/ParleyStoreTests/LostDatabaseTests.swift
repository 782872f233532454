import Foundation
import GRDB
import ParleyCore
import ParleyStore
import Testing

/// A database that is not there any more is never taken for a new one.
@Suite struct LostDatabaseTests {
    /// A directory in which a node was at home.
    private func used() throws -> Scratch {
        let scratch = try Scratch()
        let opened = try scratch.open()
        _ = try opened.store.commit([.epoch(Epoch(1))])
        opened.close()
        try Data("a key".utf8).write(to: URL(fileURLWithPath: scratch.data + "/device.key"))
        return scratch
    }

    private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    private func write(_ contents: Data, to path: String) throws {
        try contents.write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o600) == 0)
    }

    /// Regression: a node without conversations began, without a word.
    @Test func refusesAMissingOne() throws {
        let scratch = try used()
        try remove(scratch.database)
        let error = StoreError.lost(path: scratch.database)
        for _ in 0..<2 { #expect(throws: error) { try scratch.open() } }
        #expect(!FileManager.default.fileExists(atPath: scratch.database), "nothing was made")
        #expect(error.description.contains("device.key"))
    }

    @Test func refusesAnEmptyOne() throws {
        let scratch = try used()
        try write(Data(), to: scratch.database)
        for _ in 0..<2 {
            #expect(throws: StoreError.lost(path: scratch.database)) { try scratch.open() }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.database)).isEmpty)
    }

    /// A database whose tables were in the log alone is empty without it.
    @Test func refusesOneWithoutTables() throws {
        let scratch = try used()
        try remove(scratch.database)
        let empty = try DatabaseQueue(path: scratch.database)
        try empty.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 1; VACUUM") }
        try empty.close()
        #expect(chmod(scratch.database, 0o600) == 0)
        #expect(throws: StoreError.lost(path: scratch.database)) { try scratch.open() }
    }

    /// Before the key is there nothing can be lost, so a start that was cut short begins again.
    @Test func beginsAgainWithoutAKey() throws {
        let scratch = try used()
        try remove(scratch.data + "/device.key")
        try write(Data(), to: scratch.database)
        try scratch.open().close()
    }

    /// Regression: a first start that ended between its first two commits, as on a full disk, left
    /// what every later one took for a database of another program.
    @Test func beginsAgainWithoutAMigration() throws {
        let scratch = try used()
        for name in ["device.key", "parley.sqlite"] { try remove(scratch.data + "/" + name) }
        let begun = try DatabaseQueue(path: scratch.database)
        try begun.write {
            try $0.execute(
                sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
            )
        }
        try begun.close()
        #expect(chmod(scratch.database, 0o600) == 0)
        try scratch.open().close()
    }

    /// Regression: commits went on, were acknowledged, and were nowhere at the next start.
    @Test(arguments: ["", "-wal"])
    func refusesToCommitToARemovedOne(suffix: String) throws {
        let scratch = try used()
        let opened = try scratch.open()
        defer { opened.close() }
        _ = try opened.store.commit([.epoch(Epoch(2))])
        try FileManager.default.copyItem(
            atPath: scratch.database,
            toPath: scratch.path + "/copy"
        )
        try remove(scratch.database + suffix)
        let error = StoreError.lost(path: scratch.database)
        #expect(throws: error) { try opened.store.commit([.epoch(Epoch(3))]) }
        guard suffix.isEmpty else { return }
        #expect(throws: error) { try opened.store.reopen() }
        // The state in memory does not belong to another database.
        try FileManager.default.moveItem(
            atPath: scratch.path + "/copy",
            toPath: scratch.database
        )
        #expect(throws: error) { try opened.store.reopen() }
    }

    /// Regression: what had been acknowledged before was nowhere at the next start, and what came
    /// after as well.
    @Test(arguments: ["", "-wal"], [0, 1_000])
    func refusesToCommitToAShorterOne(suffix: String, bytes: Int) throws {
        let scratch = try used()
        let opened = try scratch.open()
        defer { opened.close() }
        _ = try opened.store.commit([.epoch(Epoch(2))])
        #expect(truncate(scratch.database + suffix, bytes) == 0)
        let error = StoreError.lost(path: scratch.database)
        for _ in 0..<2 {
            #expect(throws: error) { try opened.store.commit([.epoch(Epoch(3))]) }
        }
    }

    /// The log may be cut by the node itself, when it reopens the database.
    @Test func commitsGoOnAfterTheLogWasCopied() throws {
        let scratch = try used()
        let opened = try scratch.open()
        defer { opened.close() }
        for epoch in UInt64(2)...40 {
            _ = try opened.store.commit([.epoch(Epoch(epoch))])
            if epoch.isMultiple(of: 10) { try opened.store.reopen() }
        }
    }
}
