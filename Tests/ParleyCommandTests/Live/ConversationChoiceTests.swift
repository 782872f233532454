import Foundation
import ParleyAPI
import TestSupport
import Testing

/// What a person types least: a text, and no conversation where there is only one.
@Suite(.timeLimit(.minutes(5)))
struct ConversationChoiceTests {
    @Test func theOnlyConversationIsTaken() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        let none = try await node.run("send", "--text", "Hello")
        #expect(none.status == 65, "\(none.errorText)")
        #expect(none.errorText.contains(": parley conversation create NAME --data"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        #expect(try await node.run("send", "--text", "Hello").status == 0)
        let read = try await node.run("transcript")
        #expect(read.status == 0 && read.text.contains("\n  Hello\n"), "\(read.text)")
        #expect(try await node.ask(Invite.self, "invite").conversation == "games")
        let opened = try await node.run("open", "tictactoe", input: Data("q\n".utf8))
        #expect(opened.status == 0, "\(opened.errorText)")
        _ = try await node.ask(Conversation.self, "conversation", "create", "work")
        for command in [
            ["transcript"], ["send", "--text", "Hello"], ["open", "tictactoe"], ["invite"],
        ] {
            let refused = try await Program.run(command + ["--data", node.data])
            #expect(refused.status == 64)
            #expect(refused.errorText.contains("several conversations: games, work."))
            #expect(refused.errorText.contains("hint: Name one of them."))
        }
        await node.end()
    }

    @Test func theNearestNameIsSuggested() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "Friday games")
        let commands = [
            ["send", "--text", "Hello", "-c"], ["transcript", "-c"], ["open", "tictactoe", "-c"],
            ["transcript", "--follow", "-c"], ["invite"],
        ]
        for command in commands {
            let name = command.contains("--follow") ? "friday games" : "Friday gmaes"
            let refused = try await Program.run(command + [name, "--data", node.data])
            #expect(refused.status == 65)
            #expect(
                refused.errorText.contains(#"hint: Did you mean "Friday games"?"#),
                "\(command): \(refused.errorText)"
            )
        }
        let far = try await node.run("transcript", "-c", "chess")
        #expect(far.errorText.contains("See: parley conversation list"))
        await node.end()
    }

    /// A text is what the page makes of one, and a message of its author can replace it.
    @Test func aTextIsSentAsThePageDoes() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let sent = try await node.ask(SentMessage.self, "send", "--text", "Hello\nall of you")
        let entry = try #require(try await node.transcript().first?.message)
        #expect(entry.content?.app == "parley.text")
        #expect(entry.content?.layout?.caption == "Hello\nall of you")
        #expect(entry.session == sent.session)
        // Apps hear of no session of this version.
        #expect(sent.session.description.dropFirst(14).first == "8")
        #expect(try await node.run("transcript").text.contains("\n  Hello\n  all of you\n"))
        let session = sent.session.description
        let input = Data(#"{"text": "Good morning", "session": "\#(session)"}"#.utf8)
        #expect(try await node.run("send", "--batch", "-", input: input).status == 0)
        let captions = try await node.transcript().map(\.message?.content?.layout?.caption)
        #expect(captions == [nil, "Good morning"])
        for more in [["--url", "?"], ["--caption", "c"], ["--app", "x"], ["--summary", "s"]] {
            let refused = try await Program.run(
                ["send", "--text", "Hello", "--data", node.data] + more
            )
            #expect(refused.status == 65, "\(more)")
            #expect(refused.errorText.contains("A text has no URL"), "\(refused.errorText)")
        }
        let long = try await node.run("send", "--text", String(repeating: "x", count: 10_001))
        #expect(long.status == 65)
        #expect(long.errorText.contains("The text has 10001 characters"), "\(long.errorText)")
        #expect(try await node.run("send", "--text", " ").status == 65)
        await node.end()
    }

    /// Identifiers and URLs are for programs: people ask for them with `--long`.
    @Test func aTranscriptIsForPeople() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let sent = try await node.ask(
            SentMessage.self,
            "send",
            "--app",
            "org.example.chess",
            "--url",
            "?board=rnbqkbnr",
            "--caption",
            "Your move"
        )
        let bare = try await node.ask(SentMessage.self, "send", "--url", "?only=this")
        let ids = [sent, bare].map(\.session.description)
        let short = try await node.run("transcript").text
        #expect(short.contains("\n  Your move\n") && short.contains("\n  ?only=this\n"))
        #expect(short.contains("just now") || short.contains("s ago"), "\(short)")
        #expect(!short.contains("rnbqkbnr") && !short.contains("revision"), "\(short)")
        #expect(ids.allSatisfy { !short.contains($0) })
        let long = try await node.run("transcript", "--long").text
        #expect(long.contains("?board=rnbqkbnr") && long.contains("revision 1"))
        #expect(ids.allSatisfy { long.contains("session \($0)") })
        let follower = try Follower(of: node)
        try await eventually("both entries") { try follower.entries().count == 2 }
        follower.end()
        await node.end()
    }

    /// Regression: `--web` took a port alone, and `--listen` refused one.
    @Test func aPortAloneIsListenedOn() async throws {
        let directory = try TestDirectory()
        let refused = try await Program.run(
            ["node", "--listen", "70000", "--data", directory.path("none")]
        )
        #expect(refused.status == 64 && refused.errorText.contains("70000"))
        let node = try await NodeProcess(data: directory.path("node"), listen: "0")
        let status = try await node.ask(NodeStatus.self, "status")
        let ports = Set(status.addresses.map { $0.split(separator: ":").last })
        #expect(ports.count == 1 && ports != ["27275"])
        await node.end()
    }
}
