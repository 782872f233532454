import ParleyCore
import ParleyTransport
import TestSupport
import Testing

/// Every end of a connection is reported with its reason, and a clean close loses no bytes.
@Suite(.timeLimit(.minutes(5)))
struct ClosingTests {
    @Test func closingDeliversWhatWasQueued() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        let words = [UInt8](repeating: 9, count: 3 << 20)
        client.onLoop { transport in
            transport.send(words, to: link.here)
            transport.close(link.here)
        }
        let here = try await eventually("closed here") { client.recorder.log.closed[link.here] }
        let there = try await eventually("closed there") {
            server.recorder.log.closed[link.there]
        }
        #expect(here == .closedHere)
        #expect(there == .closedByPeer)
        #expect(server.recorder.log.received[link.there] == words)
        client.stop()
        server.stop()
    }

    @Test func lastWordsArriveThoughThePeerTalks() async throws {
        // The server floods the client without reading, so its bytes are in flight when the client
        // sends its last ones and closes.
        var flood = Recorder.Reaction()
        flood.drained = { $0.send([UInt8](repeating: 3, count: 64 << 10), to: $1) }
        let server = try TestNode(key: 1, reaction: flood)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        server.onLoop { $0.send([1], to: link.there) }
        try await eventually("a flood") {
            (client.recorder.log.receivedCount[link.here] ?? 0) > 1 << 20
        }
        client.onLoop { transport in
            transport.send(Array("goodbye".utf8), to: link.here)
            transport.close(link.here)
        }
        let there = try await eventually("closed there") {
            server.recorder.log.closed[link.there]
        }
        #expect(there == .closedByPeer)
        #expect(server.recorder.log.received[link.there] == Array("goodbye".utf8))
        client.stop()
        server.stop()
    }

    @Test func closingDoesNotWaitForEver() async throws {
        var settings = TransportSettings()
        settings.closeTimeout = .milliseconds(200)
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2, settings: settings)
        let link = try await client.connect(to: server, at: server.listen())
        server.onLoop { $0.pauseReading(from: link.there) }
        client.onLoop { transport in
            transport.send([UInt8](repeating: 9, count: 20 << 20), to: link.here)
            transport.close(link.here)
        }
        let here = try await eventually("closed here") { client.recorder.log.closed[link.here] }
        #expect(here == .closedHere)
        client.stop()
        server.stop()
    }

    @Test func bothMayCloseAtOnce() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        client.onLoop { $0.close(link.here) }
        server.onLoop { $0.close(link.there) }
        try await eventually("both ends") {
            client.recorder.log.closed[link.here] != nil
                && server.recorder.log.closed[link.there] != nil
        }
        client.stop()
        server.stop()
    }

    @Test func abortingIsNotToldHereAndIsACutThere() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let link = try await client.connect(to: server, at: server.listen())
        client.onLoop { $0.abort(link.here) }
        let there = try await eventually("closed there") {
            server.recorder.log.closed[link.there]
        }
        #expect(there == .reset)
        #expect(client.recorder.log.closed[link.here] == nil)
        client.stop()
        server.stop()
    }

    @Test func aStreamThatIsCutOffIsTruncated() async throws {
        let node = try TestNode(key: 1)
        let raw = try RawPeer(port: node.listen().port)
        let peer = try HandmadeTLS(raw)
        #expect(peer.handshake())
        #expect(peer.send([1, 2, 3]))
        raw.endSending()
        #expect(try await reason(node) == .truncated)
        #expect(node.recorder.log.received.values.first == [1, 2, 3])
        node.stop()
    }

    @Test func aClosingRecordIsAGoodEnd() async throws {
        let node = try TestNode(key: 1)
        let peer = try HandmadeTLS(RawPeer(port: node.listen().port))
        #expect(peer.handshake())
        #expect(peer.send([1, 2, 3]))
        peer.sendEnd()
        #expect(try await reason(node) == .closedByPeer)
        #expect(node.recorder.log.received.values.first == [1, 2, 3])
        #expect(peer.readToEnd().isEmpty)
        node.stop()
    }

    @Test func changedBytesAreCorruption() async throws {
        let node = try TestNode(key: 1)
        let raw = try RawPeer(port: node.listen().port)
        let peer = try HandmadeTLS(raw)
        #expect(peer.handshake())
        // This record of application data was not sealed under a key of this connection.
        raw.send([0x17, 0x03, 0x03, 0x00, 0x20] + [UInt8](repeating: 5, count: 32))
        #expect(try await reason(node) == .corrupted)
        #expect(node.recorder.log.received.isEmpty)
        node.stop()
    }

    @Test func lastWordsAreReadThoughWritingFails() async throws {
        let node = try TestNode(key: 1)
        let raw = try RawPeer(port: node.listen().port)
        let peer = try HandmadeTLS(raw)
        #expect(peer.handshake())
        let id = try await eventually("open") { node.recorder.log.opened.first?.id }
        // The node is blocked while the peer sends and resets; afterwards the node writes before it
        // reads.
        node.onLoop { transport in
            #expect(peer.send(Array("goodbye".utf8)))
            raw.cut()
            transport.send([1], to: id)
            transport.flush()
            transport.send([2], to: id)
            transport.flush()
        }
        let ending = try await reason(node)
        #expect(ending == .reset)
        #expect(node.recorder.log.received[id] == Array("goodbye".utf8))
        node.stop()
    }

    @Test func aCutIsSeenAfterReadingWasPaused() async throws {
        let node = try TestNode(key: 1)
        let raw = try RawPeer(port: node.listen().port)
        let peer = try HandmadeTLS(raw)
        #expect(peer.handshake())
        let id = try await eventually("open") { node.recorder.log.opened.first?.id }
        node.onLoop { $0.pauseReading(from: id) }
        for _ in 0..<5 { #expect(peer.send([UInt8](repeating: 4, count: 1_000))) }
        raw.cut()
        node.onLoop { $0.resumeReading(from: id) }
        #expect(try await reason(node) == .reset)
        #expect(node.recorder.log.receivedCount[id] == 5_000)
        node.stop()
    }

    @Test func twoHundredConnectionsLeaveNoDescriptor() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let address = try server.listen()
        let warmUp = try await client.connect(to: server, at: address)
        client.onLoop { $0.abort(warmUp.here) }
        let before = openSockets()
        for round in 0..<200 {
            let link = try await client.connect(to: server, at: address)
            client.onLoop { transport in
                transport.send([1], to: link.here)
                if round.isMultiple(of: 2) {
                    transport.close(link.here)
                } else {
                    transport.abort(link.here)
                }
            }
            try await eventually("closed there") {
                server.recorder.log.closed[link.there] != nil
            }
        }
        client.stop()
        server.stop()
        // Other tests of this process open and close their own sockets, so this polls.
        try await eventually("descriptors are back") { openSockets() <= before }
    }

    private func reason(_ node: TestNode) async throws -> TransportError {
        try await eventually("the node closes") { node.recorder.log.closed.values.first }
    }
}
