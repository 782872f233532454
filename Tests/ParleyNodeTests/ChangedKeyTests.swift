import Foundation
import ParleyCore
import ParleyKeys
import ParleyNode
import ParleyStore
import TestSupport
import Testing

/// A data directory with another device key is another device, and works: nothing that follows from
/// the earlier key is left in its way.
@Suite(.timeLimit(.minutes(5)))
struct ChangedKeyTests {
    /// A node that waits for others, with the conversation `games`, and its address.
    private func host(_ nodes: TestNodes) async throws -> (Node, String) {
        let (host, address) = try await nodes.start("host")
        _ = try await host.createConversation(named: "games")
        return (host, address)
    }

    private func guest(_ nodes: TestNodes, _ name: String, _ address: String) async throws -> Node {
        try await nodes.start(name, peers: [address]).0
    }

    private func key(_ nodes: TestNodes, _ name: String) -> URL {
        nodes.root.appending(path: "\(name)/device.key")
    }

    /// Waits until both nodes show these messages, each in its order.
    private func show(_ urls: [String], _ nodes: [Node]) async throws {
        for node in nodes {
            try await eventually("\(urls)") { try await Set(node.urls("games")) == Set(urls) }
        }
    }

    /// Regression: the node went on under the certificate of the earlier key, and from its first
    /// message on every peer ended every link as forged.
    @Test func aWriterCertifiesItselfAgain() async throws {
        let nodes = try TestNodes()
        let (host, address) = try await host(nodes)
        let invite = try await host.invite(to: "games").link
        let first = try await guest(nodes, "guest", address)
        let me = try await first.join(invite).me
        let before = try await first.status()
        #expect(before.previousDevice == nil)
        _ = try await first.send(Draft("?1"), to: "games")
        try await show(["?1"], [host])
        await first.stop()
        let kept = try Data(contentsOf: key(nodes, "guest"))
        try FileManager.default.removeItem(at: key(nodes, "guest"))

        let second = try await guest(nodes, "guest", address)
        let changed = try await second.status()
        #expect(changed.previousDevice == before.device)
        #expect(changed.device != before.device)
        #expect(try await second.conversations().first?.me.id != me.id)
        let sent = try await second.send(
            Draft("?2"),
            to: "games",
            wait: .delivered(nodes: 1, timeout: .seconds(30))
        )
        #expect(sent.nodes == 1)
        _ = try await host.send(Draft("?3"), to: "games")
        try await show(["?1", "?2", "?3"], [host, second])
        #expect(try await host.status().links == 1)
        await second.stop()

        let third = try await guest(nodes, "guest", address)
        #expect(try await third.status().previousDevice == nil, "it is the same key again")
        await third.stop()
        try kept.write(to: key(nodes, "guest"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: key(nodes, "guest").path
        )
        let back = try await guest(nodes, "guest", address)
        #expect(try await back.status().device == before.device)
        #expect(try await back.status().previousDevice == changed.device)
        #expect(try await back.conversations().first?.me.id == me.id)
        _ = try await back.send(
            Draft("?4"),
            to: "games",
            wait: .delivered(nodes: 1, timeout: .seconds(30))
        )
        try await show(["?1", "?2", "?3", "?4"], [host, back])
        await nodes.stopAll()
    }

    /// A message of the earlier device that nobody has yet goes out under the later one.
    @Test func messagesOfTheEarlierDeviceAreNotLost() async throws {
        let nodes = try TestNodes()
        let (alone, _) = try await nodes.startWithMessage()
        let invite = try await alone.invite(to: "games").link
        await alone.stop()
        try FileManager.default.removeItem(at: key(nodes, "one"))
        let (_, address) = try await nodes.start("one")
        let other = try await guest(nodes, "two", address)
        _ = try await other.join(invite)
        try await show(["?move=1"], [other])
        await nodes.stopAll()
    }

    @Test(arguments: [Role.reader, .relay])
    func whoCannotWriteGoesOn(_ role: Role) async throws {
        let nodes = try TestNodes()
        let (host, address) = try await host(nodes)
        let invite = try await host.invite(to: "games", role: role).link
        let first = try await guest(nodes, "guest", address)
        _ = try await first.join(invite)
        let device = try await first.status().device
        await first.stop()
        try FileManager.default.removeItem(at: key(nodes, "guest"))
        let second = try await guest(nodes, "guest", address)
        #expect(try await second.status().previousDevice == device)
        let sent = try await host.send(
            Draft("?1"),
            to: "games",
            wait: .linked(nodes: 1, timeout: .seconds(30))
        )
        #expect(sent.nodes == 1)
        await nodes.stopAll()
    }

    /// A copy without the key of the original is a device of its own beside it.
    @Test func aCopyWithoutTheKeyIsAnotherDevice() async throws {
        let nodes = try TestNodes()
        let (first, _) = try await nodes.startWithMessage()
        await first.stop()
        try FileManager.default.copyItem(
            at: nodes.root.appending(path: "one"),
            to: nodes.root.appending(path: "copy")
        )
        try FileManager.default.removeItem(at: key(nodes, "copy"))
        let (original, address) = try await nodes.start("one")
        let copy = try await guest(nodes, "copy", address)
        _ = try await copy.send(Draft("?copy"), to: "games")
        _ = try await original.send(Draft("?original"), to: "games")
        try await show(["?move=1", "?copy", "?original"], [original, copy])
        for node in [original, copy] {
            let status = try await node.status()
            #expect(status.copy == nil)
            #expect(status.links == 1)
        }
        await nodes.stopAll()
    }

    /// A message of an earlier version under a changed key is certified: the record of its origin
    /// had the certificate of the earlier key, and no record said which device the directory was.
    @Test func whatAnEarlierVersionWroteIsCertified() async throws {
        let nodes = try TestNodes()
        let (alone, _) = try await nodes.startWithMessage()
        let invite = try await alone.invite(to: "games").link
        await alone.stop()
        try FileManager.default.removeItem(at: key(nodes, "one"))
        let (changed, _) = try await nodes.start("one")
        _ = try await changed.send(Draft("?changed"), to: "games")
        await changed.stop()
        try nodes.certifyOtherDevice(in: "one")

        let (again, address) = try await nodes.start("one")
        let other = try await guest(nodes, "two", address)
        _ = try await other.join(invite)
        _ = try await again.send(Draft("?again"), to: "games")
        try await show(["?move=1", "?changed", "?again"], [other])
        await nodes.stopAll()
    }
}

extension TestNodes {
    /// Makes the data of a stopped node what an earlier version left after a change of the key.
    fileprivate func certifyOtherDevice(in name: String) throws {
        let directory = try DataDirectory(path: root.appending(path: name).path)
        defer { directory.release() }
        let store = try SQLiteStore(in: directory)
        defer { store.close() }
        let recovery = try store.recover().recovery
        let conversation = try #require(recovery.conversations.first)
        let record = conversation.record
        let certificate = try record.capability.certify(DeviceID(Bytes32(1, 2, 3, 4)))
        let wrong = ConversationRecord(
            number: record.number,
            id: record.id,
            name: record.name,
            isOpen: record.isOpen,
            capability: record.capability,
            certificate: certificate
        )
        var writes: [StoreWrite] = [.conversation(wrong)]
        for (id, origin) in conversation.origins
        where DeviceID(publicKey: origin.deviceKey) == recovery.device {
            let origin = OriginRecord(
                deviceKey: origin.deviceKey,
                epoch: origin.epoch,
                certificate: certificate
            )
            writes.append(.origin(conversation: record.number, id, origin))
        }
        try #require(writes.count == 2)
        _ = try store.commit(writes)
        store.close()
        try forgetDevice(of: name)
    }
}
