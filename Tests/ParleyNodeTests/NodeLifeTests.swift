import Foundation
import ParleyNode
import TestSupport
import Testing

/// The life of a node as its public API shows it: start, stop, and start again.
@Suite(.timeLimit(.minutes(2)))
struct NodeLifeTests {
    @Test func aStartedNodeSaysWhoAndWhereItIs() async throws {
        let nodes = try TestNodes()
        let (node, ready) = try await nodes.start(nodes.settings("one"))
        #expect(ready.name == "one")
        #expect(ready.addresses.count == 1)
        #expect(ready.addresses.first?.hasPrefix("127.0.0.1:") == true)
        let status = try await node.status()
        #expect(status.device == ready.device)
        #expect(status.name == "one")
        #expect(status.addresses == ready.addresses)
        #expect((status.links, status.conversations, status.sessions) == (0, 0, 0))
        #expect(status.store == "ok")
        await nodes.stopAll()
    }

    @Test func aNodeThatIsNotStartedAnswersNothing() async throws {
        let nodes = try TestNodes()
        let node = Node(nodes.settings("one"))
        await #expect(throws: NodeError.stopped) { try await node.conversations() }
        await #expect(throws: NodeError.stopped) { try await node.send(Draft("?"), to: "games") }
        #expect(await node.peers().isEmpty)
        #expect(await node.nearby().isEmpty)
        for await event in await node.events() { Issue.record("\(event)") }
        await node.stop()
    }

    @Test func aStoppedNodeStaysStopped() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        await node.stop()
        await node.stop()
        await #expect(throws: NodeError.stopped) { try await node.start() }
        await #expect(throws: NodeError.stopped) { try await node.status() }
    }

    @Test func aNodeIsStartedOnce() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        await #expect(throws: NodeError.stopped) { try await node.start() }
        #expect(try await node.urls("games") == ["?move=1"], "it goes on")
        await nodes.stopAll()
    }

    @Test func aNodeThatDidNotStartMayBeStartedLater() async throws {
        let nodes = try TestNodes()
        let (first, _) = try await nodes.start("one")
        let second = Node(nodes.settings("one"))
        await #expect(throws: NodeError.self) { try await second.start() }
        await first.stop()
        let ready = try await second.start()
        #expect(ready.name == "one")
        await second.stop()
    }

    @Test func theDataDirectoryIsAllThatANodeIs() async throws {
        let nodes = try TestNodes()
        let (first, before) = try await nodes.start(nodes.settings("one"))
        let made = try await first.createConversation(named: "games")
        let sent = try await first.send(Draft("?move=1"), to: "games")
        let reply = try await first.send(Draft("?move=2", session: sent.session), to: "games")
        let other = try await first.createConversation(named: "other")
        try await first.leaveConversation(named: "other")
        await first.stop()

        let (again, after) = try await nodes.start(nodes.settings("one"))
        #expect(after.device == before.device)
        let conversations = try await again.conversations()
        #expect(conversations.map(\.id) == [made.id])
        #expect(conversations.first?.me == made.me)
        #expect(!conversations.contains { $0.id == other.id })
        let detail = try await again.session(sent.session)
        #expect(detail.shown.id == reply.id)
        #expect(detail.shown.revision == 2)
        #expect(detail.replaced.count == 1)
        let next = try await again.send(Draft("?move=3", session: sent.session), to: "games")
        #expect(next.revision == 3)
        await nodes.stopAll()
    }

    @Test func nodesOfOneProcessAreStrangersUntilOneJoins() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        let games = try await one.createConversation(named: "games")
        #expect(try await two.conversations().isEmpty)
        let invite = try await one.invite(to: "games")
        let joined = try await two.join(invite.link, as: "their games")
        #expect(joined.id == games.id)
        #expect(joined.name == "their games")
        #expect(joined.me.id != games.me.id)
        try await eventually("a link") { try await one.status().links == 1 }
        let peer = try #require(await two.peers().first)
        #expect(peer.name == "one")
        #expect(peer.state == .connected)
        #expect(peer.conversations == ["their games"])
        await one.stop()
        try await eventually("the end of the link") { try await two.status().links == 0 }
        #expect(try await two.conversations().map(\.name) == ["their games"], "it goes on alone")
        await nodes.stopAll()
    }
}
