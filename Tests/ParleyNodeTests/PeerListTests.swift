import Foundation
import ParleyNode
import TestSupport
import Testing

/// The list of the members that are or were linked with a node.
@Suite(.timeLimit(.minutes(5)))
struct PeerListTests {
    /// Regression: a member that had dialled this node was unknown once its link had ended.
    @Test func aMemberThatHasGoneStaysListed() async throws {
        let nodes = try TestNodes()
        let (one, two) = try await pair(nodes)
        await two.stop()
        try await eventually("the end of the link") { try await one.status().links == 0 }
        let peer = try #require(await one.peers().first)
        #expect(await one.peers().count == 1)
        #expect(peer.name == "two")
        #expect(peer.state == .lastSeen)
        #expect(peer.address.isEmpty, "the port from which it had dialled leads nowhere")
        #expect(peer.conversations == ["games"], "although it has written nothing")

        try await one.leaveConversation(named: "games")
        #expect(await one.peers().isEmpty)
        await nodes.stopAll()
    }

    /// Regression: after a restart, a node knew only members that it had dialled itself, and not
    /// what they shared.
    @Test func aRestartedNodeListsWhoIsAway() async throws {
        let nodes = try TestNodes()
        let (one, two) = try await pair(nodes)
        _ = try await one.send(Draft("?move=1"), to: "games")
        _ = try await two.send(Draft("?move=2"), to: "games")
        for node in [one, two] {
            try await eventually("both messages") { try await node.urls("games").count == 2 }
        }
        await two.stop()
        await one.stop()
        for (name, other) in [("one", "two"), ("two", "one")] {
            let (again, _) = try await nodes.start(name)
            let peers = await again.peers()
            #expect(peers.map(\.name) == [other])
            #expect(peers.map(\.state).allSatisfy { $0 == .lastSeen || $0 == .connecting })
            #expect(peers.map(\.conversations) == [["games"]])
            await again.stop()
        }
    }

    /// Regression: a member that was reached at two addresses had two rows.
    @Test func aMemberWithTwoAddressesIsListedOnce() async throws {
        let nodes = try TestNodes()
        let (one, two) = try await pair(nodes)
        await two.stop()
        await one.stop()
        // Node one listens on another port of its own choice, and two learns that one as well.
        let (again, address) = try await nodes.start("one")
        let (dialler, _) = try await nodes.start("two", peers: [address])
        try await eventually("a member") { await dialler.peers().map(\.state) == [.connected] }
        #expect(await dialler.peers().map(\.address) == [address])
        await again.stop()
        try await eventually("the end of the link") { try await dialler.status().links == 0 }
        let peers = await dialler.peers()
        #expect(peers.map(\.name) == ["one"])
        #expect(peers.map(\.conversations) == [["games"]])
        // Regression: who is nearby was said to share nothing.
        let nearby = await dialler.nearby().filter { $0.device == peers.first?.device }
        #expect(nearby.map(\.conversations) == [["games"]], "in one row")
        #expect(nearby.map(\.state).allSatisfy { $0 == .lastSeen || $0 == .connecting })
        await nodes.stopAll()
    }

    /// A device at several addresses has one row, and whoever takes its ID hides nobody.
    @Test func eachDeviceNearbyHasOneRow() {
        var listed = ListedDevices()
        let rows: [(UInt64?, String?)] = [
            (1, "ben"), (1, "ben"), (1, nil), (1, "eve"), (2, "ben"), (nil, nil), (nil, nil),
        ]
        let areNew = rows.map { listed.add($0.0, name: $0.1) }
        #expect(areNew == [true, false, false, true, true, true, true])
    }

    /// Regression: a node said "discovered" of an address that it dialled in vain, and listed its
    /// own address as another device.
    @Test func whyAnAddressIsNotReachedIsListedAndOwnAddressesAreNot() async throws {
        let nodes = try TestNodes()
        let (gone, closed) = try await nodes.start("gone")
        await gone.stop()
        let (node, own) = try await nodes.start("one")
        await node.dial([closed, own])
        let peer = try await eventually("a failure") {
            await node.nearby().first { $0.addresses.first?.failure != nil }
        }
        #expect(peer.addresses.map(\.text) == [closed])
        try await eventually("a state between dials") {
            await node.nearby().map(\.state) == [.configured]
        }
        let failure = try #require(peer.addresses.first?.failure)
        #expect(failure.reason == "nothing listens on that port")
        #expect(failure.dials >= 1)
        #expect(abs(failure.at.timeIntervalSinceNow) < 60)
        try await eventually("own address is left out") {
            await node.nearby().map(\.address) == [closed]
        }
        // The port is taken again, and the node that answers there is a stranger.
        var settings = nodes.settings("again")
        settings.listen = [closed]
        _ = try await nodes.start(settings)
        try await eventually("reached") {
            await node.nearby().allSatisfy { $0.addresses.allSatisfy { $0.failure == nil } }
        }
        await nodes.stopAll()
    }

    /// Regression: a reason was cut in the middle of a word.
    @Test func aLongReasonIsListedInFull() async throws {
        let nodes = try TestNodes()
        let name = String(repeating: "a", count: 60) + ".invalid"
        let (node, _) = try await nodes.start("one", peers: ["\(name):1"])
        let failure = try await eventually("a failure") {
            await node.nearby().first?.addresses.first?.failure
        }
        #expect(failure.reason.contains(name) && failure.reason.hasSuffix(")"), "\(failure)")
        await nodes.stopAll()
    }

    /// An author behind a relay is known by its card, with the time at which others heard of it.
    @Test func authorsBehindARelayAreListed() async throws {
        let nodes = try TestNodes()
        let (relay, address) = try await nodes.start("relay")
        let (one, _) = try await nodes.start("one", peers: [address])
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await relay.join(try await one.invite(to: "games", role: .relay).link)
        _ = try await two.join(try await one.invite(to: "games").link)
        _ = try await one.send(Draft("?move=1"), to: "games")
        try await eventually("the message") { try await two.urls("games") == ["?move=1"] }
        let author = try #require(
            await two.conversations().first?.participants.first {
                $0.name == "one"
            }
        )
        await one.stop()
        await relay.stop()
        try await eventually("the end of the link") { try await two.status().links == 0 }
        let peers = await two.peers()
        #expect(Set(peers.map(\.name)) == ["relay", "one"])
        let found = try #require(peers.first { $0.device == author.device })
        #expect(found.state == .lastSeen && found.through == nil && found.seen != nil)
        await nodes.stopAll()
    }

    /// Two linked nodes that share the conversation `games`, of which the second one dials.
    private func pair(_ nodes: TestNodes) async throws -> (Node, Node) {
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
        for node in [one, two] {
            try await eventually("a member") { await node.peers().map(\.state) == [.connected] }
        }
        return (one, two)
    }
}
