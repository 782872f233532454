import Foundation
import ParleyNode
import TestSupport
import Testing

/// A peer that has not proven a conversation receives nothing and stores nothing.
@Suite(.timeLimit(.minutes(5)))
struct HostileTests {
    @Test func strangerWithoutInviteLearnsAndStoresNothing() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        _ = try await one.createConversation(named: "secret")
        _ = try await one.send(Draft("?secret"), to: "secret")
        let (stranger, _) = try await nodes.start("stranger", peers: [address])
        _ = try await stranger.createConversation(named: "secret")
        _ = try await stranger.send(Draft("?forged"), to: "secret")
        _ = try await eventually("a link between the two") {
            await one.nearby().isEmpty ? nil : true
        }
        _ = try await eventually("the end of that link", within: .seconds(15)) {
            await one.nearby().isEmpty ? true : nil
        }
        #expect(try await one.urls("secret") == ["?secret"])
        #expect(try await stranger.urls("secret") == ["?forged"])
        #expect(await one.peers().isEmpty)
        await one.stop()
        await stranger.stop()
    }

    /// Regression: between two links a device that shares nothing lost its name in the list.
    @Test func aStrangerKeepsItsNameBetweenLinks() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        try await eventually("one is nearby") { await two.nearby().map(\.name) == ["one"] }
        await one.stop()
        try await eventually("the end of the link") { try await two.status().links == 0 }
        #expect(await two.nearby().map(\.name) == ["one"])
        await two.stop()
    }

    @Test func readerCannotSendAndRelayCannotRead() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        _ = try await one.createConversation(named: "games")
        let (reader, _) = try await nodes.start("reader", peers: [address])
        let (relay, _) = try await nodes.start("relay", peers: [address])
        _ = try await reader.join(try await one.invite(to: "games", role: .reader).link)
        _ = try await relay.join(try await one.invite(to: "games", role: .relay).link)
        _ = try await one.send(
            Draft("?move"),
            to: "games",
            wait: .linked(nodes: 2, timeout: .seconds(20))
        )
        #expect(try await reader.urls("games") == ["?move"])
        await #expect(throws: NodeError.readOnly(conversation: "games")) {
            try await reader.send(Draft("?mine"), to: "games")
        }
        await #expect(throws: NodeError.unreadable(conversation: "games")) {
            try await relay.transcript(of: "games")
        }
        await #expect(throws: NodeError.readOnly(conversation: "games")) {
            try await reader.invite(to: "games", role: .writer)
        }
        for node in [one, reader, relay] { await node.stop() }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: parley\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "parley\n",
        String(repeating: "\u{0}", count: 70_000),
    ])
    func plainTextAndGarbageAreTurnedAway(bytes: String) async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        _ = try await one.createConversation(named: "games")
        let port = try #require(UInt16(address.split(separator: ":").last ?? ""))
        try await RawClient.send(Array(bytes.utf8), toPort: port)
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await two.join(try await one.invite(to: "games").link)
        _ = try await two.send(
            Draft("?move"),
            to: "games",
            wait: .delivered(nodes: 1, timeout: .seconds(20))
        )
        #expect(try await one.urls("games") == ["?move"])
        await one.stop()
        await two.stop()
    }
}
