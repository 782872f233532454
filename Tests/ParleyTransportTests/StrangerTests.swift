import ParleyCore
import ParleyTransport
import TestSupport
import Testing

/// A peer that violates the rules of TLS is refused with the right reason and has no other effect.
@Suite(.timeLimit(.minutes(5)))
struct StrangerTests {
    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "hello", "\u{16}", "SSH-2.0-OpenSSH_9.2\r\n"])
    func plainTextIsNotTLS(text: String) async throws {
        let node = try TestNode(key: 1)
        let peer = try RawPeer(port: node.listen().port)
        peer.send(text)
        // A single 0x16 could be the start of TLS; only the next byte decides.
        if text.utf8.count == 1 { peer.send("x") }
        #expect(try await reason(node) == .notTLS)
        _ = peer.readToEnd()
        node.stop()
    }

    @Test(arguments: 0..<UInt64(40))
    func randomBytesAreRefused(seed: UInt64) async throws {
        let node = try TestNode(key: 1)
        let peer = try RawPeer(port: node.listen().port)
        var random = SeededRandom(seed: seed)
        var bytes = (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        // The bytes range from pure noise to data that begins like a handshake record.
        let head: [UInt8] = [0x16, 0x03, 0x01, 0x00, 0xc8, 0x01, 0x00, 0x00, 0xc4, 0x03, 0x03]
        let kept = Int(seed) % (head.count + 1)
        bytes.replaceSubrange(..<kept, with: head[..<kept])
        peer.send(bytes)
        peer.endSending()
        _ = try await reason(node)
        #expect(node.recorder.log.opened.isEmpty)
        node.stop()
    }

    @Test func otherProtocolIsRefused() async throws {
        #expect(try await reason(HandmadeTLS.Rules(protocols: ["h2"])) == .wrongProtocol)
    }

    @Test func noProtocolIsRefused() async throws {
        #expect(try await reason(HandmadeTLS.Rules(protocols: [])) == .wrongProtocol)
    }

    @Test func noCertificateIsRefused() async throws {
        let rules = HandmadeTLS.Rules(certificate: .none)
        #expect(try await reason(rules) == .noPeerCertificate)
    }

    @Test func otherKeysAreRefused() async throws {
        let rules = HandmadeTLS.Rules(certificate: .ecdsa)
        #expect(try await reason(rules) == .notEd25519)
    }

    @Test func chainsAreRefused() async throws {
        #expect(try await reason(HandmadeTLS.Rules(chainLength: 2)) == .certificateChain)
    }

    @Test func olderVersionsAreRefused() async throws {
        #expect(try await reason(HandmadeTLS.Rules(isTLS12: true)) == .wrongVersion)
    }

    @Test func keptRulesAreWelcome() async throws {
        let node = try TestNode(key: 1)
        let peer = try HandmadeTLS(RawPeer(port: node.listen().port))
        #expect(peer.handshake())
        try await eventually("the node opens") { !node.recorder.log.opened.isEmpty }
        #expect(peer.send([1, 2, 3]))
        try await eventually("three bytes") {
            node.recorder.log.received.values.first == [1, 2, 3]
        }
        node.stop()
    }

    @Test func silenceEndsAtTheDeadline() async throws {
        var settings = TransportSettings()
        settings.handshakeTimeout = .milliseconds(200)
        let node = try TestNode(key: 1, settings: settings)
        let begin = ContinuousClock.now
        let peer = try RawPeer(port: node.listen().port)
        // The peer sends half a record, so that TLS waits for the rest.
        peer.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
        #expect(try await reason(node) == .handshakeTimeout)
        #expect(ContinuousClock.now - begin >= .milliseconds(200))
        _ = peer.readToEnd()
        node.stop()
    }

    @Test func whoIsNotAdmittedIsTurnedAway() async throws {
        var reaction = Recorder.Reaction()
        reaction.admits = { _ in false }
        let node = try TestNode(key: 1, reaction: reaction)
        let peer = try RawPeer(port: node.listen().port)
        #expect(peer.readToEnd() == [])
        #expect(node.onLoop { $0.counters.turnedAway } == 1)
        #expect(node.recorder.log.closed.isEmpty)
        node.stop()
    }

    @Test func plainTextServerIsNotTLS() async throws {
        #expect(try await dialReason { $0.send("220 mail ready\r\n") } == .notTLS)
    }

    @Test func silentServerEndsAtTheDeadline() async throws {
        #expect(try await dialReason { _ in } == .handshakeTimeout)
    }

    @Test func serverThatHangsUpIsTruncated() async throws {
        #expect(try await dialReason { $0.endSending() } == .truncated)
    }

    @Test func serverWithAnotherKeyIsRefused() async throws {
        let reason = try await dialReason { peer in
            let tls = try HandmadeTLS(peer, .init(certificate: .ecdsa), isServer: true)
            #expect(!tls.handshake())
        }
        #expect(reason == .notEd25519)
    }

    @Test func serverWithoutProtocolIsRefused() async throws {
        // A server without ALPN ignores the protocols that the client offers.
        let reason = try await dialReason { peer in
            let tls = try HandmadeTLS(peer, .init(protocols: []), isServer: true)
            _ = tls.handshake()
        }
        #expect(reason == .wrongProtocol)
    }

    /// The reason with which `node` closed its only connection.
    private func reason(_ node: TestNode) async throws -> TransportError {
        try await eventually("the node closes") { node.recorder.log.closed.values.first }
    }

    /// A client that only connects and closes violates nothing, so nobody has to be warned of it.
    @Test(arguments: [
        ("", false), ("GET / HTTP/1.1\r\n\r\n", true),
    ])
    func onlyViolationsAreWorthAWarning(text: String, isViolation: Bool) async throws {
        let node = try TestNode(key: 1)
        let peer = try RawPeer(port: node.listen().port)
        if !text.isEmpty { peer.send(text) }
        peer.endSending()
        #expect(try await reason(node).isViolation == isViolation)
        node.stop()
    }

    /// The reason with which a node refuses a client that follows `rules`.
    private func reason(_ rules: HandmadeTLS.Rules) async throws -> TransportError {
        let node = try TestNode(key: 1)
        let peer = try HandmadeTLS(RawPeer(port: node.listen().port), rules)
        if peer.handshake() { #expect(peer.readToEnd().isEmpty) }
        let reason = try await reason(node)
        #expect(node.recorder.log.opened.isEmpty)
        #expect(node.onLoop { $0.counters.handshakesFailed } == 1)
        node.stop()
        return reason
    }

    /// The reason for which a node gives up on a server that runs `serve` on an accepted
    /// connection.
    private func dialReason(_ serve: (RawPeer) throws -> Void) async throws -> TransportError {
        var settings = TransportSettings()
        settings.handshakeTimeout = .milliseconds(500)
        let node = try TestNode(key: 1, settings: settings)
        let listener = try RawListener()
        let dial = node.onLoop { $0.dial([.address(listener.address)]) }
        let peer = try listener.accept()
        try serve(peer)
        let failures = try await eventually("the dial fails") { node.recorder.log.failures[dial] }
        #expect(node.recorder.log.opened.isEmpty)
        #expect(failures.count == 1)
        node.stop()
        return try #require(failures.first).reason
    }
}
