import Foundation
import ParleyAPI
import TestSupport
import Testing

/// Transcripts that have more than one page, and the history of a session.
@Suite(.timeLimit(.minutes(5)))
struct ReadingTests {
    /// Every entry is printed once and in order, however many pages they are.
    @Test func aLongTranscriptIsPrintedPageByPage() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        #expect(try await node.transcript().isEmpty)
        let urls = (1...450).map { "?\($0)" }
        let input = Data(urls.joined(separator: "\n").utf8)
        let sent = try await node.run("send", "-c", "games", "--url", "-", input: input)
        #expect(sent.status == 0, "\(sent.errorText)")

        #expect(try await node.transcript().map(\.url) == urls)
        for count in [1, 200, 201, 449, 450, 1_000] {
            let entries = try await node.ask(
                [TranscriptEntry].self,
                "transcript",
                "-c",
                "games",
                "--limit",
                "\(count)"
            )
            #expect(entries.map(\.url) == Array(urls.suffix(count)))
        }
        // Without a terminal all of them are printed, as a script expects.
        let text = try await node.run("transcript", "-c", "games").text
        #expect(text.contains("?1\n") && text.contains("?450\n"))
        let last = try await node.run("transcript", "-c", "games", "--limit", "2").text
        #expect(!last.contains("?448\n") && last.contains("?449\n") && last.contains("?450\n"))
        let follower = try Follower(of: node)
        let told = try await eventually("all of them") {
            let entries = try follower.entries()
            return entries.count == 450 ? entries : nil
        }
        #expect(told.map(\.url) == urls)
        follower.end()
        await node.end()
    }

    @Test func messagesAreFoundByTheirWords() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        for text in ["Pizza on Friday?", "Grüße aus Köln", "friday it is: PIZZA"] {
            _ = try await node.run("send", "-c", "games", "--text", text)
        }
        let found = try await node.ask(SearchResult.self, "search", "pizza", "fri")
        #expect(found.hits.map(\.text) == ["friday it is: PIZZA", "Pizza on Friday?"])
        let text = try await node.run("search", "-c", "games", "gruße").text
        #expect(text.contains("in games\n  Grüße aus Köln\n"), "\(text)")
        #expect(try await node.run("search", "pasta").text == "Nothing was found.\n")
        let one = try await node.run("search", "pizza", "--limit", "1").text
        #expect(one.contains("PIZZA") && one.contains("There are others"), "\(one)")
        #expect(try await node.run("search", "-c", "nowhere", "x").status == 65)
        #expect(try await Program.run(["search"]).status == 64)
        await node.end()
    }

    @Test func aSessionIsReplayed() async throws {
        struct Step: Decodable {
            let step: Int
            let of: Int
            let entry: TranscriptEntry
        }
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let session = UUID().uuidString
        let lines = (1...3).map {
            #"{"session": "\#(session)", "url": "?\#($0)", "summary": "move \#($0)"}"#
        }
        let input = Data(lines.joined(separator: "\n").utf8)
        let sent = try await node.run("send", "-c", "games", "--batch", "-", input: input)
        #expect(sent.status == 0, "\(sent.errorText)")
        let replay = ["history", session, "--replay", "--data", node.data]
        let steps = try await Program.run(replay + ["--json"]).documents(Step.self)
        #expect(steps.map(\.step) == [1, 2, 3] && steps.allSatisfy { $0.of == 3 })
        #expect(steps.map(\.entry.summaryText).prefix(2) == ["move 1", "move 2"])
        #expect(steps.last?.entry.url == "?3")
        for more in [[], ["--delay", "0.01"]] {
            let text = try await Program.run(replay + more).text
            let places = (1...3).map { text.range(of: "\($0) of 3, revision \($0)")?.lowerBound }
            #expect(places.compactMap(\.self).count == 3 && text.contains("?3\n"), "\(text)")
        }
        for wrong in [["--delay", "1"], ["--replay", "--delay", "-1"]] {
            #expect(try await Program.run(["history", session] + wrong).status == 64)
        }
        await node.end()
    }

    /// Regression: whoever lost a conflict was in no history, neither before nor after it was
    /// settled.
    @Test func theHistoryHasWhatLostAConflict() async throws {
        let directory = try TestDirectory()
        let alice = try await NodeProcess(data: directory.path("alice"))
        var bob = try await NodeProcess(data: directory.path("bob"))
        _ = try await alice.ask(Conversation.self, "conversation", "create", "games")
        let invite = try await alice.ask(Invite.self, "invite", "games")
        _ = try await bob.ask(Conversation.self, "join", invite.link)
        let session = UUID().uuidString
        for (node, word) in [(alice, "alice"), (bob, "bob")] {
            _ = try await node.ask(
                SentMessage.self,
                "send",
                "-c",
                "games",
                "--session",
                session,
                "--url",
                "?\(word)",
                "--summary",
                "\(word) moved"
            )
        }
        await bob.end()
        let peers = [try await alice.address]
        bob = try await NodeProcess(data: directory.path("bob"), peers: peers)
        for node in [alice, bob] {
            let conflict = try await eventually("the conflict") {
                try await node.ask([Conflict].self, "conflicts").first
            }
            let history = try await node.ask([TranscriptEntry].self, "history", session)
            #expect(history.map(\.message) == conflict.others)
            #expect(history.first?.message?.isConflict == true)
            #expect(try await node.run("history", session).text.contains("in conflict: "))
        }
        let sent = try await alice.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--session",
            session,
            "--url",
            "?settled"
        )
        for node in [alice, bob] {
            let history = try await eventually("the end of the conflict") {
                let detail = try await node.ask(SessionDetail.self, "show", session)
                guard detail.shown.id == sent.id else {
                    return nil as [TranscriptEntry]?
                }
                return try await node.ask([TranscriptEntry].self, "history", session)
            }
            #expect(Set(history.map(\.summaryText)) == ["alice moved", "bob moved"])
            #expect(history.allSatisfy { $0.message == nil })
        }
        await alice.end()
        await bob.end()
    }
}
