import Foundation
import ParleyAPI
import TestSupport
import Testing

/// `parley transcript --follow`, also for a follower that does not keep up.
@Suite(.timeLimit(.minutes(5)))
struct FollowTests {
    /// The queue of a follower is bounded; a follower that stops reading learns that it missed
    /// entries.
    @Test func whoStandsStillIsCutOffAndToldSo() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        _ = try await node.ask(SentMessage.self, "send", "-c", "games", "--url", "?first")
        let follower = try Follower(of: node)
        _ = try await eventually("the first") { try follower.entries().first }
        follower.pause()
        // A suspended process does not end.
        defer { follower.resume() }
        // The messages are more than the node and the socket can buffer together.
        let urls = (1...2_000).map { "?" + String(repeating: "x", count: 1_000) + "\($0)" }
        let input = Data(urls.joined(separator: "\n").utf8)
        let finished = try await node.run("send", "-c", "games", "--url", "-", input: input)
        #expect(finished.status == 0, "\(finished.errorText)")
        follower.resume()
        let (status, problem) = try await follower.ended()
        #expect(status == 74)
        #expect(problem.kind == .fellBehind)
        #expect(problem.hint == "Follow again; the stream starts with all present entries.")
        #expect(try follower.entries().count < 2_001)
        let again = try Follower(of: node)
        _ = try await eventually("all of it", within: .seconds(45)) {
            try again.lineCount() == 2_001 ? true : nil
        }
        again.end()
        await node.end()
    }

    /// Regression: a follower ended with "stopped before it had answered".
    @Test func aFollowerGoesOnWhenItsNodeIsStartedAgain() async throws {
        let directory = try TestDirectory()
        var node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        _ = try await node.ask(SentMessage.self, "send", "-c", "games", "--url", "?1")
        let follower = try Follower(of: node)
        try await eventually("the first") { try follower.entries().map(\.url) == ["?1"] }
        for (signal, url) in [(SIGTERM, "?2"), (SIGKILL, "?3")] {
            await node.end(with: signal)
            node = try await NodeProcess(data: directory.path("node"))
            _ = try await node.ask(SentMessage.self, "send", "-c", "games", "--url", url)
            try await eventually("the next") { try follower.entries().last?.url == url }
        }
        #expect(try follower.entries().map(\.url) == ["?1", "?2", "?3"])
        follower.end()
        await node.end()
    }

    /// Of two messages with one revision a follower receives the one that the node shows, even if
    /// it has received the other one before.
    @Test func rivalThatWinsIsTold() async throws {
        let directory = try TestDirectory()
        let alice = try await NodeProcess(data: directory.path("alice"))
        var bob = try await NodeProcess(data: directory.path("bob"))
        _ = try await alice.ask(Conversation.self, "conversation", "create", "games")
        let invite = try await alice.ask(Invite.self, "invite", "games")
        _ = try await bob.ask(Conversation.self, "join", invite.link)
        let sessions = (0..<20).map { _ in UUID().uuidString }
        for (node, url) in [(alice, "?alice"), (bob, "?bob")] {
            let lines = sessions.map { #"{"url": "\#(url)", "session": "\#($0)"}"# }
            let file = try directory.write("moves", Data(lines.joined(separator: "\n").utf8))
            let finished = try await node.run("send", "-c", "games", "--batch", file)
            #expect(finished.status == 0, "\(finished.errorText)")
        }
        let follower = try Follower(of: alice)
        _ = try await eventually("her own") { try follower.entries().count == 20 ? true : nil }
        await bob.end()
        let peers = [try await alice.address]
        bob = try await NodeProcess(data: directory.path("bob"), peers: peers)
        _ = try await eventually("all conflicts") {
            try await alice.ask([Conflict].self, "conflicts").count == 20 ? true : nil
        }
        // The transcript also has the summaries of replaced messages.
        let shown = try await alice.transcript().filter(\.isMessage)
        let told = try await eventually("what stands, at the follower") {
            let entries = try follower.entries().filter(\.isMessage)
            let last = Dictionary(entries.map { ($0.session, $0.id) }) { $1 }
            return Set(last.values) == Set(shown.map(\.id)) ? entries : nil
        }
        #expect(Set(told.dropFirst(20).map(\.url)) == ["?bob"], "she is told only of what won")
        #expect(Set(shown.map(\.url)) == ["?alice", "?bob"], "of twenty each has won some")
        follower.end()
        await alice.end()
        await bob.end()
    }
}
