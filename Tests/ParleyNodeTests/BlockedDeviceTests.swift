import Foundation
import ParleyNode
import TestSupport
import Testing

/// A node has no link to a device that is blocked, or that is not among those that are allowed.
@Suite(.timeLimit(.minutes(5)))
struct BlockedDeviceTests {
    private func links(_ count: Int, of node: Node) async throws {
        try await eventually("\(count) links") { try await node.status().links == count }
    }

    @Test func aBlockedDeviceHasNoLinkAndIsHeardThroughOthers() async throws {
        let nodes = try TestNodes()
        let (relay, between) = try await nodes.start("carol")
        let (alice, address) = try await nodes.start("alice", peers: [between])
        _ = try await alice.createConversation(named: "games")
        let invite = try await alice.invite(to: "games").link
        let (bob, _) = try await nodes.start("bob", peers: [between, address])
        _ = try await relay.join(invite)
        _ = try await bob.join(invite)
        try await links(2, of: alice)
        try await links(2, of: bob)

        let listed = try await alice.list("BOB", .blocked)
        #expect(listed.map(\.name) == ["bob"])
        #expect(try await listed.map(\.device) == [bob.status().device])
        try await links(1, of: alice)
        _ = try await bob.send(Draft("?through carol"), to: "games")
        try await eventually("the message") {
            try await alice.urls("games") == ["?through carol"]
        }
        #expect(try await alice.status().links == 1)
        await #expect(throws: NodeError.unknownDevice("bob")) {
            _ = try await alice.pair(with: "bob")
        }
        #expect(try await alice.list("bob", .blocked, removing: true) == [])
        try await links(2, of: alice)
        #expect(try await alice.list("bob", .blocked) == listed)
        try await links(1, of: alice)
        await alice.stop()

        let (again, _) = try await nodes.start("alice", peers: [between])
        #expect(try await again.listedDevices() == listed)
        try await links(1, of: again)
        await nodes.stopAll()
    }

    @Test func onlyAllowedDevicesHaveLinks() async throws {
        let nodes = try TestNodes()
        let (host, address) = try await nodes.start("host")
        _ = try await host.createConversation(named: "games")
        let invite = try await host.invite(to: "games").link
        let (alice, _) = try await nodes.start("alice", peers: [address])
        let (bob, _) = try await nodes.start("bob", peers: [address])
        _ = try await alice.join(invite)
        _ = try await bob.join(invite)
        try await links(2, of: host)
        let id = try await alice.status().device
        _ = try await host.list(id, .allowed)
        try await links(1, of: host)
        #expect(await host.peers().first { $0.state == .connected }?.device == id)
        // Without the only allowed device, all others would be allowed.
        await #expect(throws: NodeError.self) { _ = try await host.list(id, .blocked) }
        #expect(try await host.listedDevices().map(\.list) == [.allowed])
        _ = try await host.list(bob.status().device, .allowed)
        // A device is on one list at most.
        #expect(Set(try await host.list(id, .blocked).map(\.list)) == [.allowed, .blocked])
        try await links(1, of: host)
        try await eventually("bob alone") {
            await host.peers().first { $0.state == .connected }?.name == "bob"
        }
        await #expect(throws: NodeError.unknownDevice("nobody")) {
            _ = try await host.list("nobody", .blocked)
        }
        await nodes.stopAll()
    }

    @Test func aDamagedListKeepsTheNodeFromStarting() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        await node.stop()
        let file = nodes.root.appending(path: "one/devices.json")
        try Data("[{}]".utf8).write(to: file)
        do {
            _ = try await nodes.start("one")
            Issue.record("the node has started")
        } catch NodeError.dataDirectoryUnusable(let path, _, let hint) {
            #expect(path == file.path && hint.contains("backup"))
        }
        await nodes.stopAll()
    }
}
