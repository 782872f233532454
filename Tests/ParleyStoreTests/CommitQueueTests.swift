import Dispatch
import ParleyCore
import ParleyStore
import Testing

/// Group commit: its reports, their order, and the handling of errors.
@Suite(.timeLimit(.minutes(5))) struct CommitQueueTests {
    @Test func commitsTogetherWhatArrivedMeanwhile() async {
        let store = FaultyStore()
        store.plan { $0.isGated = true }
        let node = QueueOnLoop(store)
        node.submit(ticket: 1, writes: [.epoch(Epoch(1))])
        store.began.wait()
        store.plan { $0.isGated = false }
        for ticket in UInt64(2)...100 {
            let address = StoreWrite.address(device: Values.device(1), text: "h:\(ticket)")
            node.submit(ticket: ticket, writes: [address, .epoch(Epoch(ticket))])
        }
        store.gate.signal()
        #expect(await node.committed(100) == 100)
        // 99 addresses and one epoch.
        #expect(store.calls.filter { $0 != "sync" } == ["write 1", "write 100"])
        await node.stop()
    }

    @Test func reportsTicketsWithoutWrites() async {
        let node = QueueOnLoop(MemoryStore())
        node.submit(ticket: 7, writes: [])
        #expect(await node.report() == .committed(through: 7, .none))
        await node.stop()
    }

    @Test func keepsWhatFailedAndTriesAgain() async throws {
        let store = FaultyStore()
        store.plan { $0.writeErrors = [.full(path: "p"), .full(path: "p")] }
        let node = QueueOnLoop(store)
        node.submit(ticket: 1, writes: [.conversation(Values.conversation(1))])
        #expect(await node.report() == .blocked(through: 1, .full(path: "p")))
        let row = Values.session(1, heads: [Values.head(1, 1)])
        node.submit(ticket: 2, writes: [.session(row)])
        node.queue.retry()
        #expect(await node.report() == .blocked(through: 2, .full(path: "p")))
        node.queue.retry()
        #expect(await node.report() == .unblocked)
        #expect(await node.report() == .committed(through: 2, .none))
        #expect(try store.heads(ofRow: 1) == row.heads)
        #expect(!store.calls.contains("reopen"))
        await node.stop()
    }

    @Test func triesAgainByItself() async {
        let store = FaultyStore()
        store.plan { $0.writeErrors = [.locked(path: "p"), .full(path: "p")] }
        let node = QueueOnLoop(store, retryMilliseconds: 1)
        node.submit(ticket: 1, writes: [.epoch(Epoch(1))])
        #expect(await node.report() == .blocked(through: 1, .locked(path: "p")))
        #expect(await node.report() == .blocked(through: 1, .full(path: "p")))
        #expect(await node.report() == .unblocked)
        #expect(await node.report() == .committed(through: 1, .none))
        await node.stop()
    }

    @Test func opensAnewBeforeAnythingIsAcknowledgedAfterAnIOError() async {
        let store = FaultyStore()
        let error = StoreError.io(path: "p", detail: "fsync")
        store.plan { script in
            script.writeErrors = [error]
            script.reopenErrors = [.corrupt(path: "p", detail: "page 3")]
        }
        let node = QueueOnLoop(store)
        node.submit(ticket: 1, writes: [.epoch(Epoch(1))])
        #expect(await node.report() == .blocked(through: 1, error))
        node.queue.retry()
        let corrupt = StoreError.corrupt(path: "p", detail: "page 3")
        #expect(await node.report() == .blocked(through: 1, corrupt))
        node.queue.retry()
        #expect(await node.report() == .unblocked)
        #expect(await node.report() == .committed(through: 1, .none))
        #expect(store.calls == ["write 1", "reopen", "reopen", "write 1", "sync"])
        await node.stop()
    }

    @Test func opensAnewAfterAFailedCopyOfTheLog() async {
        let store = FaultyStore()
        let error = StoreError.io(path: "p", detail: "fsync")
        store.plan { $0.maintainErrors = [error] }
        let node = QueueOnLoop(store)
        node.submit(ticket: 1, writes: [.epoch(Epoch(1))])
        #expect(await node.report() == .committed(through: 1, .none))
        #expect(await node.report() == .blocked(through: 1, error))
        node.queue.retry()
        #expect(await node.report() == .unblocked)
        node.submit(ticket: 2, writes: [.epoch(Epoch(2))])
        #expect(await node.report() == .committed(through: 2, .none))
        #expect(store.calls == ["write 1", "sync", "reopen", "write 1", "sync"])
        await node.stop()
    }

    @Test func commitsToMemoryAndReportsBeforeTheCallReturns() async throws {
        let store = MemoryStore()
        let node = QueueOnLoop(store)
        let row = Values.session(1, heads: [Values.head(1, 1)])
        let writes: [StoreWrite] = [.conversation(Values.conversation(1)), .session(row)]
        #expect(node.submit(ticket: 1, writes: writes) == 1)
        #expect(try store.heads(ofRow: 1) == row.heads)
        #expect(await node.report() == .committed(through: 1, .none))
        await node.stop()
        node.submit(ticket: 2, writes: [.session(Values.session(2, heads: []))])
        #expect(try store.heads(ofRow: 2) == [], "it has stopped")
    }

    @Test func passesDamageReportsOn() async {
        let node = QueueOnLoop(FaultyStore())
        let lost = StoredHead(dot: Values.dot(1, 1), envelope: nil)
        let row = Values.session(1, heads: [lost])
        node.submit(
            ticket: 1,
            writes: [.conversation(Values.conversation(1)), .session(row), .session(row)]
        )
        guard case .committed(1, let damage)? = await node.report() else {
            Issue.record("not committed")
            return
        }
        #expect(damage.first == [.bytesMissing(row: 1, dot: Values.dot(1, 1))])
        await node.stop()
    }

    @Test(arguments: StoreKind.allCases)
    func readsWhatWasCommitted(kind: StoreKind) async throws {
        let stored = try Restartable(kind)
        let node = QueueOnLoop(stored.store)
        let chunk = Values.bytes(65_536, 1)
        var writes: [StoreWrite] = [.conversation(Values.conversation(1))]
        writes.append(.blobChunk(Values.blob(1), index: 0, chunks: 1, chunk))
        node.submit(ticket: 1, writes: writes)
        for number in UInt64(2)...200 {
            let head = Values.head(1, number)
            let row = Values.session(Int64(number % 10), heads: [head])
            node.submit(ticket: number, writes: [.session(row)])
            #expect(await node.committed(number) == number)
            let heads = await withCheckedContinuation { continuation in
                node.queue.heads(ofRow: row.row) { continuation.resume(returning: $0) }
            }
            #expect(heads == .success([head]))
        }
        let bytes = await withCheckedContinuation { continuation in
            node.queue.blobBytes(Values.blob(1)) { continuation.resume(returning: $0) }
        }
        let none = await withCheckedContinuation { continuation in
            node.queue.blobChunk(Values.blob(1), index: 1) { continuation.resume(returning: $0) }
        }
        #expect(bytes == .success(.whole(chunk)))
        #expect(none == .success(nil))
        await node.stop()
    }

    @Test func answersReadsInOrderAndAll() async {
        let node = QueueOnLoop(MemoryStore())
        let rows = AsyncStream<Int64> { continuation in
            for row in Int64(1)...1_000 {
                node.queue.heads(ofRow: row) { _ in
                    continuation.yield(row)
                    if row == 1_000 { continuation.finish() }
                }
            }
        }
        var seen: [Int64] = []
        for await row in rows { seen.append(row) }
        #expect(seen == Array(1...1_000))
        await node.stop()
    }

    /// Each read gets the results of its own rows, also when others were read along with it.
    @Test(arguments: StoreKind.allCases)
    func answersReadsOfSeveralRows(kind: StoreKind) async throws {
        let stored = try Restartable(kind)
        let node = QueueOnLoop(stored.store)
        var writes: [StoreWrite] = [.conversation(Values.conversation(1))]
        for row in 1...90 {
            let head = Values.head(1, UInt64(row))
            writes.append(.session(Values.session(Int64(row), heads: [head])))
        }
        node.submit(ticket: 1, writes: writes)
        #expect(await node.committed(1) == 1)
        let groups: [[Int64]] = [[3, 1, 99], [], [2], Array(4...90), [1]]
        let answers = AsyncStream<(group: Int, heads: [Few<StoredHead>])> { continuation in
            for (group, rows) in groups.enumerated() {
                node.queue.heads(ofRows: rows) { results in
                    continuation.yield((group, results.compactMap { try? $0.get() }))
                    if group == groups.count - 1 { continuation.finish() }
                }
            }
        }
        var seen = 0
        for await answer in answers {
            #expect(answer.group == seen)
            let expected = groups[answer.group].map { row -> Few<StoredHead> in
                row > 90 ? [] : [Values.head(1, UInt64(row))]
            }
            #expect(answer.heads == expected)
            seen += 1
        }
        #expect(seen == groups.count)
        await node.stop()
    }

    /// A disk that fails for a moment takes nothing away, and what is damaged is not waited for.
    @Test func readsAgainWhatItCannotReadForNow() async throws {
        let store = FaultyStore()
        let node = QueueOnLoop(store, retryMilliseconds: 1)
        let sessions = [1, 2].map { row in
            Values.session(Int64(row), heads: [Values.head(1, UInt64(row))])
        }
        let conversation = StoreWrite.conversation(Values.conversation(1))
        node.submit(ticket: 1, writes: [conversation] + sessions.map { .session($0) })
        #expect(await node.committed(1) == 1)
        let errors: [StoreError] = [.io(path: "p", detail: ""), .damaged(row: "2"), .closed]
        store.plan { $0.readErrors = errors }
        let answers = AsyncStream<[HeadsOfRow]> { continuation in
            node.queue.headsRetrying(ofRows: [1, 2]) { continuation.yield($0) }
        }
        var seen: [HeadsOfRow] = []
        for await answer in answers {
            seen += answer
            if seen.filter(\.isFinal).count == 2 { break }
        }
        #expect(seen.map(\.row) == [1, 2, 1, 1])
        #expect(seen.map(\.isFinal) == [false, true, false, true])
        #expect(seen.prefix(3).map(\.result) == errors.map { .failure($0) })
        #expect(seen.last?.result == .success(sessions[0].heads))
        await node.stop()
    }

    /// Else one bad sector would hold up all that follows it in its conversation.
    @Test func givesUpARowThatCanNeverBeRead() async throws {
        let store = FaultyStore()
        let node = QueueOnLoop(store, retryMilliseconds: 1)
        let error = StoreError.io(path: "p", detail: "")
        store.plan { $0.readErrors = Array(repeating: error, count: 100) }
        let answers = AsyncStream<[HeadsOfRow]> { continuation in
            node.queue.headsRetrying(ofRows: [1]) { continuation.yield($0) }
        }
        var seen: [HeadsOfRow] = []
        for await answer in answers {
            seen += answer
            if seen.last?.isFinal == true { break }
        }
        #expect(seen.count == CommitQueue.readsMax)
        #expect(seen.last?.result == .failure(error))
        await node.stop()
    }

    @Test func commitsWhatWasSubmittedBeforeItStops() async throws {
        let stored = try Restartable(.sqlite)
        let node = QueueOnLoop(stored.store)
        node.submit(ticket: 1, writes: [.conversation(Values.conversation(1))])
        for ticket in UInt64(2)...500 {
            let row = Values.session(Int64(ticket), heads: [Values.head(1, ticket)])
            node.submit(ticket: ticket, writes: [.session(row)])
        }
        await node.stop()
        node.submit(ticket: 501, writes: [.epoch(Epoch(1))])
        let late = await withCheckedContinuation { continuation in
            node.queue.heads(ofRow: 2) { continuation.resume(returning: $0) }
        }
        #expect(late == .failure(.closed))
        try stored.restart()
        let contents = try stored.contents()
        #expect(contents.sessions.count == 499)
        #expect(contents.recovery.epoch == nil)
    }
}
