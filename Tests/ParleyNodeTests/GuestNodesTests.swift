import Foundation
import ParleyNode
import TestSupport
import Testing

/// Guests of a node: participants of their own on all nodes, who can do nothing but write.
@Suite(.timeLimit(.minutes(5)))
struct GuestNodesTests {
    private let hash = [UInt8](repeating: 7, count: 32)

    private struct Pair {
        let nodes: TestNodes
        let one: Node
        let two: Node
    }

    private func pair() async throws -> Pair {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
        return Pair(nodes: nodes, one: one, two: two)
    }

    @Test func aGuestIsAParticipantOfItsOwnOnEveryNode() async throws {
        let pair = try await pair()
        let mia = try await pair.one.seat("Mia", in: "games", secretHash: hash)
        let session = SessionID()
        let guest = GuestNode(pair.one, guest: mia)
        _ = try await guest.send(Draft("?mia", session: session), to: "games", wait: .stored)
        _ = try await pair.one.send(Draft("?host"), to: "games")
        try await eventually("both messages") { try await pair.two.urls("games").count == 2 }
        let seen = try await pair.two.session(session).shown.sender
        let host = try await pair.one.status().device
        #expect(seen.id == mia.participant.id)
        #expect(seen.name == "Mia")
        #expect(seen.host == host)
        #expect(seen.device != host)
        let people = try await pair.two.conversations()[0].participants
        #expect(people.contains { $0.id == mia.participant.id && $0.host == host })
        // Whoever is next by the message of the host may be the guest alone.
        var draft = Draft("?next", session: session)
        draft.next = [mia.participant.id]
        _ = try await pair.one.send(draft, to: "games")
        await #expect(throws: NodeError.notYourTurn(next: [mia.participant.id])) {
            _ = try await pair.one.send(Draft("?mine", session: session), to: "games")
        }
        _ = try await guest.send(Draft("?turn", session: session), to: "games", wait: .stored)
        try await eventually("the turn") {
            try await pair.two.session(session).shown.content?.url == "?turn"
        }
        await pair.nodes.stopAll()
    }

    @Test func aSeatOutlivesARestartAndANewName() async throws {
        let nodes = try TestNodes()
        let (before, _) = try await nodes.startWithMessage()
        let mia = try await before.seat("Mia", in: "games", secretHash: hash)
        let renamed = try await before.change(mia, name: "Mia B.")
        #expect(renamed.participant.id == mia.participant.id)
        await before.stop()
        let (after, _) = try await nodes.start("one")
        let guests = try await after.guests(of: "games")
        #expect(guests == [renamed])
        let session = SessionID()
        _ = try await after.send(Draft("?b", session: session), to: "games", as: mia.participant.id)
        let sender = try await after.session(session).shown.sender
        #expect(sender.id == mia.participant.id)
        #expect(sender.name == "Mia B.")
        await nodes.stopAll()
    }

    @Test func aRemovedGuestCannotWriteAndTheMessagesStay() async throws {
        let pair = try await pair()
        let mia = try await pair.one.seat("Mia", in: "games", secretHash: hash)
        let guest = GuestNode(pair.one, guest: mia)
        _ = try await guest.send(Draft("?mia"), to: "games", wait: .stored)
        try await pair.one.remove(mia)
        await #expect(throws: NodeError.unknownGuest) {
            _ = try await guest.send(Draft("?late"), to: "games", wait: .stored)
        }
        #expect(try await guest.conversations().isEmpty)
        #expect(try await pair.one.urls("games") == ["?mia"])
        // The next guest at the seat is somebody else.
        let tom = try await pair.one.seat("Tom", in: "games", secretHash: hash)
        #expect(tom.seat == mia.seat)
        #expect(tom.participant.id != mia.participant.id)
        #expect(try await guest.conversations().isEmpty)
        await #expect(throws: NodeError.unknownGuest) {
            _ = try await guest.send(Draft("?late"), to: "games", wait: .stored)
        }
        // Regression: a removed guest gave whoever had the seat next another name.
        await #expect(throws: NodeError.unknownGuest) {
            _ = try await pair.one.change(mia, name: "Eve")
        }
        await #expect(throws: NodeError.unknownGuest) { try await pair.one.remove(mia) }
        #expect(try await pair.one.guests().map(\.name) == ["Tom"])
        await #expect(throws: NodeError.unknownConversation("games")) {
            _ = try await guest.transcript(of: "games", at: .start, limit: 1)
        }
        await pair.nodes.stopAll()
    }

    /// Regression: guests read the addresses of devices and the names of their conversations.
    @Test func aGuestLearnsOfDevicesOnlyThatTheyAreThere() async throws {
        let pair = try await pair()
        _ = try await pair.one.createConversation(named: "secret")
        _ = try await pair.two.join(try await pair.one.invite(to: "secret").link)
        let guest = GuestNode(
            pair.one,
            guest: try await pair.one.seat("Mia", in: "games", secretHash: hash)
        )
        try await eventually("the other node") {
            await pair.one.peers().first?.conversations.count == 2
        }
        let peers = await guest.peers()
        #expect(peers.map(\.name) == ["two"])
        #expect(peers.map(\.conversations) == [["games"]])
        #expect(peers.map(\.address) == [""])
        #expect(peers.flatMap(\.addresses).isEmpty)
        await pair.nodes.stopAll()
    }

    /// Regression: another conversation of the same name was open to the guests of the first.
    @Test func aGuestIsOfAConversationAndNotOfItsName() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        let mia = try await node.seat("Mia", in: "games", secretHash: hash)
        let guest = GuestNode(node, guest: mia)
        try await node.leaveConversation(named: "games", force: true)
        _ = try await node.createConversation(named: "games")
        _ = try await node.send(Draft("?hidden"), to: "games")
        #expect(try await guest.conversations().isEmpty)
        await #expect(throws: NodeError.unknownConversation("games")) {
            _ = try await guest.transcript(of: "games", at: .start, limit: 1)
        }
        await #expect(throws: NodeError.unknownGuest) {
            _ = try await guest.send(Draft("?x"), to: "games", wait: .stored)
        }
        await nodes.stopAll()
    }

    /// Regression: a guest could take the name of another guest, or of the host.
    @Test func nobodyHasTheNameOfSomebodyElse() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        let mia = try await node.seat(" Mia ", in: "games", secretHash: hash)
        let tom = try await node.seat("ONE", in: "games", secretHash: hash)
        #expect([mia.name, tom.name] == ["Mia", "ONE 2"])
        #expect(try await node.change(tom, name: "mia").name == "mia 2")
        #expect(try await node.change(mia, name: "MIA").name == "MIA")
        await nodes.stopAll()
    }

    @Test func aGuestSeesOneConversationOnly() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        _ = try await node.createConversation(named: "secret")
        let sent = try await node.send(Draft("?hidden"), to: "secret")
        let mia = try await node.seat("Mia", in: "games", secretHash: hash)
        let guest = GuestNode(node, guest: mia)
        #expect(try await guest.conversations().map(\.name) == ["games"])
        #expect(try await guest.conversations()[0].me.name == "Mia")
        #expect(await guest.nearby().isEmpty)
        #expect(await guest.pairings().isEmpty)
        let unknown = NodeError.unknownConversation("secret")
        await #expect(throws: unknown) {
            _ = try await guest.send(Draft("?x"), to: "secret", wait: .stored)
        }
        await #expect(throws: unknown) {
            _ = try await guest.transcript(of: "secret", at: .start, limit: 1)
        }
        await #expect(throws: unknown) {
            _ = try await guest.session(sent.session, in: "secret")
        }
        await #expect(throws: unknown) { _ = try await guest.session(of: sent.id, in: "secret") }
        await #expect(throws: unknown) {
            _ = try await guest.sides(on: [.message(sent.id)], last: 1, in: "secret")
        }
        await #expect(throws: unknown) {
            _ = try await guest.pictureBytes(of: sent.id, session: sent.session, in: "secret")
        }
        await #expect(throws: NodeError.unknownSession(sent.session.description)) {
            _ = try await guest.session(sent.session, in: "games")
        }
        let shown = try await node.session(sent.session).shown
        #expect(!guest.tells(.shown(conversation: "secret", shown)))
        #expect(guest.tells(.shown(conversation: "games", shown)))
        #expect(guest.tells(.conversationsChanged))
        #expect(!guest.tells(.duplicateIdentity(device: "", address: "")))
        await nodes.stopAll()
    }

    /// Regression: guests could use up the share of the device, and the host could not write.
    @Test func guestsLeaveRoomForTheHost() async throws {
        let nodes = try TestNodes()
        var settings = nodes.settings("one")
        settings.headsMax = 8
        let (node, _) = try await nodes.start(settings)
        _ = try await node.createConversation(named: "games")
        let mia = try await node.seat("Mia", in: "games", secretHash: hash)
        let guest = GuestNode(node, guest: mia)
        let session = SessionID()
        for number in 0..<5 {
            let draft = Draft("?\(number)", session: number == 0 ? session : SessionID())
            _ = try await guest.send(draft, to: "games", wait: .stored)
        }
        await #expect(throws: NodeError.self) {
            _ = try await guest.send(Draft("?more"), to: "games", wait: .stored)
        }
        // A game that is there goes on.
        _ = try await guest.send(Draft("?turn", session: session), to: "games", wait: .stored)
        for number in 0..<3 { _ = try await node.send(Draft("?host\(number)"), to: "games") }
        await nodes.stopAll()
    }

    @Test func onlyAWriterHasGuests() async throws {
        let pair = try await pair()
        _ = try await pair.one.createConversation(named: "read")
        _ = try await pair.two.join(try await pair.one.invite(to: "read", role: .reader).link)
        await #expect(throws: NodeError.readOnly(conversation: "read")) {
            _ = try await pair.two.seat("Mia", in: "read", secretHash: hash)
        }
        await #expect(throws: NodeError.self) {
            _ = try await pair.one.seat(" ", in: "games", secretHash: hash)
        }
        await #expect(throws: NodeError.self) {
            _ = try await pair.one.seat("Mia", in: "games", secretHash: [1])
        }
        await pair.nodes.stopAll()
    }
}
