import Foundation
import ParleyAPI
import ParleyCommand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BatchTests {
    @Test func badLinesAreReportedAndTheOthersAreSent() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let picture = try directory.write("board.png", DemoBoard().picture)
        let lines = [
            #"{"url": "?one"}"#, "not JSON", #"{"url": "?two", "session": "x"}"#, "",
            #"{"image": "missing.png"}"#, #"{"ulr": "?"}"#, #"{"url": "?three"}"#,
            #"{"caption": 5}"#, #"{"next": 5}"#, #"{"keepMetadata": 5}"#, #"{"timeout": "x"}"#,
            // Regression: the path ended at the character that ends a text in C.
            #"{"image": "\#(picture)\u0000.txt"}"#,
        ]
        let file = try directory.write("moves.jsonl", Data(lines.joined(separator: "\n").utf8))
        let finished = try await node.run("send", "-c", "games", "--batch", file, "--json")
        #expect(finished.status == 65)
        let sent = try finished.documents(SentMessage.self)
        // Messages are answered as they are acknowledged, in any order.
        #expect(sent.compactMap(\.line).sorted() == [1, 7])
        let problems = try finished.errors.split(separator: 0x0A).map {
            try JSON.decode(Problem.self, from: $0)
        }
        #expect(problems.map(\.line) == [2, 3, 5, 6, 8, 9, 10, 11, 12])
        #expect(problems.prefix(4).map(\.kind) == [.badJSON, .badInput, .noFile, .badJSON])
        #expect(
            problems[4..<8].map(\.message) == [
                "caption has to be a text.", "next has to be a list of texts.",
                "keepMetadata has to be true or false.", "timeout has to be a number.",
            ]
        )
        #expect(problems.last?.kind == .noFile)
        #expect(try await node.transcript().map(\.url) == ["?one", "?three"])
        await node.end()
    }

    /// Regression: a full disk was told once for each line that came after.
    @Test func whatIsWrongWithManyLinesIsToldShortly() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let lines = Array(repeating: "not JSON", count: 31) + [#"{"url": "?one"}"#]
        let file = try directory.write("moves.jsonl", Data(lines.joined(separator: "\n").utf8))
        let finished = try await node.run("send", "-c", "games", "--batch", file)
        #expect(finished.status == 65)
        let errors = String(decoding: finished.errors, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("error:") }
        #expect(errors.count == 11)
        #expect(errors.last?.contains("21 more lines: ") == true, "\(errors)")
        #expect(try await node.transcript().map(\.url) == ["?one"])
        await node.end()
    }

    @Test func linesOfOneSessionKeepTheirOrder() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let urls = (1...500).map { "?move=\($0)" }
        let finished = try await node.run(
            "send",
            "-c",
            "games",
            "--session",
            UUID().uuidString,
            "--url",
            "-",
            "--json",
            input: Data(urls.joined(separator: "\n").utf8)
        )
        #expect(finished.status == 0, "\(finished.errorText)")
        let sent = try finished.documents(SentMessage.self)
        #expect(sent.count == 500)
        #expect(sent.allSatisfy { UInt64($0.line ?? 0) == $0.revision })
        #expect(try await node.transcript().last?.url == "?move=500")
        #expect(try await node.ask([Conflict].self, "conflicts").isEmpty)
        await node.end()
    }

    @Test func unknownConversationIsOneMistake() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        let finished = try await node.run(
            "send",
            "-c",
            "nope",
            "--url",
            "-",
            "--json",
            input: Data("?1\n?2\n?3\n".utf8)
        )
        #expect(finished.status == 65)
        #expect(try finished.problem().kind == .unknownConversation)
        await node.end()
    }
}
