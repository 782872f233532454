import Foundation
import ParleyWeb
import Testing

/// `parley transcript --follow`, and who does not keep up.
@Suite(.timeLimit(.minutes(1)))
struct FollowTests {
    /// What waits for a follower is bounded; who stood still is told that it missed something.
    @Test func whoStandsStillIsCutOffAndToldSo() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(ConversationDocument.self, "conversation", "create", "games")
        _ = try await node.ask(SentDocument.self, "send", "-c", "games", "--url", "?first")
        let follower = try Follower(of: node)
        _ = try await eventually("the first") { try follower.entries().first }
        follower.pause()
        // More than may wait in the node and in the socket together.
        let urls = (1...2_000).map { "?" + String(repeating: "x", count: 4_000) + "\($0)" }
        let input = Data(urls.joined(separator: "\n").utf8)
        let finished = try await node.run("send", "-c", "games", "--url", "-", input: input)
        #expect(finished.status == 0, "\(finished.errorText)")
        follower.resume()
        let (status, problem) = try await follower.ended()
        #expect(status == 74)
        #expect(problem.error == "fellBehind")
        #expect(problem.hint == "Follow again: what is there comes first.")
        #expect(try follower.entries().count < 2_001)
        let again = try Follower(of: node)
        _ = try await eventually("all of it") { try again.entries().count == 2_001 ? true : nil }
        again.end()
        await node.end()
    }
}
