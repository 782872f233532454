import Foundation
import ParleyAPI
import ParleyCommand
import TestSupport
import Testing

/// Two nodes that are used by commands only, from the first invite to the last transcript.
@Suite(.timeLimit(.minutes(5)))
struct TwoMachinesTests {
    @Test func messagesGoBackAndForth() async throws {
        let pair = try await NodePair()
        let first = try await pair.alice.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--url",
            "?move=e4",
            "--caption",
            "Your move",
            "--summary",
            "alice opened",
            "--app",
            "org.example.chess",
            "--wait",
            "delivered=1",
            "--timeout",
            "10"
        )
        #expect(first.state == .delivered)
        #expect(first.nodes == 1)
        #expect(first.revision == 1)
        let second = try await pair.bob.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--session",
            "\(first.session)",
            "--url",
            "?move=e5"
        )
        #expect(second.revision == 2)
        #expect(second.state == .stored)
        let shown = try await pair.alice.waitForURL("?move=e5")
        #expect(shown.map(\.isMessage) == [false, true])
        #expect(shown[0].summaryText == "alice opened")
        #expect(shown[0].id == first.id)
        #expect(shown[1].id == second.id)
        #expect(shown[1].summary.sender.name == "bob")
        #expect(shown[1].layout == nil)

        let detail = try await pair.alice.ask(SessionDetail.self, "show", "\(first.session)")
        #expect(detail.shown.id == second.id)
        #expect(detail.conversation == "games")
        let history = try await pair.alice.ask(
            [TranscriptEntry].self,
            "history",
            "\(first.session)"
        )
        #expect(history.map(\.id) == [first.id])
        #expect(try await pair.alice.ask([Conflict].self, "conflicts").isEmpty)
        await pair.end()
    }

    /// Regression: after a restart, participants who were not linked had no names.
    @Test func thoseWhoAreAwayHaveNamesAfterARestart() async throws {
        let pair = try await NodePair()
        _ = try await pair.bob.ask(SentMessage.self, "send", "-c", "games", "--url", "?one")
        _ = try await pair.alice.waitForURL("?one")
        await pair.end()
        let alice = try await NodeProcess(data: pair.alice.data, name: "alice")
        #expect(try await alice.transcript().map(\.summary.sender.name) == ["bob"])
        await #expect(alice.end() == 0)
    }

    @Test func everyCommandHasTextForPeopleToo() async throws {
        let pair = try await NodePair()
        let sent = try await pair.alice.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--url",
            "?one",
            "--caption",
            "Hello \u{1B}[31m"
        )
        _ = try await pair.bob.waitForURL("?one")
        let commands = [
            ["transcript", "-c", "games"], ["show", "\(sent.session)"],
            ["history", "\(sent.session)"],
            ["conflicts"], ["peers"], ["nearby"], ["status"], ["conversation", "list"],
            ["invite", "games", "--qr"], ["conversation", "leave", "games", "--force"],
        ]
        for command in commands {
            let finished = try await Program.run(command + ["--data", pair.bob.data])
            #expect(finished.status == 0, "\(command): \(finished.errorText)")
            #expect(!finished.text.isEmpty, "\(command)")
            #expect(!finished.text.contains("\u{1B}"), "\(command): no colours to a file")
        }
        await pair.end()
    }

    @Test func pictureArrives() async throws {
        let pair = try await NodePair()
        let files = try TestDirectory()
        var board = DemoBoard()
        board.take(4)
        let file = try files.write("board.txt", board.picture)
        let sent = try await pair.alice.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--image",
            file,
            "--image-title",
            "Board"
        )
        let picture = try await eventually("the picture") {
            let entries = try await pair.bob.transcript()
            let image = entries.last { $0.id == sent.id }?.layout?.image
            return image?.isHere == true ? image : nil
        }
        #expect(picture.type == "image/png")
        #expect(picture.bytes == board.picture.count)
        await pair.end()
    }

    @Test func peersAndStatusSayWhatIsLinked() async throws {
        let pair = try await NodePair()
        let peers = try await eventually("the link") {
            let peers = try await pair.bob.ask([Peer].self, "peers")
            return peers.first?.state == .connected ? peers : nil
        }
        let alice = try #require(await pair.alice.ready)
        #expect(peers.map(\.device) == [alice.device])
        #expect(peers[0].name == "alice")
        #expect(peers[0].conversations == ["games"])
        let status = try await pair.alice.ask(NodeStatus.self, "status")
        #expect(status.device == alice.device)
        #expect(status.links == 1)
        #expect(status.conversations == 1)
        #expect(status.store.state == .ok)
        #expect(status.discovery.state == .off)
        let conversations = try await pair.bob.ask(
            [Conversation].self,
            "conversation",
            "list"
        )
        #expect(conversations.map(\.name) == ["games"])
        #expect(conversations[0].role == .writer)
        #expect(!conversations[0].isOpen)
        await pair.end()
    }

    @Test func followShowsWhatIsThereAndWhatChanges() async throws {
        let pair = try await NodePair()
        let session = UUID().uuidString
        for url in ["?1", "?2"] {
            _ = try await pair.alice.ask(
                SentMessage.self,
                "send",
                "-c",
                "games",
                "--session",
                session,
                "--url",
                url
            )
        }
        _ = try await pair.bob.waitForURL("?2")
        let follower = try Follower(of: pair.bob)
        _ = try await eventually("the present") { try follower.entries().count == 2 ? true : nil }
        _ = try await pair.alice.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--session",
            session,
            "--url",
            "?3"
        )
        let all = try await eventually("the change") {
            let entries = try follower.entries()
            return entries.contains { $0.url == "?3" } ? entries : nil
        }
        #expect(all.prefix(2).map(\.isMessage) == [false, true])
        follower.end()
        await pair.end()
    }

    @Test func aFollowerIsNeverToldWhatWasBefore() async throws {
        let pair = try await NodePair()
        let session = UUID().uuidString
        let urls = (1...300).map { "?\($0)" }
        async let sending = pair.alice.run(
            "send",
            "-c",
            "games",
            "--session",
            session,
            "--url",
            "-",
            input: Data(urls.joined(separator: "\n").utf8)
        )
        // Each follower starts at another point of the exchange.
        let followers = try (0..<3).map { _ in try Follower(of: pair.bob) }
        for follower in followers {
            let entries = try await eventually("the last one") {
                let entries = try follower.entries()
                return entries.last?.url == "?300" ? entries : nil
            }
            let revisions = entries.compactMap(\.message?.revision)
            #expect(revisions == revisions.sorted())
            follower.end()
        }
        #expect(try await sending.status == 0)
        await pair.end()
    }
}
