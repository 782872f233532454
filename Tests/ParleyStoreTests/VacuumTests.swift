import Foundation
import ParleyCore
import ParleyStore
import TestSupport
import Testing

/// The database becomes shorter when much of it was deleted, and is not taken for a cut one.
@Suite(.timeLimit(.minutes(5))) struct VacuumTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func size(_ scratch: Scratch) throws -> Int {
        let file = try FileManager.default.attributesOfItem(atPath: scratch.database)
        return try #require(file[.size] as? Int)
    }

    /// A store of two conversations, of which the second one has `count` sessions of 60 KB.
    private func filled(_ count: Int64) throws -> OpenStore {
        let opened = try scratch.open()
        for number in UInt32(1)...2 {
            _ = try opened.store.commit([.conversation(Values.conversation(number))])
        }
        for row in 1...count {
            let heads: [StoredHead] = [Values.head(1, UInt64(row), bytes: 60_000)]
            let session = Values.session(row, of: 2, heads: heads)
            _ = try opened.store.commit([.session(session)])
            #expect(try !opened.store.maintain())
        }
        return opened
    }

    @Test func aConversationThatWasLeftGivesItsSpaceBack() async throws {
        let opened = try filled(300)
        #expect(try size(scratch) > 8 << 20)
        let node = QueueOnLoop(opened.store)
        node.submit(ticket: 1, writes: [.conversationLeft(2)])
        #expect(await node.committed(1) == 1)
        // Nothing else is written meanwhile.
        try await eventually("a short database") { try size(scratch) < 256 << 10 }
        for ticket in UInt64(2)...5 {
            let heads: [StoredHead] = [Values.head(1, ticket, bytes: 60_000)]
            let session = Values.session(Int64(ticket), heads: heads)
            node.submit(ticket: ticket, writes: [.session(session)])
            #expect(await node.report() == .committed(through: ticket, .none))
        }
        let log = try FileManager.default.attributesOfItem(atPath: scratch.database + "-wal")
        let logBytes = try #require(log[.size] as? Int)
        #expect(logBytes > 0)
        #expect(opened.store.space.used == (try size(scratch)) + logBytes)
        await node.stop()
        opened.directory.release()
    }

    /// A process that is cut off leaves a log with which the next one makes the database shorter.
    @Test func theNextProcessGoesOn() throws {
        let opened = try filled(300)
        defer { opened.close() }
        _ = try opened.store.commit([.conversationLeft(2)])
        for _ in 1...5 { #expect(try opened.store.maintain()) }
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
        let before = try size(copy)
        let next = try copy.open()
        defer { next.close() }
        _ = try next.store.commit([.conversation(Values.conversation(3))])
        while try next.store.maintain() { _ = try next.store.commit([.epoch(Epoch(1))]) }
        _ = try next.store.commit([.epoch(Epoch(2))])
        #expect(try size(copy) < before / 8)
        let kept = try next.store.recover().recovery.conversations
        #expect(kept.map(\.record.number) == [1, 3])
    }

    /// SQLite's header says in bytes 52 to 55 and 64 to 67 whether pages can be given back.
    @Test(arguments: [true, false])
    func aDatabaseOfAnEarlierVersionIsWrittenAnew(isEarlier: Bool) throws {
        try scratch.open().close()
        if isEarlier {
            let child = try Child(
                [
                    "/usr/bin/python3", "-c",
                    "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); "
                        + "d.executescript('PRAGMA journal_mode = DELETE; "
                        + "PRAGMA auto_vacuum = NONE; VACUUM')",
                    scratch.database,
                ],
                environment: [:],
                output: "/dev/null",
                errors: "/dev/null"
            )
            #expect(child.waitForEnd() == 0)
            #expect(try header() == [0, 0])
        }
        try scratch.open().close()
        #expect(try header().allSatisfy { $0 > 0 })
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.data)
        #expect(files.allSatisfy { $0.hasPrefix("parley.sqlite") || $0 == "lock" })
    }

    private func header() throws -> [UInt8] {
        let file = try Data(contentsOf: URL(fileURLWithPath: scratch.database))
        return [54, 55, 67].reduce(into: [0, 0]) { flags, index in
            flags[index == 67 ? 1 : 0] |= file[index]
        }
    }
}
