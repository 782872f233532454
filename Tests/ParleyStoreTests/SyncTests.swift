import Foundation
import ParleyCore
import ParleyStore
import TestSupport
import Testing

/// Transactions are written while others are synced, and nothing counts before it is on disk.
@Suite(.timeLimit(.minutes(5))) struct SyncTests {
    /// A node whose first transaction is being synced.
    private func nodeThatSyncs(_ store: FaultyStore) -> QueueOnLoop {
        store.plan { $0.isSyncGated = true }
        let node = QueueOnLoop(store)
        node.submit(ticket: 1, writes: [.epoch(Epoch(1))])
        store.syncBegan.wait()
        return node
    }

    @Test func writesTheNextTransactionWhileItSyncs() async throws {
        let store = FaultyStore()
        let node = nodeThatSyncs(store)
        node.submit(ticket: 2, writes: [.epoch(Epoch(2))])
        try await eventually("second write") { store.calls == ["write 1", "sync", "write 1"] }
        // These wait for the first sync, and become one transaction.
        node.submit(ticket: 3, writes: [.epoch(Epoch(3))])
        node.submit(ticket: 4, writes: [.epoch(Epoch(4))])
        store.plan { $0.isSyncGated = false }
        store.syncGate.signal()
        #expect(await node.report() == .committed(through: 1, .none))
        #expect(await node.committed(4) == 4)
        #expect(store.calls.count { $0 == "write 1" } == 3)
        await node.stop()
    }

    /// The error may be any: pages that were not synced may be lost, also if the disk was full.
    @Test(arguments: [StoreError.io(path: "p", detail: "fsync"), .full(path: "p")])
    func writesAgainWhatWasNotSynced(error: StoreError) async throws {
        let store = FaultyStore()
        store.plan { $0.syncErrors = [error] }
        let node = nodeThatSyncs(store)
        node.submit(ticket: 2, writes: [.conversation(Values.conversation(1))])
        try await eventually("second write") { store.calls == ["write 1", "sync", "write 1"] }
        store.plan { $0.isSyncGated = false }
        store.syncGate.signal()
        #expect(await node.report() == .blocked(through: 2, error))
        node.queue.retry()
        #expect(await node.report() == .unblocked)
        #expect(await node.report() == .committed(through: 2, .none))
        #expect(store.calls.suffix(3) == ["reopen", "write 2", "sync"])
        await node.stop()
    }

    @Test func reportsWhatIsSyncedBeforeAFailureToWriteMore() async throws {
        let store = FaultyStore()
        let node = nodeThatSyncs(store)
        store.plan { $0.writeErrors = [.full(path: "p")] }
        node.submit(ticket: 2, writes: [.epoch(Epoch(2))])
        try await eventually("second write") { store.calls == ["write 1", "sync", "write 1"] }
        store.plan { $0.isSyncGated = false }
        store.syncGate.signal()
        #expect(await node.report() == .committed(through: 1, .none))
        #expect(await node.report() == .blocked(through: 2, .full(path: "p")))
        node.queue.retry()
        #expect(await node.report() == .unblocked)
        #expect(await node.report() == .committed(through: 2, .none))
        await node.stop()
    }

    /// All reported writes are on disk after any failures in any order, and at last all writes.
    @Test(arguments: 0..<60) func whatWasReportedIsOnDisk(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let store = LossyStore(seed: seed)
        let node = QueueOnLoop(store, retryMilliseconds: 1)
        node.submit(ticket: 1, writes: [.conversation(Values.conversation(1))])
        var ticket: UInt64 = 1
        var reported: UInt64 = 0
        var isBlocked = false
        while reported < 200 {
            for _ in 0..<Int.random(in: 0...8, using: &random) where ticket < 200 {
                ticket += 1
                let row = Values.session(Int64(ticket % 17), heads: [Values.head(1, ticket)])
                node.submit(ticket: ticket, writes: [.session(row)])
            }
            guard reported < ticket else { continue }
            switch try #require(await node.report()) {
            case .committed(let through, _):
                #expect(!isBlocked && through > reported)
                reported = through
                try expectAll(through: reported, in: store.durable())
            case .blocked: isBlocked = true
            case .unblocked: isBlocked = false
            }
        }
        #expect(store.problems == [])
        await node.stop()
    }

    /// Stopping while calls fail makes one more attempt, and leaves the store alone after that.
    @Test(arguments: 0..<60) func theStoreIsClosedOnceAllWorkHasEnded(seed: UInt64) async throws {
        let store = LossyStore(seed: seed)
        let node = QueueOnLoop(store, retryMilliseconds: 1)
        node.submit(ticket: 1, writes: [.conversation(Values.conversation(1))])
        for ticket in 2...(2 + seed % 20) {
            let row = Values.session(Int64(ticket), heads: [Values.head(1, ticket)])
            node.submit(ticket: ticket, writes: [.session(row)])
        }
        await node.stop()
        node.queue.retry()
        // Nothing may happen any more, and for that there is nothing to wait for.
        try await Task.sleep(for: .milliseconds(5))
        #expect(store.problems == [])
    }

    /// An error in either lane is followed by one more attempt, and then by the end.
    @Test(arguments: [true, false], [StoreError.io(path: "p", detail: "x"), .full(path: "p")])
    func oneMoreAttemptIsMadeAtTheEnd(isSyncing: Bool, error: StoreError) async throws {
        let store = FaultyStore()
        let node = isSyncing ? nodeThatSyncs(store) : QueueOnLoop(store)
        store.plan { script in
            script.isGated = true
            script.writeErrors = [error]
        }
        node.submit(ticket: 2, writes: [.epoch(Epoch(2))])
        store.began.wait()
        async let end: Void = node.stop()
        try await eventually("stop") { node.isStopping }
        store.plan { script in
            script.isGated = false
            script.isSyncGated = false
        }
        store.gate.signal()
        store.syncGate.signal()
        await end
        let before = isSyncing ? ["write 1", "sync", "write 1"] : ["write 1"]
        let reopening = error.needsReopening ? ["reopen"] : []
        #expect(store.calls == before + reopening + ["write 1", "sync", "close"])
    }

    /// The log is copied into the database however busy both lanes are.
    @Test func theStoreIsMaintainedUnderLoad() async {
        let store = FaultyStore()
        store.plan { $0.writeMicroseconds = 300 }
        let node = QueueOnLoop(store)
        var ticket: UInt64 = 0
        // On a busy machine many messages become one transaction.
        while store.calls.count(where: { $0 == "write 1" }) < 30 {
            ticket += 1
            node.submit(ticket: ticket, writes: [.epoch(Epoch(ticket))])
            // The load: a message every 100 microseconds.
            usleep(100)
        }
        #expect(await node.committed(ticket) == ticket)
        let writes = store.calls.count { $0 == "write 1" }
        #expect(store.maintenances >= writes - 1)
        await node.stop()
    }

    private func expectAll(through ticket: UInt64, in store: MemoryStore) throws {
        for number in 2...max(2, ticket) where number <= ticket {
            let head = try store.heads(ofRow: Int64(number % 17)).first
            #expect(head?.dot.sequence ?? 0 >= number, "ticket \(number) is not on disk")
        }
    }

    /// After a sync the kernel has no page of the log that is not on disk.
    @Test(.enabled(if: DirtyPages.areCounted, "needs cachestat, and a file system on a disk"))
    func aSyncLeavesNoDirtyPage() throws {
        let scratch = try Scratch()
        let opened = try scratch.open()
        defer { opened.close() }
        _ = try opened.store.commit([.conversation(Values.conversation(1))])
        let log = scratch.database + "-wal"
        let row = Values.session(1, heads: [Values.head(1, 1, bytes: 60_000)])
        _ = try opened.store.write([.session(row)])
        #expect(DirtyPages.count(of: log) ?? 0 > 0)
        try opened.store.sync()
        #expect(DirtyPages.count(of: log) == 0)
    }
}
