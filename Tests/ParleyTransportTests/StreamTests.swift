import ParleyCore
import ParleyTransport
import Synchronization
import TestSupport
import Testing

/// Bytes arrive completely and in order, in few records, and do not accumulate.
@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func tenMegabytesComeBack(seed: UInt64) async throws {
        var echo = Recorder.Reaction()
        echo.received = { $0.send($2.bytes, to: $1) }
        let server = try TestNode(key: 1, reaction: echo)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        var random = SeededRandom(seed: seed)
        let sent = (0..<10 << 20).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var rest = sent[...]
        while !rest.isEmpty {
            let size = 1 << Int.random(in: 0...19, using: &random)
            let part = Array(rest.prefix(Int.random(in: 1...size, using: &random)))
            rest = rest.dropFirst(part.count)
            client.onLoop { $0.send(part, to: link.here) }
        }
        try await eventually("all of it") {
            client.recorder.log.receivedCount[link.here] == sent.count
        }
        #expect(client.recorder.log.received[link.here] == sent)
        client.stop()
        server.stop()
    }

    @Test func manySmallSendsBecomeFewRecords() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        let before = client.onLoop { $0.counters }
        let message = [UInt8](repeating: 7, count: 300)
        client.onLoop { transport in
            for _ in 0..<1_000 { transport.send(message, to: link.here) }
        }
        try await eventually("all of it") {
            server.recorder.log.receivedCount[link.there] == 300_000
        }
        let after = client.onLoop { $0.counters }
        #expect(after.flushes - before.flushes == 1)
        // 300,000 bytes fill 18 records and part of another one.
        #expect(after.bytesSent - before.bytesSent == 300_000 + 19 * 22)
        client.stop()
        server.stop()
    }

    @Test func flushDoesNotWaitForTheEndOfTheIteration() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        let unwritten = client.onLoop { transport in
            transport.send([1, 2, 3], to: link.here)
            let queued = transport.unwrittenBytes(of: link.here)
            transport.flush()
            return [queued, transport.unwrittenBytes(of: link.here)]
        }
        #expect(unwritten == [3, 0])
        try await eventually("told afterwards") { client.recorder.log.drained[link.here] == 1 }
        client.stop()
        server.stop()
    }

    /// The peer's machine acknowledges what its process has not read, until its memory for that is
    /// full.
    @Test func unacknowledgedBytesAreKnown() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        server.onLoop { $0.pauseReading(from: link.there) }
        client.onLoop { $0.send([1, 2, 3], to: link.here) }
        let bytes = { client.onLoop { $0.unacknowledgedBytes(of: link.here) } }
        try await eventually("a little is acknowledged") { bytes() == 0 }
        let sent = 64 << 20
        client.onLoop { $0.send([UInt8](repeating: 7, count: sent), to: link.here) }
        try await eventually("the kernel has taken some of it") {
            client.onLoop { (1..<sent).contains($0.unwrittenBytes(of: link.here)) }
        }
        #expect(bytes() >= client.onLoop { $0.unwrittenBytes(of: link.here) })
        server.onLoop { $0.resumeReading(from: link.there) }
        try await eventually("all of it is acknowledged") { bytes() == 0 }
        // The kernel acknowledges bytes before the peer's process has read them.
        try await eventually("all of it is read") {
            server.recorder.log.receivedCount[link.there] == sent + 3
        }
        client.stop()
        server.stop()
        #expect(bytes() == 0)
    }

    /// Records that are sealed together are passed to the kernel together.
    @Test func recordsShareAWrite() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        let before = client.onLoop { $0.counters.writes }
        // Each piece is short of a record, so that records are made of several pieces, too.
        let piece = [UInt8](repeating: 7, count: 15_000)
        let sent = 40 * piece.count
        client.onLoop { transport in
            for _ in 0..<40 { transport.send(piece, to: link.here) }
        }
        try await eventually("all of it") {
            server.recorder.log.receivedCount[link.there] == sent
        }
        // 37 records in 13 calls, some of which the kernel may accept in parts.
        #expect(client.onLoop { $0.counters.writes } - before <= 30)
        client.stop()
        server.stop()
    }

    @Test func keysAreChangedOnTheWay() async throws {
        var settings = TransportSettings()
        settings.recordsPerKey = 10
        settings.recordsBetweenKeyUpdates = 1
        var echo = Recorder.Reaction()
        echo.received = { $0.send($2.bytes, to: $1) }
        let server = try TestNode(key: 1, settings: settings, reaction: echo)
        let client = try TestNode(key: 2, settings: settings)
        let link = try await client.connect(to: server, at: server.listen())
        let sent = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        for start in stride(from: 0, to: sent.count, by: 16 << 10) {
            let part = Array(sent[start..<start + (16 << 10)])
            client.onLoop { transport in
                transport.send(part, to: link.here)
                transport.flush()
            }
        }
        try await eventually("all of it") {
            client.recorder.log.receivedCount[link.here] == sent.count
        }
        #expect(client.recorder.log.received[link.here] == sent)
        // At least 64 records are sent, ten under each key. Fewer updates than 6 are possible
        // because one write may seal more records than fit under a key.
        #expect(client.onLoop { $0.counters.keyUpdates } >= 4)
        #expect(server.onLoop { $0.counters.keyUpdates } >= 1)
        client.stop()
        server.stop()
    }

    @Test func whoDoesNotReadHoldsTheSenderBack() async throws {
        let server = try TestNode(key: 1)
        // Like a node, the sender sends up to a limit and continues when it is drained.
        let limit = 256 << 10
        let handed = Mutex(0)
        let highest = Mutex(0)
        var reaction = Recorder.Reaction()
        let fill: @Sendable (Transport, ConnectionID) -> Void = { transport, id in
            while handed.withLock({ $0 < 32 << 20 }), transport.unwrittenBytes(of: id) < limit {
                transport.send([UInt8](repeating: 1, count: 16 << 10), to: id)
                handed.withLock { $0 += 16 << 10 }
            }
            let unwritten = transport.unwrittenBytes(of: id)
            highest.withLock { $0 = max($0, unwritten) }
        }
        reaction.drained = fill
        let client = try TestNode(key: 2, reaction: reaction)
        let link = try await client.connect(to: server, at: server.listen())
        server.onLoop { $0.pauseReading(from: link.there) }
        client.onLoop { fill($0, link.here) }
        try await eventually("the sender stands") {
            let before = handed.withLock { $0 }
            let waits = client.onLoop { $0.unwrittenBytes(of: link.here) }
            return before < 32 << 20 && waits > 0
        }
        #expect(server.recorder.log.receivedCount[link.there] == nil)
        server.onLoop { $0.resumeReading(from: link.there) }
        try await eventually("all of it") {
            server.recorder.log.receivedCount[link.there] == 32 << 20
        }
        // The bytes passed to `send`, plus at most the overhead of the records.
        #expect(highest.withLock { $0 } <= limit + 16 << 10 + 1 << 10)
        #expect(client.recorder.log.closed.isEmpty)
        client.stop()
        server.stop()
    }

    @Test func oneThatStandsDoesNotHoldOthersBack() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let address = try server.listen()
        let stands = try await client.connect(to: server, at: address)
        let runs = try await client.connect(to: server, at: address)
        server.onLoop { $0.pauseReading(from: stands.there) }
        let much = [UInt8](repeating: 1, count: 20 << 20)
        client.onLoop { $0.send(much, to: stands.here) }
        for _ in 0..<100 {
            client.onLoop { $0.send([2], to: runs.here) }
        }
        try await eventually("the other's bytes") {
            server.recorder.log.receivedCount[runs.there] == 100
        }
        #expect(client.onLoop { $0.unwrittenBytes(of: stands.here) } > 0)
        client.stop()
        server.stop()
    }

    @Test func sendingToWhoIsGoneDoesNothing() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        client.onLoop { transport in
            transport.abort(link.here)
            transport.send([1], to: link.here)
            transport.close(link.here)
            transport.pauseReading(from: link.here)
            transport.flush()
        }
        #expect(client.onLoop { $0.unwrittenBytes(of: link.here) } == 0)
        client.stop()
        server.stop()
    }
}
