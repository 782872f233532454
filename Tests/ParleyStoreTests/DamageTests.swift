import Foundation
import GRDB
import ParleyCore
import ParleyStore
import TestSupport
import Testing

/// A damaged database leads to an error or a report, never to a wrong row and never to a trap.
@Suite(.timeLimit(.minutes(5))) struct DamageTests {
    @Test func leavesDamagedRowsOutAndReportsThem() throws {
        let original = try Original()
        try original.change("UPDATE session SET heads = zeroblob(20) WHERE row = 3")
        try original.change("UPDATE session SET position = position + 1 WHERE row = 4")
        try original.change(
            "UPDATE session SET tag = (SELECT tag FROM session WHERE row = 1)"
                + " WHERE row = 5"
        )
        try original.change("UPDATE cursor SET position = 0")
        try original.change("UPDATE origin SET epoch = epoch + 1 WHERE conversation = 1")
        try original.change("UPDATE address SET text = 'evil:1'")
        try original.change("UPDATE device SET name = 'evil'")
        try original.change("UPDATE blob SET complete = 0")
        let opened = try original.scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        var rows: [SessionRow] = []
        let damage = try opened.store.recoverSessions { rows.append($0) }
        #expect(rows == original.contents.sessions.filter { !(3...5).contains($0.row) })
        #expect(damage.first == (3...5).map { .damaged(table: "session", key: "\($0)") })
        let conversation = try #require(recovered.recovery.conversations.first)
        #expect(conversation.cursors.isEmpty)
        #expect(conversation.origins.isEmpty)
        #expect(recovered.recovery.addresses.isEmpty)
        #expect(recovered.recovery.deviceNames.isEmpty)
        #expect(recovered.recovery.blobs.isEmpty)
        #expect(recovered.damage.count == 6)
        #expect(throws: StoreError.damaged(row: "session 3")) {
            try opened.store.heads(ofRow: 3)
        }
        let together = opened.store.heads(ofRows: [2, 3, 2])
        #expect(together[1] == .failure(.damaged(row: "session 3")))
        #expect(try together[0].get().isEmpty == false)
        #expect(together[2] == together[0])
    }

    /// Damaged records about members are left out: an invite then lets nobody in.
    @Test(arguments: [
        "UPDATE member SET record = zeroblob(40)", "UPDATE member SET kind = 3",
        "UPDATE member SET key = x'00000003'", "UPDATE member SET key = x'03'",
        "UPDATE member SET conversation = 2",
    ])
    func leavesDamagedMemberRecordsOut(change: String) throws {
        let original = try Original()
        #expect(original.contents.recovery.conversations.first?.members.count == 1)
        try original.change(change)
        let opened = try original.scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        #expect(recovered.recovery.conversations.allSatisfy { $0.members.isEmpty })
        #expect(recovered.damage.count == 2)
        #expect(recovered.recovery.epoch == nil, "the row may have been that of counters")
    }

    /// Regression: without the row of its counters, a device used them again.
    @Test(arguments: [MemberRecord.receiptCounter, .cardNumber, Values.memberRecord(2)])
    func damageOfCountersForcesANewEpoch(_ damaged: MemberRecord) throws {
        let original = try Original()
        let store = try original.scratch.open()
        _ = try store.store.commit(
            [1, 2].flatMap { number in
                [MemberRecord.receiptCounter, .cardNumber].map {
                    .member(conversation: number, $0, Values.bytes(8, 1))
                }
            }
        )
        store.close()
        try original.change("UPDATE member SET sum = sum + 1 WHERE kind = \(damaged.kind)")
        let opened = try original.scratch.open()
        defer { opened.close() }
        let isOther = damaged == Values.memberRecord(2)
        #expect(try opened.store.recover().recovery.epoch == (isOther ? Epoch(7) : nil))
    }

    /// A damaged seat is empty, and a damaged host leaves nobody as the author.
    @Test(arguments: [
        "UPDATE seat SET seed = zeroblob(32)", "UPDATE seat SET number = 2",
        "UPDATE seat SET number = 0", "UPDATE seat SET number = 65",
        "UPDATE seat SET name = 'evil'", "UPDATE seat SET secret_hash = zeroblob(32)",
        "UPDATE seat SET seed = zeroblob(31)", "UPDATE seat SET conversation = 2",
    ])
    func leavesDamagedSeatsOut(change: String) throws {
        let original = try Original()
        #expect(original.contents.recovery.conversations.first?.seats.count == 1)
        try original.change(change)
        let opened = try original.scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        #expect(recovered.recovery.conversations.allSatisfy { $0.seats.isEmpty })
        #expect(recovered.damage.count == 1)
        #expect(recovered.recovery.epoch != nil, "no sequence is in doubt")
    }

    @Test(arguments: [
        "NULL", "zeroblob(97)", "zeroblob(96)",
        "CAST(substr(host, 1, 96) || X'00' AS BLOB)",
        "CAST(substr(host, 1, 96) || X'05' AS BLOB)",
        "CAST(X'01' || substr(host, 2) AS BLOB)",
    ])
    func leavesOriginsOutWhoseHostIsDamaged(host: String) throws {
        let original = try Original()
        let guest = OriginID(Values.narrow(2))
        #expect(original.contents.recovery.conversations.first?.origins[guest]?.host != nil)
        try original.change("UPDATE origin SET host = \(host) WHERE host IS NOT NULL")
        let opened = try original.scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        let origins = recovered.recovery.conversations.first?.origins
        #expect(origins == [OriginID(Values.narrow(1)): Values.origin(1)])
        #expect(recovered.damage.count == 1)
    }

    /// A device does not become a guest either.
    @Test func leavesDevicesOutThatGotAHost() throws {
        let original = try Original()
        try original.change(
            "UPDATE origin SET host = (SELECT host FROM origin WHERE host IS NOT NULL)"
        )
        let opened = try original.scratch.open()
        defer { opened.close() }
        let origins = try opened.store.recover().recovery.conversations.first?.origins
        #expect(origins == [OriginID(Values.narrow(2)): Values.origin(2)])
    }

    /// A name that no valid frame can carry is left out, even if its checksum matches.
    @Test(arguments: ["", String(repeating: "n", count: Limits.deviceNameBytes + 1)])
    func leavesNamesOutThatCannotBe(name: String) throws {
        let stored = try Restartable(.sqlite)
        let named = Values.device(2)
        try stored.commit(
            .deviceName(device: Values.device(1), name: name),
            .deviceName(device: named, name: "ben")
        )
        try stored.restart()
        let recovered = try stored.store.recover()
        #expect(recovered.recovery.deviceNames == [named: "ben"])
        let key = Hexadecimal.text(Values.device(1).bytes)
        #expect(recovered.damage.first == [.damaged(table: "device", key: key)])
        // The next name replaces the damaged row.
        try stored.commit(.deviceName(device: Values.device(1), name: "ann"))
        try stored.restart()
        let names = try stored.contents().recovery.deviceNames
        #expect(names == [named: "ben", Values.device(1): "ann"])
    }

    /// A name that is not stored as text is left out.
    @Test func leavesNamesOutThatAreNoText() throws {
        let original = try Original()
        try original.change("UPDATE device SET name = CAST(X'FF41' AS TEXT)")
        let opened = try original.scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        #expect(recovered.recovery.deviceNames.isEmpty)
        #expect(recovered.damage.count == 1)
    }

    /// Damage that could make a node reuse a sequence forces a new epoch.
    @Test(arguments: [
        "UPDATE sequence SET reserved_end = 2",
        "DELETE FROM sequence WHERE conversation = 2",
        "DELETE FROM conversation WHERE number = 1",
        "UPDATE conversation SET relay_key = zeroblob(32) WHERE number = 1",
        "UPDATE meta SET value = zeroblob(44) WHERE key = 'epoch'",
    ])
    func asksForANewEpochWhenSequencesAreUnknown(change: String) throws {
        let original = try Original()
        try original.change(change)
        let opened = try original.scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        #expect(recovered.recovery.epoch == nil)
        #expect(!recovered.damage.isEmpty)
    }

    @Test func countsOnFromTheRowsWhenTheNextNumberIsDamaged() throws {
        let original = try Original()
        try original.change("UPDATE meta SET value = zeroblob(4) WHERE key = 'nextConversation'")
        let opened = try original.scratch.open()
        defer { opened.close() }
        #expect(try opened.store.recover().recovery.nextConversationNumber == 3)
    }

    @Test func neverGivesADamagedChunk() throws {
        let original = try Original()
        try original.change("UPDATE blob_chunk SET bytes = zeroblob(65536) WHERE number = 1")
        let opened = try original.scratch.open()
        defer { opened.close() }
        #expect(try opened.store.blobChunk(Values.blob(1), index: 0) != nil)
        #expect(try opened.store.blobChunk(Values.blob(1), index: 1) == nil)
        #expect(try opened.store.blobBytes(Values.blob(1)) == .damaged(chunks: [1]))
    }

    /// A write replaces a damaged row; heads whose bytes it wanted to keep are lost and reported.
    @Test func replacesDamagedRows() throws {
        let original = try Original()
        try original.change("UPDATE session SET heads = zeroblob(20) WHERE row = 3")
        let opened = try original.scratch.open()
        defer { opened.close() }
        let kept = StoredHead(dot: Values.dot(1, 3), envelope: nil)
        let row = Values.session(3, heads: [kept, Values.head(2, 3)])
        let damage = try opened.store.commit([.session(row)])
        #expect(damage.first == [.bytesMissing(row: 3, dot: kept.dot)])
        #expect(try opened.store.heads(ofRow: 3) == [Values.head(2, 3)])
    }

    /// Flips one bit anywhere in the file.
    @Test(arguments: 0..<UInt64(150))
    func survivesAFlippedBit(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try expectNothingWrong("seed \(seed)") { bytes in
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= bit
        }
    }

    /// Damages the first pages, which hold the header and the inner nodes of the trees.
    @Test(arguments: 0..<UInt64(150))
    func survivesDamageInTheFirstPages(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try expectNothingWrong("seed \(seed)") { bytes in
            for _ in 0..<3 {
                let page = Int.random(in: 0..<16, using: &random) * 4_096
                let offset = page + Int.random(in: 0..<120, using: &random)
                bytes[offset] = UInt8.random(in: 0...255, using: &random)
            }
        }
    }

    @Test(arguments: 0..<UInt64(40))
    func survivesAnEmptyPage(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try expectNothingWrong("seed \(seed)") { bytes in
            let page = Int.random(in: 0..<bytes.count / 4_096, using: &random) * 4_096
            for offset in page..<page + 4_096 { bytes[offset] = 0 }
        }
    }

    @Test(arguments: [1, 99, 100, 512, 4_095, 4_096, 8_192, 40_000, 100_001])
    func survivesATruncatedFile(length: Int) throws {
        try expectNothingWrong("length \(length)") { $0.removeLast($0.count - length) }
    }

    @Test func namesTheFileAndTheCure() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        try Data(Values.bytes(20_000, 1).bytes).write(to: URL(fileURLWithPath: scratch.database))
        try scratch.setMode(0o600, of: scratch.database)
        #expect {
            try scratch.open()
        } throws: { error in
            guard case StoreError.corrupt(scratch.database, _) = error else { return false }
            return "\(error)".contains("device.key beside it, and \(scratch.database)-wal and -shm")
        }
    }

    /// Damages the log of a process that died: recovery finds the commits of the log or only those
    /// before it.
    @Test(arguments: 0..<UInt64(60))
    func survivesADamagedLog(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scratch = try Scratch()
        let opened = try scratch.open()
        var versions: [Int64: [SessionRow]] = [:]
        _ = try opened.store.commit([.conversation(Values.conversation(1))])
        for number in UInt64(1)...60 {
            let row = Values.session(Int64(number % 7), heads: [Values.head(1, number)])
            versions[row.row, default: []].append(row)
            _ = try opened.store.commit([.session(row)])
        }
        let copy = try Scratch()
        try FileManager.default.copyItem(atPath: scratch.data, toPath: copy.data)
        try copy.setMode(0o700, of: copy.data)
        opened.close()
        let log = URL(fileURLWithPath: copy.database + "-wal")
        var bytes = [UInt8](try Data(contentsOf: log))
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 16
        if seed.isMultiple(of: 3) {
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        try Data(bytes).write(to: log)
        do {
            let reopened = try copy.open()
            defer { reopened.close() }
            _ = try reopened.store.recover()
            _ = try reopened.store.recoverSessions { row in
                #expect(versions[row.row]?.contains(row) == true, "seed \(seed)")
            }
        } catch is StoreError {
            // A typed refusal is as good.
        }
    }

    /// Damages the database of `Original` and reads all of it.
    private func expectNothingWrong(
        _ name: String,
        damage: (inout [UInt8]) -> Void
    ) throws {
        let original = try OriginalFile.shared.get()
        var bytes = original.bytes
        damage(&bytes)
        let copy = try Scratch()
        try DataDirectory(path: copy.data).release()
        try Data(bytes).write(to: URL(fileURLWithPath: copy.database))
        try copy.setMode(0o600, of: copy.database)
        do {
            let opened = try copy.open()
            defer { opened.close() }
            try original.expectNothingElse(in: opened.store, name)
            // A store that opens either accepts writes or throws a typed error.
            _ = try opened.store.commit([.session(Values.session(1, heads: [Values.head(9, 9)]))])
            try opened.store.reopen()
        } catch is StoreError {
            // A typed refusal is as good.
        }
    }
}

/// A database with something in every table, closed.
private struct Original {
    let scratch: Scratch
    let contents: Contents

    init() throws {
        scratch = try Scratch()
        let opened = try scratch.open()
        defer { opened.close() }
        var writes: [StoreWrite] = [
            .epoch(Epoch(7)), .conversation(Values.conversation(1)),
            .conversation(Values.conversation(2)),
            .sequencesReserved(conversation: 1, end: 640),
            .sequencesReserved(conversation: 2, end: 640),
            .incarnationStarted(conversation: 1, FeedIncarnation(id: 3, start: 9)),
            .origin(conversation: 1, OriginID(Values.narrow(1)), Values.origin(1)),
            .origin(conversation: 1, OriginID(Values.narrow(2)), Values.origin(2)),
            .cursor(
                conversation: 1,
                peer: Values.device(1),
                FeedCursor(incarnation: 2, position: 3)
            ),
            .address(device: Values.device(1), text: "192.0.2.1:27275"),
            .deviceName(device: Values.device(1), name: "ben's phone"),
        ]
        if let guest = Values.guest(1, at: 0) {
            writes.append(.seat(conversation: 1, guest.number, guest))
        }
        writes.append(
            .member(conversation: 1, Values.memberRecord(2), Values.bytes(40, 2))
        )
        for chunk in 0..<2 {
            let bytes = Values.bytes(65_536, UInt64(chunk))
            writes.append(.blobChunk(Values.blob(1), index: chunk, chunks: 2, bytes))
        }
        writes.append(.blobCompleted(Values.blob(1)))
        for row in Int64(1)...120 {
            let heads = [Values.head(1, UInt64(row), bytes: 100 + Int(row) * 3)]
            let lines = Values.bytes(Int(row % 5), 1)
            writes.append(.session(Values.session(row, position: 8, heads: heads, lines: lines)))
        }
        _ = try opened.store.commit(writes)
        contents = try Contents(of: opened.store)
    }

    /// Changes the closed database behind the store's back.
    func change(_ sql: String) throws {
        let database = try DatabaseQueue(path: scratch.database)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }
}

/// The file of an original database, and what is in it.
private struct OriginalFile {
    /// The file that all tests share.
    ///
    /// It is in memory, because nothing would remove a directory that is used until the process
    /// ends.
    static let shared = Result { try OriginalFile() }

    let bytes: [UInt8]
    private let contents: Contents

    init() throws {
        let original = try Original()
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: original.scratch.database)))
        contents = original.contents
    }

    /// Expects that everything in `store` is also in the original.
    func expectNothingElse(in store: SQLiteStore, _ name: String) throws {
        let recovery = try store.recover().recovery
        let known = contents.recovery
        #expect(recovery.epoch == nil || recovery.epoch == known.epoch, "\(name)")
        #expect(Set(recovery.addresses).isSubset(of: known.addresses), "\(name)")
        #expect(
            recovery.deviceNames.allSatisfy { known.deviceNames[$0.key] == $0.value },
            "\(name)"
        )
        if recovery.epoch != nil {
            let ends = recovery.conversations.map(\.sequencesReservedEnd)
            #expect(ends == known.conversations.map(\.sequencesReservedEnd), "\(name)")
        }
        for conversation in recovery.conversations {
            let original = known.conversations.first { $0.record == conversation.record }
            guard let original else {
                Issue.record("\(name): a conversation was made up")
                continue
            }
            #expect(conversation.origins.allSatisfy { original.origins[$0.key] == $0.value })
            #expect(conversation.cursors.allSatisfy { original.cursors[$0.key] == $0.value })
            let known = original.incarnations
            #expect(conversation.incarnations.allSatisfy { known.contains($0) }, "\(name)")
        }
        _ = try store.recoverSessions { row in
            #expect(contents.sessions.contains(row), "\(name): a row was made up")
        }
        for (id, blob) in recovery.blobs {
            #expect(known.blobs[id] != nil, "\(name): a blob was made up")
            let bytes = try store.blobBytes(id).bytes
            if blob.isComplete, let bytes, let original = contents.blobs[id]?.bytes {
                #expect(bytes == original, "\(name)")
            }
        }
    }
}
