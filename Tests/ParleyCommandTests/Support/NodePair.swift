import Foundation
import ParleyAPI
import TestSupport
import Testing

/// Two nodes, of which one knows the address of the other, and the conversation `games`.
struct NodePair: Sendable {
    let directory: TestDirectory
    let alice: NodeProcess
    let bob: NodeProcess

    /// Starts both nodes; unless `isShared`, only one of them is in the conversation.
    init(isShared: Bool = true) async throws {
        directory = try TestDirectory()
        alice = try await NodeProcess(data: directory.path("alice"), name: "alice")
        bob = try await NodeProcess(
            data: directory.path("bob"),
            name: "bob",
            peers: [try await alice.address]
        )
        _ = try await alice.ask(Conversation.self, "conversation", "create", "games")
        guard isShared else { return }
        let invite = try await alice.ask(Invite.self, "invite", "games")
        let joined = try await bob.run("join", "-", "--json", input: Data(invite.link.utf8))
        try #require(joined.status == 0, "\(joined.errorText)")
    }

    /// Stops both nodes and expects the exit code 0.
    func end() async {
        await #expect(alice.end() == 0)
        await #expect(bob.end() == 0)
    }
}

extension NodeProcess {
    nonisolated func transcript() async throws -> [TranscriptEntry] {
        try await ask([TranscriptEntry].self, "transcript", "-c", "games")
    }

    /// Waits until the last message of the transcript has that URL, and returns the transcript.
    nonisolated func waitForURL(_ url: String) async throws -> [TranscriptEntry] {
        try await eventually("the message \(url)") {
            let entries = try await transcript()
            return entries.last?.url == url ? entries : nil
        }
    }
}
