import ParleyCore
import ParleyTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
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
        #expect(ours.dial != nil && theirs.dial == nil)
        #expect(ours.remote == address)
        #expect(theirs.remote.ip == address.ip)
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

    /// Exit handlers of libraries run while the loops still work.
    @Test func aProcessMayEndInTheMiddleOfHandshakes() async {
        for _ in 0..<5 {
            await #expect(processExitsWith: .success) {
                let server = try TestNode(key: 1)
                let client = try TestNode(key: 2)
                // Nothing releases the nodes, so that their loops work until the process is gone.
                for node in [server, client] { _ = Unmanaged.passRetained(node) }
                let address = try server.listen()
                client.onLoop { transport in
                    for _ in 0..<100 { _ = transport.dial([.address(address)]) }
                }
                try await eventually("a connection", every: .milliseconds(1)) {
                    !server.recorder.log.opened.isEmpty
                }
            }
        }
    }
}
