import ParleyNode
import TestSupport
import Testing

/// A lost device is thrown out of every conversation of a node with it, as far as that is possible.
@Suite(.timeLimit(.minutes(2))) struct DeviceRemovalTests {
    /// What can be told of a place: whether the device is out and stands higher, or the failure.
    private static func results(_ removal: DeviceRemoval) -> [String: String] {
        removal.places.reduce(into: [:]) { all, place in
            all[place.conversation] =
                switch place.result {
                case .success(let change): change.goes.map { "\($0.standsHigher)" }.joined()
                case .failure(.keys(_, let fault)): "\(fault)"
                case .failure(let error): "\(error)"
                }
        }
    }

    private static func ids(_ name: String, at node: Node) async throws -> Set<String?> {
        Set(try await NodeKeys(of: node).members(of: name).map(\.name))
    }

    /// Ada made one conversation, yan the others; in the last one ada is a reader.
    @Test func oneConversationDoesNotKeepTheOthersBack() async throws {
        let nodes = try TestNodes()
        let (ada, adaAddress) = try await nodes.start("ada")
        let (yan, yanAddress) = try await nodes.start("yan", peers: [adaAddress])
        let (ben, _) = try await nodes.start("ben", peers: [adaAddress, yanAddress])
        _ = try await ada.createConversation(named: "games")
        for name in ["chess", "films"] { _ = try await yan.createConversation(named: name) }
        _ = try await ada.createConversation(named: "alone")
        for (host, guests, name, role) in [
            (ada, [yan, ben], "games", Role.writer), (yan, [ada, ben], "chess", .writer),
            (yan, [ada], "films", .reader),
        ] {
            let link = try await host.invite(to: name, role: role).link
            for guest in guests { _ = try await guest.join(link) }
        }
        let keys = NodeKeys(of: ada)
        for name in ["games", "chess"] {
            try await eventually("the ranks of all in \(name)") {
                let members = try await keys.members(of: name)
                return members.count == 3 && members.count { $0.invitedBy != nil } == 2
            }
        }
        try await eventually("yan in films") {
            try await Self.ids("films", at: ada) == ["ada", "yan"]
        }

        await #expect(throws: NodeError.unknownDevice("nobody")) {
            _ = try await keys.throwOut("nobody")
        }
        let oneself = NodeError.badSetting(
            "that is this device, which cannot throw itself out: use another device"
        )
        await #expect(throws: oneself) { _ = try await keys.throwOut("ada") }

        let expected = ["games": "false", "chess": "true", "films": "readOnly"]
        let dry = try await keys.throwOut("yan", isDryRun: true)
        #expect(Self.results(dry) == expected)
        #expect(try await Self.ids("games", at: ada) == ["ada", "ben", "yan"])
        let device = try await yan.status().device
        let removal = try await keys.throwOut(String(device.prefix(7)))
        #expect(Self.results(removal) == expected)
        #expect(removal.device == device && removal.name == "yan")
        for (before, after) in zip(dry.places, removal.places) {
            #expect(before.conversation == after.conversation && before.result == after.result)
        }
        for name in ["games", "chess"] {
            #expect(try await Self.ids(name, at: ada) == ["ada", "ben"])
            try await eventually("\(name) without yan at ben") {
                try await Self.ids(name, at: ben) == ["ada", "ben"]
            }
        }
        try await eventually("the news at yan") {
            try await yan.conversations().first { $0.name == "games" }?.absence?.isThrownOut == true
        }
        // What is done is not done again, and what could not be done is said again.
        #expect(Self.results(try await keys.throwOut("yan")) == ["films": "readOnly"])
        await nodes.stopAll()
    }
}
