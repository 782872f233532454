import Foundation
import ParleyNode
import TestSupport
import Testing

/// Changed keys between nodes with disks, TLS and real signatures.
@Suite(.timeLimit(.minutes(2))) struct RotationNodesTests {
    /// Three nodes in the conversation of the first one, each of which the others have seen.
    private func room(_ nodes: TestNodes) async throws -> [Node] {
        let (ada, address) = try await nodes.start("ada")
        _ = try await ada.createConversation(named: "games")
        let link = try await ada.invite(to: "games").link
        var all = [ada]
        var addresses = [address]
        for name in ["ben", "yan"] {
            let (node, own) = try await nodes.start(name, peers: addresses)
            _ = try await node.join(link, as: nil)
            all.append(node)
            addresses.append(own)
        }
        for node in all {
            try await eventually("all members") {
                try await NodeKeys(of: node).members(of: "games").filter { $0.role == .writer }
                    .count == 3
            }
            // Who came by a link with the keys is admitted by the first member that it meets.
            try await eventually("all ranks") {
                try await NodeKeys(of: node).members(of: "games").filter { $0.invitedBy != nil }
                    .count == 2
            }
        }
        return all
    }

    private static func fault(_ act: () async throws -> Void) async -> KeysFault? {
        do {
            try await act()
            return nil
        } catch {
            guard case NodeError.keys(_, let fault) = error else { return nil }
            return fault
        }
    }

    @Test func whoIsThrownOutIsOut() async throws {
        let nodes = try TestNodes()
        let all = try await room(nodes)
        let (ada, ben, yan) = (all[0], all[1], all[2])
        _ = try await yan.send(
            Draft("?yan=1"),
            to: "games",
            wait: .delivered(nodes: 2, timeout: .seconds(20))
        )
        let old = try await ada.invite(to: "games").link

        let keys = NodeKeys(of: ada)
        let expected = try await keys.change(of: "games", without: ["yan"], isDryRun: true)
        #expect(try await keys.members(of: "games").count == 3)
        let change = try await keys.change(of: "games", without: ["yan"])
        #expect(change == expected)
        #expect(change.goes.map(\.name) == ["yan"])
        #expect(change.generation == 2)
        #expect(Set(change.stays.map(\.name)) == ["ada", "ben"])
        try await eventually("the news at yan") {
            await Self.fault { _ = try await yan.send(Draft("?yan=2"), to: "games") } == .thrownOut
        }
        _ = try await ada.send(Draft("?ada=1"), to: "games")
        try await eventually("the message at ben") {
            try await ben.urls("games") == ["?yan=1", "?ada=1"]
        }
        #expect(try await yan.urls("games") == ["?yan=1"])
        let absence = try await yan.conversations().first?.absence
        #expect(absence == Absence(isThrownOut: true, by: "ada"))
        #expect(
            try await NodeKeys(of: yan).members(of: "games").map(\.name).contains("yan") == false
        )

        // An invite with the old keys leads nowhere, one with the new keys does.
        try await yan.leaveConversation(named: "games", force: true)
        await #expect(throws: Self.outdated) { _ = try await yan.join(old, as: "old") }
        #expect(try await yan.conversations().isEmpty)
        let new = try await ben.invite(to: "games").link
        #expect(new != old)
        _ = try await yan.join(new, as: "again")
        try await eventually("the messages at yan") {
            // Nothing can be read before the records have come.
            (try? await yan.urls("again")) == ["?yan=1", "?ada=1"]
        }
        _ = try await yan.send(Draft("?yan=3"), to: "again")
        try await eventually("the message at ada") {
            try await ada.urls("games") == ["?yan=1", "?ada=1", "?yan=3"]
        }
        await nodes.stopAll()
    }

    private static let outdated = NodeError.badInvite(
        reason: "The keys of old have changed since this invite was made.",
        hint: "Ask a member for a new one."
    )

    /// A link with keys that came after the first ones names the conversation, and nothing is known
    /// of its birth at first.
    @Test func aLinkOfKeysBetweenIsRefusedToo() async throws {
        let nodes = try TestNodes()
        let (ada, address) = try await nodes.start("ada")
        _ = try await ada.createConversation(named: "games")
        _ = try await NodeKeys(of: ada).change(of: "games", without: [])
        let old = try await ada.invite(to: "games", role: .reader).link
        _ = try await NodeKeys(of: ada).change(of: "games", without: [])
        let (yan, _) = try await nodes.start("yan", peers: [address])
        await #expect(throws: Self.outdated) { _ = try await yan.join(old, as: "old") }
        _ = try await yan.join(try await ada.invite(to: "games").link, as: nil)
        // Nobody is there to say so.
        await ada.stop()
        let (zoe, _) = try await nodes.start("zoe", peers: [address])
        #expect(try await zoe.join(old, as: nil).name == "games")
        await nodes.stopAll()
    }

    @Test func whoWasAwayGetsTheKeysWhenItIsBack() async throws {
        let nodes = try TestNodes()
        let all = try await room(nodes)
        let address = try #require(try await all[0].status().addresses.first)
        await all[1].stop()
        _ = try await NodeKeys(of: all[0]).change(of: "games", without: ["yan"])
        _ = try await NodeKeys(of: all[0]).change(of: "games", without: [])
        _ = try await all[0].send(Draft("?ada=1"), to: "games")
        let (ben, _) = try await nodes.start("ben", peers: [address])
        try await eventually("the message at ben") { try await ben.urls("games") == ["?ada=1"] }
        _ = try await ben.send(Draft("?ben=1"), to: "games")
        try await eventually("the answer") {
            try await all[0].urls("games") == ["?ada=1", "?ben=1"]
        }
        await nodes.stopAll()
    }

    @Test func keysOfAnOpenConversationStay() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        _ = try await node.join("open:lobby", as: nil)
        let fault = await Self.fault {
            _ = try await NodeKeys(of: node).change(of: "open:lobby", without: [])
        }
        #expect(fault == .open)
        await nodes.stopAll()
    }
}
