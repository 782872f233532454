import Foundation
import ParleyNode
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TwoNodesTests {
    @Test func messageArrivesAndReplacesTheOneBefore() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        let invite = try await one.invite(to: "games")
        _ = try await two.join(invite.link)
        let session = SessionID()
        _ = try await one.send(Draft("?move=1", session: session), to: "games")
        _ = try await eventually("the first message") {
            try await two.urls("games") == ["?move=1"] ? true : nil
        }
        let reply = try await two.send(
            Draft("?move=2", session: session),
            to: "games",
            wait: .delivered(nodes: 1, timeout: .seconds(5))
        )
        #expect(reply.revision == 2)
        #expect(reply.nodes == 1)
        #expect(try await one.urls("games") == ["?move=2"])
        await one.stop()
        await two.stop()
    }

    @Test func pictureArrivesByteForByte() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
        let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var draft = Draft("?board")
        draft.picture = Picture(type: "image/png", bytes: bytes)
        let sent = try await one.send(draft, to: "games")
        let arrived = try await eventually("the picture") {
            try? await two.pictureBytes(of: sent.id, session: sent.session)
        }
        #expect(arrived == bytes)
        await one.stop()
        await two.stop()
    }

    /// Regression: after a restart, devices without a link had no name.
    @Test func restartedNodeKnowsWhoIsAway() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
        _ = try await two.send(Draft("?move=1"), to: "games")
        _ = try await eventually("the message") {
            try await one.urls("games") == ["?move=1"] ? true : nil
        }
        await two.stop()
        await one.stop()
        let (again, _) = try await nodes.start("one")
        let conversation = try #require(try await again.conversations().first)
        #expect(conversation.me.name == "one")
        #expect(Set(conversation.participants.map(\.name)) == ["one", "two"])
        guard case .message(let message)? = try await again.transcript(of: "games").first else {
            Issue.record("the message is gone")
            return
        }
        #expect(message.sender.name == "two")
        await again.stop()
        // The node that dialled also knows the name and the last address of the other one.
        let (other, _) = try await nodes.start("two")
        #expect(await other.peers().map(\.name) == ["one"])
        await other.stop()
    }

    @Test func restartedNodeShowsWhatWasAcknowledged() async throws {
        let nodes = try TestNodes()
        let (one, _) = try await nodes.start("one")
        _ = try await one.createConversation(named: "games")
        for move in 0..<20 { _ = try await one.send(Draft("?move=\(move)"), to: "games") }
        await one.stop()
        let (again, _) = try await nodes.start("one")
        #expect(try await again.urls("games") == (0..<20).map { "?move=\($0)" })
        await again.stop()
    }
}
