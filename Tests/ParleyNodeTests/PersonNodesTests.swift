import Foundation
import ParleyNode
import TestSupport
import Testing

/// Two devices of one person, and how others see them.
@Suite(.timeLimit(.minutes(5)))
struct PersonNodesTests {
    private let nodes: TestNodes

    init() throws { nodes = try TestNodes() }

    /// Links the device of a node to another one nearby, and returns the end on both sides.
    private func link(
        _ one: Node,
        to other: Node,
        _ name: String
    ) async throws -> (PairingState.Ending, PairingState.Ending) {
        _ = try await eventually("\(name) is nearby") {
            try? await NodeKeys(of: one).link(ownDevice: name)
        }
        let asked = try await eventually("the request") {
            await other.pairings().first { $0.stage == .asked(shares: true) && $0.isForOwn }
        }
        _ = try await NodeKeys(of: other).link(ownDevice: asked.device)
        for node in [one, other] {
            let compared = try await eventually("the digits") {
                await node.pairings().first {
                    if case .comparing(_, isConfirmed: false) = $0.stage { true } else { false }
                }
            }
            _ = try await node.confirmPairing(compared.id)
        }
        return (try await ending(of: one), try await ending(of: other))
    }

    private func ending(of node: Node) async throws -> PairingState.Ending {
        try await eventually("the end") {
            await node.pairings().compactMap {
                if case .ended(let ending) = $0.stage { ending } else { nil }
            }.first
        }
    }

    /// The persons whom a node knows in a conversation, by the names of devices.
    private func persons(in conversation: String, at node: Node) async throws -> [String: String] {
        let found = try await node.conversations().first { $0.name == conversation }
        let people = (found?.participants ?? []) + (found?.sharing ?? [])
        return Dictionary(
            people.compactMap { each in
                each.person.flatMap { person in each.name.map { ($0, person.name) } }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test func twoDevicesShareAllConversationsAndAreOnePerson() async throws {
        let (ada, address) = try await nodes.start("ada")
        let (ben, _) = try await nodes.start("ben", peers: [address])
        for name in ["games", "chess"] { _ = try await ada.createConversation(named: name) }
        _ = try await ben.join(try await ada.invite(to: "games").link)
        let (phone, _) = try await nodes.start("phone", peers: [address])
        _ = try await phone.createConversation(named: "notes")
        #expect(try await NodeKeys(of: ada).person() == nil)

        let (here, there) = try await link(ada, to: phone, "phone")
        #expect(here == .linked(as: "ada") && there == .linked(as: "ada"))
        try await bothAre(in: ["chess", "games", "notes"], ada, phone)
        let person = try #require(try await NodeKeys(of: ada).person())
        #expect(try await NodeKeys(of: phone).person() == person && person.name == "ada")
        // Ben hears of it by cards, at once or from ada.
        try await eventually("one person") {
            try await persons(in: "games", at: ben) == ["ada": "ada", "phone": "ada"]
        }

        // Linking again keeps the key.
        await phone.stop()
        await ada.stop()
        let (again, newAddress) = try await nodes.start("ada")
        let (new, _) = try await nodes.start("phone", peers: [newAddress])
        let (second, _) = try await link(new, to: again, "ada")
        #expect(second == .linked(as: "ada"))
        #expect(try await NodeKeys(of: again).person() == person)
        #expect(try await NodeKeys(of: new).person() == person)
        // Ben knows the person after a restart as well, from his disk.
        await ben.stop()
        await new.stop()
        await again.stop()
        let (back, _) = try await nodes.start("ben")
        let members = try await NodeKeys(of: back).members(of: "games")
        #expect(members.compactMap(\.person?.name) == ["ada", "ada"])
        await nodes.stopAll()
    }

    /// Whether the file of a node lists the device of another node as linked.
    private func isLinked(_ other: Node, at node: String) async throws -> Bool {
        let list = nodes.settings(node).dataDirectory.appending(path: "linked.json")
        let text = try String(contentsOf: list, encoding: .utf8)
        return text.contains(try await other.status().device)
    }

    /// Waits until both nodes are in these conversations.
    private func bothAre(in names: [String], _ one: Node, _ other: Node) async throws {
        for node in [one, other] {
            try await eventually("\(names)") {
                try await node.conversations().map(\.name).sorted() == names
            }
        }
    }

    /// Before the first one there is no conversation by which the devices know each other.
    @Test func conversationsOfLaterAreSharedToo() async throws {
        let (ada, address) = try await nodes.start("ada")
        let (phone, _) = try await nodes.start("phone", peers: [address])
        _ = try await link(ada, to: phone, "phone")
        _ = try await ada.createConversation(named: "games")
        try await bothAre(in: ["games"], ada, phone)
        _ = try await phone.createConversation(named: "notes")
        try await bothAre(in: ["games", "notes"], ada, phone)

        // Those of while the other is away come when it is back.
        await phone.stop()
        _ = try await ada.createConversation(named: "chess")
        let (back, _) = try await nodes.start("phone", peers: [address])
        try await bothAre(in: ["chess", "games", "notes"], ada, back)

        // One that was left stays left, also after another one has come.
        try await back.leaveConversation(named: "notes", force: true)
        await back.stop()
        await ada.stop()
        // Also if ada does not know that the phone had it.
        let list = nodes.settings("ada").dataDirectory.appending(path: "linked.json")
        let text = try String(contentsOf: list, encoding: .utf8)
        try Data(text.replacing(/\[[^\]]*\]/, with: "[]").utf8).write(to: list)
        let (again, newAddress) = try await nodes.start("ada")
        _ = try await again.createConversation(named: "whist")
        let (last, _) = try await nodes.start("phone", peers: [newAddress])
        try await eventually("whist") {
            try await last.conversations().map(\.name).sorted() == ["chess", "games", "whist"]
        }
        #expect(try await again.conversations().count == 4)
        await nodes.stopAll()
    }

    /// What a device shares that is not linked, or no more, is not taken.
    @Test func onlyLinkedDevicesShare() async throws {
        let (ada, address) = try await nodes.start("ada")
        let (phone, _) = try await nodes.start("phone", peers: [address])
        _ = try await ada.createConversation(named: "games")
        _ = try await link(ada, to: phone, "phone")
        try await bothAre(in: ["games"], ada, phone)
        // The phone forgets that it is linked, and ada still shares with it.
        await phone.stop()
        let file = nodes.settings("phone").dataDirectory.appending(path: "linked.json")
        try FileManager.default.removeItem(at: file)
        let (other, _) = try await nodes.start("phone", peers: [address])
        _ = try await ada.createConversation(named: "notes")
        let sent = try await ada.send(Draft("?move=1"), to: "games")
        _ = try await eventually("the message after it") {
            try? await other.session(sent.session, in: "games")
        }
        #expect(try await other.conversations().map(\.name) == ["games"])
        // And what the phone would share, ada takes no more once it is lost.
        _ = try await NodeKeys(of: ada).throwOut("phone")
        let list = nodes.settings("ada").dataDirectory.appending(path: "linked.json")
        await ada.stop()
        let (again, newAddress) = try await nodes.start("ada")
        #expect(FileManager.default.fileExists(atPath: list.path))
        await other.stop()
        let (thief, _) = try await nodes.start("phone", peers: [newAddress])
        _ = try await again.createConversation(named: "secret")
        try await eventually("the phone is out") {
            try await thief.conversations().first?.absence?.isThrownOut == true
        }
        #expect(try await thief.conversations().map(\.name) == ["games"])
        await nodes.stopAll()
    }

    /// The key that a lost device has counts no more, also not when others are linked again.
    @Test func aLostDeviceIsOfThePersonNoMore() async throws {
        let (ada, address) = try await nodes.start("ada")
        let (phone, phones) = try await nodes.start("phone", peers: [address])
        let (tablet, _) = try await nodes.start("tablet", peers: [address, phones])
        _ = try await ada.createConversation(named: "games")
        _ = try await link(ada, to: phone, "phone")
        _ = try await link(ada, to: tablet, "tablet")
        _ = try await link(tablet, to: phone, "phone")
        let former = try #require(try await NodeKeys(of: ada).person())
        try await eventually("all of ada's") {
            try await persons(in: "games", at: ada).count == 3
        }
        let (dan, _) = try await nodes.start("dan", peers: [address])
        let invite = try await phone.invite(to: "games", role: .writer, lasting: 60, uses: 1)
        _ = try await dan.join(invite.link)
        try await eventually("who let dan in") {
            try await NodeKeys(of: ada).members(of: "games")
                .contains { $0.name == "dan" && $0.invitedBy == "phone" }
        }
        try await eventually("the link to the phone") { try await isLinked(phone, at: "tablet") }
        // The phone may have an invite to a conversation in which nobody has seen it.
        _ = try await tablet.createConversation(named: "notes")
        try await bothAre(in: ["games", "notes"], ada, phone)
        try await phone.leaveConversation(named: "notes", force: true)
        let lost = try await NodeKeys(of: ada).throwOut("phone")
        #expect(lost.person == "ada" && lost.places.map(\.conversation) == ["games", "notes"])
        #expect(lost.places.allSatisfy { (try? $0.result.get()) != nil })
        #expect(lost.places.first?.letIn == ["dan"])
        // The tablet hears of it by the new keys, and shares nothing more with the phone.
        try await eventually("the end of sharing") { try await !isLinked(phone, at: "tablet") }
        let person = try #require(try await NodeKeys(of: ada).person())
        #expect(person != former && person.name == "ada")
        try await eventually("the phone is out") {
            try await phone.conversations().first?.absence?.isThrownOut == true
        }
        try await eventually("the phone is nobody's") {
            try await persons(in: "games", at: ada)["phone"] == nil
        }
        // The tablet's key is older, whoever begins.
        _ = try await link(tablet, to: ada, "ada")
        try await eventually("the key") { try await NodeKeys(of: tablet).person() == person }
        #expect(try await NodeKeys(of: ada).person() == person)
        await nodes.stopAll()
    }

    /// Regression: a device that hid its person kept the key of the person in force.
    @Test func aLostDeviceThatHidesThePersonDoesNotKeepTheKey() async throws {
        let (ada, address) = try await nodes.start("ada")
        let (phone, _) = try await nodes.start("phone", peers: [address])
        _ = try await ada.createConversation(named: "games")
        _ = try await link(ada, to: phone, "phone")
        let former = try #require(try await NodeKeys(of: ada).person())
        await phone.stop()
        let file = nodes.settings("phone").dataDirectory.appending(path: "person.key")
        try FileManager.default.removeItem(at: file)
        let (thief, _) = try await nodes.start("phone", peers: [address])
        try await eventually("the phone is nobody's") {
            try await persons(in: "games", at: ada)["phone"] == nil
        }
        #expect(try await NodeKeys(of: ada).throwOut("phone").person == "ada")
        #expect(try await NodeKeys(of: ada).person() != former)
        await thief.stop()
        await nodes.stopAll()
    }

    @Test func nothingIsSharedIfOnlyOneSaysThatItIsTheOwnDevice() async throws {
        let (ada, address) = try await nodes.start("ada")
        let (eve, _) = try await nodes.start("eve", peers: [address])
        _ = try await ada.createConversation(named: "games")
        _ = try await eventually("eve is nearby") {
            try? await NodeKeys(of: ada).link(ownDevice: "eve")
        }
        try await eventually("the request") { await !eve.pairings().isEmpty }
        await #expect(throws: NodeError.pairedOtherwise(with: "ada", isOwn: true)) {
            _ = try await eve.pair(with: "ada")
        }
        try await eve.cancelPairing(try #require(await eve.pairings().first?.id))
        #expect(try await ending(of: ada) == .declined)
        #expect(try await eve.conversations().isEmpty)
        #expect(try await NodeKeys(of: ada).person() == nil)
        await nodes.stopAll()
    }

    /// A damaged key is not replaced in silence, as others would see another person.
    @Test(arguments: ["person.key", "linked.json"])
    func aDamagedFileOfThePersonIsRefused(_ name: String) async throws {
        let (ada, _) = try await nodes.start("ada")
        await ada.stop()
        let settings = nodes.settings("ada")
        let file = settings.dataDirectory.appending(path: name)
        try Data([1, 2, 3]).write(to: file)
        let error = await #expect(throws: NodeError.self) { _ = try await nodes.start("ada") }
        guard case .dataDirectoryUnusable(let path, _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == file.path)
        await nodes.stopAll()
    }

    /// Regression: a device whom somebody else threw out of a conversation was linked no more after
    /// the next change of its keys.
    @Test func whomAnotherOneThrewOutOfAConversationStaysLinked() async throws {
        let (ben, address) = try await nodes.start("ben")
        let (ada, adas) = try await nodes.start("ada", peers: [address])
        let (phone, _) = try await nodes.start("phone", peers: [address, adas])
        _ = try await ben.createConversation(named: "games")
        _ = try await ada.join(try await ben.invite(to: "games").link)
        _ = try await link(ada, to: phone, "phone")
        try await bothAre(in: ["games"], ada, phone)
        try await eventually("the phone at ben's") {
            try await NodeKeys(of: ben).members(of: "games").contains { $0.name == "phone" }
        }
        _ = try await NodeKeys(of: ben).change(of: "games", without: ["phone"])
        try await eventually("ada's keys") {
            try await !NodeKeys(of: ada).members(of: "games").contains { $0.name == "phone" }
        }
        _ = try await NodeKeys(of: ada).change(of: "games", without: [])
        _ = try await ada.createConversation(named: "notes")
        try await eventually("the notes") {
            try await phone.conversations().contains { $0.name == "notes" }
        }
        await nodes.stopAll()
    }

    /// Regression: a device that was away while the keys were changed twice heard only of the
    /// second change, and went on sharing with the lost device.
    @Test func aLossIsHeardOfBehindALaterChangeOfKeys() async throws {
        let (ben, address) = try await nodes.start("ben")
        let (ada, adas) = try await nodes.start("ada", peers: [address])
        let (phone, phones) = try await nodes.start("phone", peers: [address, adas])
        let (tablet, _) = try await nodes.start("tablet", peers: [address, adas, phones])
        _ = try await ben.createConversation(named: "games")
        _ = try await ada.join(try await ben.invite(to: "games").link)
        _ = try await link(ada, to: tablet, "tablet")
        _ = try await link(tablet, to: phone, "phone")
        try await bothAre(in: ["games"], tablet, phone)
        try await eventually("the devices at ada's") {
            try await persons(in: "games", at: ada).keys.contains("phone")
        }
        await tablet.stop()
        _ = try await NodeKeys(of: ada).throwOut("phone")
        try await eventually("ben's keys") {
            try await !NodeKeys(of: ben).members(of: "games").contains { $0.name == "phone" }
        }
        _ = try await NodeKeys(of: ben).change(of: "games", without: [])
        await ada.stop()
        #expect(try await isLinked(phone, at: "tablet"))
        let (back, _) = try await nodes.start("tablet", peers: [address])
        try await eventually("the end of sharing") { try await !isLinked(phone, at: "tablet") }
        await back.stop()
        await nodes.stopAll()
    }

    /// Regression: a loss whose key was not on disk had changed the keys of the conversations, and
    /// could not be tried again, as the device was not known any more.
    @Test func aLossIsTriedAgainAfterAFailureOfTheDisk() async throws {
        let (ada, address) = try await nodes.start("ada")
        let (phone, _) = try await nodes.start("phone", peers: [address])
        _ = try await ada.createConversation(named: "games")
        _ = try await link(ada, to: phone, "phone")
        try await bothAre(in: ["games"], ada, phone)
        let former = try #require(try await NodeKeys(of: ada).person())
        let file = nodes.settings("ada").dataDirectory.appending(path: "person.key")
        let aside = nodes.settings("ada").dataDirectory.appending(path: "aside.key")
        try FileManager.default.moveItem(at: file, to: aside)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let error = await #expect(throws: NodeError.self) {
            _ = try await NodeKeys(of: ada).throwOut("phone")
        }
        guard case .storeFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await NodeKeys(of: ada).person() == former)
        try await eventually("the former list") { try await isLinked(phone, at: "ada") }
        #expect(try await NodeKeys(of: ada).members(of: "games").count == 2)

        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: aside, to: file)
        let lost = try await NodeKeys(of: ada).throwOut("phone")
        #expect(lost.person == "ada" && lost.places.map(\.conversation) == ["games"])
        #expect(try await NodeKeys(of: ada).person() != former)
        #expect(try await NodeKeys(of: ada).members(of: "games").count == 1)
        await nodes.stopAll()
    }
}
