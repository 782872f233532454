import Foundation
import ParleyNode
import TestSupport
import Testing

/// Backups, other device keys and checks of nodes in a conversation whose keys have changed.
@Suite(.timeLimit(.minutes(2))) struct RotationCareTests {
    private let nodes: TestNodes

    init() throws { nodes = try TestNodes() }

    private func directory(_ name: String) -> URL { nodes.root.appending(path: name) }

    /// Ada, who made the conversation, and others, each with a rank.
    private func room(_ others: [String]) async throws -> (ada: Node, address: String, [Node]) {
        let (ada, address) = try await nodes.start("ada")
        _ = try await ada.createConversation(named: "games")
        var all: [Node] = []
        for name in others {
            all.append(try await join(name, invitedBy: ada, at: [address]))
            let ranks = all.count
            try await eventually("the ranks at ada") {
                try await NodeKeys(of: ada).members(of: "games").count { $0.invitedBy != nil }
                    == ranks
            }
        }
        return (ada, address, all)
    }

    private func join(_ name: String, invitedBy member: Node, at peers: [String]) async throws
        -> Node
    {
        let (node, _) = try await nodes.start(name, peers: peers)
        _ = try await node.join(try await member.invite(to: "games").link, as: nil)
        return node
    }

    private func say(_ url: String, from node: Node) async throws {
        let wait = SendWait.delivered(nodes: 1, timeout: .seconds(20))
        _ = try await node.send(Draft(url), to: "games", wait: wait)
    }

    private func read(_ urls: [String], at node: Node) async throws {
        try await eventually("\(urls)") { (try? await node.urls("games")) == urls }
    }

    /// Regression: the new key was certified with the keys of joining, and so were devices that
    /// had come later; others then counted neither as members.
    @Test func anotherDeviceKeyGoesOnWithThePresentKeys() async throws {
        let (ada, address, others) = try await room(["ben"])
        try await say("?ben=1", from: others[0])
        _ = try await NodeKeys(of: ada).change(of: "games", without: [])
        let cyn = try await join("cyn", invitedBy: ada, at: [address])
        // Only what is said after having read something stands behind it.
        try await read(["?ben=1"], at: cyn)
        try await say("?cyn=1", from: cyn)
        try await read(["?ben=1", "?cyn=1"], at: others[0])
        await others[0].stop()
        _ = try DirectoryIdentity.rotate(in: directory("ben"), at: Date())
        for number in 2...3 {
            // The second start has what the first one wrote.
            let (ben, _) = try await nodes.start("ben", peers: [address])
            try await say("?ben=\(number)", from: ben)
            #expect(try await ben.conversations().first?.absence == nil)
            #expect(try await ben.urls("games").count == number + 1)
            await ben.stop()
            let found = try DirectoryVerification(of: directory("ben")).run()
            #expect(found.isSound, "\(found.damage)")
        }
        // The next keys go to the new device as well.
        _ = try await NodeKeys(of: ada).change(of: "games", without: [])
        let (ben, _) = try await nodes.start("ben", peers: [address])
        try await say("?ben=4", from: ben)
        try await read(["?ben=1", "?cyn=1", "?ben=2", "?ben=3", "?ben=4"], at: ada)
        await nodes.stopAll()
    }

    /// A backup of before a change of keys leads to the present keys, or to the news of being out.
    @Test func anOldBackupIsBroughtUpToDate() async throws {
        let (ada, address, others) = try await room(["ben", "yan"])
        let ben = others[0]
        try await say("?ben=1", from: ben)
        try await read(["?ben=1"], at: others[1])
        for name in ["ada", "ben", "yan"] {
            _ = try DirectoryBackup(of: directory(name), to: directory("\(name).backup"))
                .make(withIdentity: true, replacing: false, at: Date())
        }
        _ = try await NodeKeys(of: ada).change(of: "games", without: ["yan"])
        try await say("?ada=1", from: ada)
        try await read(["?ben=1", "?ada=1"], at: ben)
        for (node, name) in zip(others, ["ben", "yan"]) {
            await node.stop()
            _ = try DirectoryRestore(
                of: directory("\(name).backup"),
                to: directory(name),
                at: Date()
            ).run(force: false)
        }
        let (again, benAddress) = try await nodes.start("ben", peers: [address])
        try await read(["?ben=1", "?ada=1"], at: again)
        try await say("?ben=2", from: again)
        let (yan, _) = try await nodes.start("yan", peers: [address])
        try await eventually("the news at yan") {
            try await yan.conversations().first?.absence?.isThrownOut == true
        }
        #expect(try await yan.urls("games") == ["?ben=1"])

        // Who changed the keys gets them back from the others.
        await ada.stop()
        _ = try DirectoryRestore(
            of: directory("ada.backup"),
            to: directory("ada"),
            at: Date()
        ).run(force: false)
        let (last, _) = try await nodes.start("ada", peers: [benAddress])
        try await read(["?ben=1", "?ada=1", "?ben=2"], at: last)
        try await say("?ada=2", from: last)
        await nodes.stopAll()
    }
}
