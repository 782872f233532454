import ParleyNode
import TestSupport
import Testing

/// Invites that end, between nodes.
@Suite(.timeLimit(.minutes(5)))
struct KnockNodesTests {
    /// The first node dials nobody, and the others know it by the link only.
    @Test func aLinkThatEndsLetsInAsManyAsItSays() async throws {
        let nodes = try TestNodes()
        let (one, _) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two")
        let (three, _) = try await nodes.start("three")
        _ = try await one.createConversation(named: "games")
        _ = try await one.send(Draft("?move=1"), to: "games")
        let invite = try await one.invite(to: "games", role: .reader, lasting: nil, uses: 1)
        #expect(try await two.join(invite.link).role == .reader)
        _ = try await eventually("the message") {
            try await two.urls("games") == ["?move=1"] ? true : nil
        }
        await #expect(throws: NodeError.notLetIn(by: "one", .usedUp)) {
            _ = try await three.join(invite.link)
        }
        await #expect(throws: NodeError.alreadyJoined(as: "games", .reader)) {
            _ = try await two.join(invite.link)
        }
        let listed = try #require(try await one.invites().first)
        #expect(listed.state == .usedUp)
        #expect(listed.came.map(\.name) == ["two"])
        let seen = try await eventually("who invited two") {
            await one.peers().first { $0.name == "two" }?.invitedBy
        }
        #expect(seen == ["games": "one"])
        await nodes.stopAll()
    }

    @Test func whatEndsIsKeptOverARestart() async throws {
        let nodes = try TestNodes()
        var (one, _) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two")
        _ = try await one.createConversation(named: "games")
        let invite = try await one.invite(to: "games", role: .writer, lasting: 3_600, uses: 2)
        _ = try await two.join(invite.link)
        let before = try await one.invites()
        await one.stop()
        (one, _) = try await nodes.start("one")
        #expect(try await one.invites() == before)
        #expect(before.first?.came.count == 1)
        await nodes.stopAll()
    }

    @Test func openConversationsHaveNoInvitesThatEnd() async throws {
        let nodes = try TestNodes()
        let (one, _) = try await nodes.start("one")
        let open = try await one.join("open:lobby").name
        await #expect(throws: NodeError.self) {
            _ = try await one.invite(to: open, role: .writer, lasting: 60, uses: nil)
        }
        await nodes.stopAll()
    }
}
