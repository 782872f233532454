import Dispatch
import ParleyCore
import ParleyLoop
import ParleyTransport
import Synchronization
import TestSupport
import Testing

/// Input that is expensive for its bytes is bounded for each turn, or not allowed at all.
@Suite(.timeLimit(.minutes(5)))
struct WorkTests {
    // MARK: Forbidden input

    @Test func aRequestedKeyUpdateEndsTheConnection() async throws {
        let node = try TestNode(key: 1)
        let peer = try HandmadeTLS(RawPeer(port: node.listen().port))
        #expect(peer.handshake())
        for _ in 0..<2_000 { #expect(peer.send([1])) }
        #expect(peer.updateKey(asks: true))
        #expect(try await reason(node) == .violation("a request to change the key"))
        node.stop()
    }

    @Test(arguments: [(0, false), (1_023, false), (1_024, true)])
    func aKeyIsChangedRarely(records: Int, isAllowed: Bool) async throws {
        let node = try TestNode(key: 1)
        let peer = try HandmadeTLS(RawPeer(port: node.listen().port))
        #expect(peer.handshake())
        // The records of the handshake count as well, so the first update is not the one to test.
        for _ in 0..<1_024 { #expect(peer.send([1])) }
        #expect(peer.updateKey(asks: false))
        // The update is the first record under the new key.
        for _ in 1..<max(records, 1) { #expect(peer.send([2])) }
        #expect(peer.updateKey(asks: false))
        _ = peer.send([3])
        if isAllowed {
            try await eventually("the byte under the third key") {
                node.recorder.log.received.values.first?.last == 3
            }
        } else {
            let reason = try await reason(node)
            #expect(reason == .violation("key updates that follow too closely"))
        }
        node.stop()
    }

    @Test(arguments: [(14, true), (15, false)])
    func aServerSendsFewTickets(count: Int, isAllowed: Bool) async throws {
        let node = try TestNode(key: 1)
        let listener = try RawListener()
        _ = node.onLoop { $0.dial([.address(listener.address)]) }
        // OpenSSL sends two tickets by itself.
        let peer = try HandmadeTLS(listener.accept(), isServer: true)
        #expect(peer.handshake())
        for _ in 0..<count { #expect(peer.sendTicket()) }
        _ = peer.send([1])
        if isAllowed {
            try await eventually("a byte") { node.recorder.log.received.values.first == [1] }
        } else {
            #expect(try await reason(node) == .violation("too many session tickets"))
        }
        node.stop()
    }

    private func reason(_ node: TestNode) async throws -> TransportError {
        try await eventually("the node closes") { node.recorder.log.closed.values.first }
    }

    // MARK: Turns

    /// 2,100 records of one byte arrive together, which is less than one read takes, and are opened
    /// in several turns; nothing is lost or changes its place.
    @Test func recordsBeyondATurnWait() async throws {
        let pieces = Mutex<[Int]>([])
        var reaction = Recorder.Reaction()
        reaction.received = { _, _, bytes in pieces.withLock { $0.append(bytes.count) } }
        let node = try TestNode(key: 1, reaction: reaction)
        let peer = try HandmadeTLS(RawPeer(port: node.listen().port))
        #expect(peer.handshake())
        let id = try await eventually("the node opens") { node.recorder.log.opened.first?.id }
        node.onLoop { $0.pauseReading(from: id) }
        let sent = (0..<2_100).map { UInt8(truncatingIfNeeded: $0 / 7) }
        for byte in sent { #expect(peer.send([byte])) }
        peer.sendEnd()
        node.onLoop { $0.resumeReading(from: id) }
        #expect(try await reason(node) == .closedByPeer)
        #expect(node.recorder.log.received[id] == sent)
        let counts = pieces.withLock { $0 }
        #expect(counts.count >= 3)
        // The header of one more record may have been read in the turn before.
        #expect(counts.allSatisfy { $0 <= Work.perTurn + 1 })
        node.stop()
    }

    /// However many connections have used up their turns, whatever else the loop has to do waits
    /// for the turn of one of them, and not for those of all.
    @Test func allExpensivePeersShareOneTurn() async throws {
        struct Seen {
            var turns: [ConnectionID: Int] = [:]
            /// The turns since the other work was asked for, and how much of that is done.
            var turnsSince = 0
            var done = 0
        }
        let seen = Mutex(Seen())
        var reaction = Recorder.Reaction()
        reaction.keepsBytes = false
        reaction.received = { transport, id, _ in
            seen.withLock { seen in
                seen.turns[id, default: 0] += 1
                seen.turnsSince += 1
            }
            transport.charge(id, work: Work.perTurn, isUnfinished: true)
        }
        let node = try TestNode(key: 1, reaction: reaction)
        let port = try node.listen().port
        let peers = try (0..<16).map { _ in try HandmadeTLS(RawPeer(port: port)) }
        for peer in peers {
            #expect(peer.handshake())
            #expect(peer.send([1]))
        }
        try await eventually("two turns of each") {
            let turns = seen.withLock { $0.turns }
            return turns.count == 16 && turns.values.allSatisfy { $0 >= 2 }
        }
        let queue = node.executor.queue
        let between = Mutex(0)
        node.onLoop { _ in
            seen.withLock { $0.turnsSince = 0 }
            for _ in 0..<32 {
                queue.async {
                    let turns = seen.withLock { seen in
                        seen.done += 1
                        return seen.turnsSince
                    }
                    between.withLock { $0 = turns }
                }
            }
        }
        try await eventually("the other work") { seen.withLock { $0.done == 32 } }
        #expect(between.withLock { $0 } <= 1, "only the turn that was due already")
        node.stop()
    }
}
