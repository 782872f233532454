import ParleyCore
import ParleyNode
import TestSupport
import Testing

/// What an author learns of a relay whose quota is used up.
@Suite(.timeLimit(.minutes(5)))
struct FullPeerTests {
    /// Regression: the author's node said that the relay was connected, and nothing else.
    @Test func theAuthorLearnsThatARelayIsFullAndWhenItHasSpaceAgain() async throws {
        let nodes = try TestNodes()
        var full = nodes.settings("relay")
        full.limits.allConversations.heads = 2
        let (relay, ready) = try await nodes.start(full)
        let log = LogLines()
        var settings = nodes.settings("one", peers: ready.addresses)
        settings.log = log.output
        let (author, _) = try await nodes.start(settings)
        for name in ["more", "games"] {
            _ = try await author.createConversation(named: name)
            _ = try await relay.join(try await author.invite(to: name, role: .relay).link)
            let wait = SendWait.linked(nodes: 1, timeout: .seconds(30))
            _ = try await author.send(Draft("?1"), to: name, wait: wait)
        }
        try await #expect(relay.status().sessions == 2)
        #expect(await author.peers().map(\.full) == [[]])

        let error = await #expect(throws: NodeError.self) {
            let wait = SendWait.linked(nodes: 1, timeout: .milliseconds(300))
            _ = try await author.send(Draft("?2"), to: "games", wait: wait)
        }
        guard case .notYetDelivered(_, wanted: 1, linked: 1, full: 1)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await author.peers().map(\.full) == [["games"]])
        #expect(log.take().filter { $0.contains("takes no new sessions: games: ") }.count == 1)
        #expect(await relay.statusWords?.hasSuffix("; quotas.all-conversations is used up") == true)
        let stored = await relay.measurements?.figures.framesSent[.stored] ?? 0
        #expect(stored >= 3, "two with a session, and one that says that it is full")

        try await relay.leaveConversation(named: "more")
        try await eventually("the last session") { try await relay.status().sessions == 2 }
        try await eventually("no more of it") { await author.peers().map(\.full) == [[]] }
        let ends = log.take().filter { $0.contains("link closed: ") }
        #expect(!ends.isEmpty)
        await nodes.stopAll()
    }
}
