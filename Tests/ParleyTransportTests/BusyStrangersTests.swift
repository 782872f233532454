import Foundation
import ParleyCore
import ParleyNode
import ParleyTransport
import TestSupport
import Testing

/// Strangers that keep a node as busy as they can delay nobody.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BusyStrangersTests {
    /// Regression: a read of 256 KiB had 11,000 records of a byte, all of which were opened before
    /// the next connection had its turn.
    @Test func messagesAreDeliveredBesideStrangersThatSendRecords() async throws {
        let directory = try TestDirectory()
        var settings = settings("one", in: directory)
        settings.limits.strangersPerSource = settings.limits.strangers
        let one = Node(settings)
        let address = try #require(try await one.start().addresses.first)
        _ = try await one.createConversation(named: "games")
        let two = Node(self.settings("two", in: directory, peer: address))
        _ = try await two.start()
        _ = try await two.join(try await one.invite(to: "games").link)
        try await deliver(1, from: one)

        let strangers = BusyStrangers(64, toPort: try SocketAddress(parsing: address).port)
        defer { strangers.stop() }
        try await eventually("64 strangers that send") {
            strangers.greetings >= 64 && strangers.records >= 1 << 20
        }
        let before = strangers.records
        let begin = ContinuousClock.now
        try await deliver(20, from: one)
        let took = ContinuousClock.now - begin
        let records = strangers.records - before
        print("busy strangers: 20 messages delivered after \(took), beside \(records) records")
        #expect(took <= .seconds(60))
        strangers.stop()
        await one.stop()
        await two.stop()
    }

    private func deliver(_ count: Int, from node: Node) async throws {
        for number in 1...count {
            var content = MessageContent()
            content.url = "?move=\(number)"
            content.layout = ContentLayout()
            _ = try await node.send(
                Draft(session: SessionID(), content: content),
                to: "games",
                wait: .delivered(nodes: 1, timeout: .seconds(60))
            )
        }
    }

    private func settings(
        _ name: String,
        in directory: TestDirectory,
        peer: String? = nil
    ) -> NodeSettings {
        var settings = NodeSettings(dataDirectory: directory.url.appending(path: name))
        settings.name = name
        settings.listen = ["127.0.0.1:0"]
        settings.peers = peer.map { [$0] } ?? []
        settings.usesDiscovery = false
        return settings
    }
}
