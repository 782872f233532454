import Foundation
import ParleyCore
import ParleyStore
import TestSupport
import Testing

/// Regression: SQLite ends a damaged log in silence, so that acknowledged commits were missing
/// without a word, and the sequences that the log had reserved were given again.
@Suite(.timeLimit(.minutes(5))) struct CutLogTests {
    /// A node's second life, killed: its log reserves sequences and has 50 messages.
    private func killed() throws -> (Scratch, FilesOfDatabase) {
        let scratch = try Scratch()
        let first = try scratch.open()
        _ = try first.store.commit([
            .epoch(Epoch(7)), .conversation(Values.conversation(1)),
            .sequencesReserved(conversation: 1, end: 640),
        ])
        first.close()
        let second = try scratch.open()
        _ = try second.store.commit([.sequencesReserved(conversation: 1, end: 1_280)])
        for number in UInt64(1)...50 {
            let row = Values.session(Int64(number), heads: [Values.head(1, 640 + number)])
            _ = try second.store.commit([.session(row)])
        }
        let files = try FilesOfDatabase(at: scratch.database)
        second.close()
        return (scratch, files)
    }

    /// Starts on these files; gives the epoch, the damage and the number of messages.
    private func start(_ scratch: Scratch, _ files: FilesOfDatabase) throws -> Start {
        try files.write()
        let opened = try scratch.open()
        defer { opened.close() }
        let recovered = try opened.store.recover()
        var messages = 0
        let damage = try opened.store.recoverSessions { _ in messages += 1 }
        #expect(damage.isEmpty)
        return Start(
            epoch: recovered.recovery.epoch,
            damage: recovered.damage.first,
            messages: messages
        )
    }

    private struct Start: Equatable {
        let epoch: Epoch?
        let damage: [DamageReport]
        let messages: Int

        static let sound = Start(epoch: Epoch(7), damage: [], messages: 50)
    }

    /// The length of the log's part that has commits.
    private func used(_ files: FilesOfDatabase) throws -> Int {
        let log = try #require(files.log)
        return try #require(log.lastIndex { $0 != 0 }) + 1
    }

    @Test func aSoundLogIsBelieved() throws {
        let (scratch, files) = try killed()
        #expect(try start(scratch, files) == .sound)
        // The zeros at the end hold nothing.
        var changed = files
        let used = try used(files)
        changed.log?[used + 5_000] ^= 1
        #expect(try start(scratch, changed) == .sound)
        changed.log = files.log?.prefix(used + 3 * 4_120)
        #expect(try start(scratch, changed) == .sound)
    }

    /// Flips in the header, in the first and the last frame and in between; seeds give the rest.
    @Test func aFlippedBitIsNoticedAndBeginsAnEpoch() throws {
        let (scratch, files) = try killed()
        let used = try used(files)
        var random = SeededRandom(seed: 11)
        let drawn = (0..<40).map { _ in Int.random(in: 0..<used, using: &random) }
        let chosen = [0, 9, 17, 21, 28, 32, 40, 44, 48, 60, used / 2, used - 4_120, used - 1]
        for byte in chosen + drawn {
            var changed = files
            changed.log?[byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let found = try start(scratch, changed)
            #expect(found.damage == [.logCut] && found.epoch == nil, "byte \(byte)")
            // Only the first start knows, and every start begins an epoch until one has.
            let again = try scratch.open()
            defer { again.close() }
            let recovered = try again.store.recover()
            #expect(recovered.damage.isEmpty && recovered.recovery.epoch == nil, "byte \(byte)")
        }
    }

    @Test func aShortOrMissingLogIsNoticed() throws {
        let (scratch, files) = try killed()
        let used = try used(files)
        for length in [0, 1, 31, 32, 4_152, used / 2, used - 4_120, used - 1, used] {
            var changed = files
            changed.log = files.log?.prefix(length)
            let found = try start(scratch, changed)
            #expect(found.damage == [.logCut] && found.epoch == nil, "length \(length)")
        }
        var changed = files
        changed.log = nil
        let found = try start(scratch, changed)
        #expect(found.damage == [.logCut] && found.epoch == nil)
    }

    /// Frames of an earlier round behind the end are no damage.
    @Test func aLogThatStartedOverIsBelieved() throws {
        let (scratch, _) = try killed()
        let opened = try scratch.open()
        _ = try opened.store.commit([.epoch(Epoch(8))])
        let envelope = Values.bytes(60_000, 1)
        for number in UInt64(1)...150 {
            let head = StoredHead(dot: Values.dot(2, number), envelope: envelope)
            _ = try opened.store.commit([.session(Values.session(60, heads: [head]))])
            _ = try opened.store.maintain()
        }
        let files = try FilesOfDatabase(at: scratch.database)
        opened.close()
        #expect(try #require(files.log).dropFirst(6_000_000).contains { $0 != 0 })
        let sound = Start(epoch: Epoch(8), damage: [], messages: 51)
        #expect(try start(scratch, files) == sound)
    }

    /// A view of a stopped node's directory says it as well, and changes nothing.
    @Test func aViewSaysIt() throws {
        let (scratch, files) = try killed()
        var changed = files
        changed.log?[40_000] ^= 1
        try changed.write()
        for _ in 0..<2 {
            #expect(try StoreView(of: scratch.database).recover().damage.first == [.logCut])
        }
        #expect(try start(scratch, files) == .sound)
    }
}
