import ParleyCore
import ParleyTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HandshakeTests {
    @Test func bothEndsKnowTheOtherKeyAndOneSecret() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let address = try server.listen()
        _ = try await client.connect(to: server, at: address)
        let ours = try #require(client.recorder.log.opened.first?.opening)
        let theirs = try #require(server.recorder.log.opened.first?.opening)
        #expect(ours.peerKey == server.identity.publicKey)
        #expect(theirs.peerKey == client.identity.publicKey)
        #expect(ours.exporter == theirs.exporter)
        #expect(ours.exporter != .zero)
        #expect(ours.isInitiator && !theirs.isInitiator)
        #expect(ours.remote == address)
        #expect(ours.local == theirs.remote)
        client.stop()
        server.stop()
    }

    @Test func eachConnectionHasASecretOfItsOwn() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let address = try server.listen()
        for _ in 0..<3 { _ = try await client.connect(to: server, at: address) }
        let secrets = Set(client.recorder.log.opened.map(\.opening.exporter))
        #expect(secrets.count == 3)
        client.stop()
        server.stop()
    }
}
