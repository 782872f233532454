import Foundation
import ParleyNode
import TestSupport
import Testing

/// The life of a node as its public API shows it: start, stop, and start again.
@Suite(.timeLimit(.minutes(5)))
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
        #expect(status.store.state == .ok)
        await nodes.stopAll()
    }

    /// Two processes with one device key say so, each of the other one.
    @Test func aCopyOfTheDataDirectoryIsTold() async throws {
        let nodes = try TestNodes()
        let (first, _) = try await nodes.startWithMessage()
        #expect(try await first.status().copy == nil)
        await first.stop()
        try FileManager.default.copyItem(
            at: nodes.root.appending(path: "one"),
            to: nodes.root.appending(path: "copy")
        )
        let (node, address) = try await nodes.start("one")
        let (copy, _) = try await nodes.start("copy", peers: [address])
        for each in [node, copy] {
            try await eventually("the warning") { try await each.status().copy != nil }
        }
        #expect(try await copy.status().copy == address)
        #expect(await copy.measurements?.counts[.copies] ?? 0 > 0)
        await nodes.stopAll()
    }

    /// Regression: a second call returned while the first one was still closing the store.
    @Test func everyStopWaitsUntilTheDirectoryIsFree() async throws {
        let nodes = try TestNodes()
        let settings = nodes.settings("one")
        let (node, _) = try await nodes.start(settings)
        async let first: Void = node.stop()
        await node.stop()
        let (again, _) = try await nodes.start(settings)
        await first
        await again.stop()
        await again.stop()
    }

    /// Regression: a node that was started again without a name took the host name.
    @Test func theNameIsKeptForLaterStarts() async throws {
        let nodes = try TestNodes()
        var settings = nodes.settings("one")
        let starts: [(String?, String)] = [
            ("kitchen", "kitchen"), (nil, "kitchen"), ("Küche", "Küche"),
        ]
        for (given, name) in starts {
            settings.name = given
            let (node, ready) = try await nodes.start(settings)
            #expect(ready.name == name)
            await node.stop()
        }
        settings.name = nil
        let file = settings.dataDirectory.appending(path: "name")
        #expect(try String(contentsOf: file, encoding: .utf8) == "Küche\n")
        let host = ProcessInfo.processInfo.hostName
        let contents: [(Data, String)] = [
            (Data("study".utf8), "study"), (Data(), host), (Data("\n".utf8), host),
            (Data([0xFF, 0x0A]), host), (Data("a\u{1B}[2J".utf8), host),
            (Data(repeating: 0x61, count: 66), host),
        ]
        for (content, name) in contents {
            try content.write(to: file)
            let (node, ready) = try await nodes.start(settings)
            #expect(ready.name == name, "\(content.map { $0 })")
            await node.stop()
        }
    }

    /// A node whose name cannot be kept starts with that name nevertheless.
    @Test func aNameThatCannotBeKeptIsUsed() async throws {
        let nodes = try TestNodes()
        let settings = nodes.settings("one")
        try FileManager.default.createDirectory(
            at: settings.dataDirectory.appending(path: "name"),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700],
            ofItemAtPath: settings.dataDirectory.path
        )
        let (node, ready) = try await nodes.start(settings)
        #expect(ready.name == "one")
        await node.stop()
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
        let peer = try await eventually("a member") {
            await two.peers().first { $0.state == .connected }
        }
        #expect(peer.name == "one")
        #expect(peer.conversations == ["their games"])
        await one.stop()
        try await eventually("the end of the link") { try await two.status().links == 0 }
        #expect(try await two.conversations().map(\.name) == ["their games"], "it goes on alone")
        await nodes.stopAll()
    }
}
