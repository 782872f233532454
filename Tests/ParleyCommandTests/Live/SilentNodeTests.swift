import Foundation
import ParleyAPI
import TestSupport
import Testing

/// Commands whose node runs but does not answer.
@Suite(.timeLimit(.minutes(5)))
struct SilentNodeTests {
    private static let session = "3C484B13-65A3-41F6-97E3-231E60669861"

    static let commands: [[String]] = [
        ["status"], ["page"], ["peers"], ["nearby"], ["conversation", "list"],
        ["conversation", "create", "more"], ["conversation", "leave", "games"],
        ["invite", "games"], ["join", "open:lobby"], ["send", "-c", "games", "--url", "?"],
        ["send", "-c", "games", "--url", "?", "--wait", "delivered=1"],
        ["transcript", "-c", "games"], ["transcript", "-c", "games", "--follow"],
        ["show", session], ["history", session], ["picture", session, "--save", "/dev/null"],
        ["conflicts"], ["conflicts", "-c", "games"], ["apps"],
        ["open", "tictactoe", "-c", "games"],
    ]

    /// Regression: `parley status` had no answer after 75 s from a process that was stopped.
    @Test func everyCommandEndsWithAnExitCodeOfItsOwn() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        await node.signal(SIGSTOP)
        await withTaskGroup { group in
            for command in Self.commands {
                group.addTask { await Self.expectNoAnswer(to: command, of: node) }
            }
        }
        await node.signal(SIGCONT)
        _ = try await node.ask(NodeStatus.self, "status")
        await #expect(node.end() == 0)
    }

    private static func expectNoAnswer(to command: [String], of node: NodeProcess) async {
        do {
            let more = ["--json", "--timeout", "0.3", "--data", node.data]
            let started = ContinuousClock.now
            let finished = try await Program.run(command + more)
            #expect(finished.status == 76, "\(command): \(finished.errorText)")
            let problem = try finished.problem()
            #expect(problem.kind == .noAnswer, "\(command)")
            #expect(problem.hint.contains("--timeout"))
            if command.contains("games"), command.first != "conversation" {
                #expect(problem.conversation == "games", "\(command)")
            }
            if command.contains(session) { #expect(problem.session == session, "\(command)") }
            #expect(started.duration(to: .now) < .seconds(60), "\(command)")
        } catch {
            Issue.record(error, "\(command)")
        }
    }

    /// The session of a message has a UUID before the node answers, so that nothing is lost.
    @Test func theSessionOfAMessageInDoubtIsSaid() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        await node.signal(SIGSTOP)
        let sent = try await node.run(
            "send",
            "-c",
            "games",
            "--url",
            "?in-doubt",
            "--json",
            "--timeout",
            "0.3"
        )
        await node.signal(SIGCONT)
        #expect(sent.status == 76)
        let session = try #require(try sent.problem().session)
        let entries = try await node.waitForURL("?in-doubt")
        #expect(entries.last?.session.description == session)
        await #expect(node.end() == 0)
    }

    /// A stream in which nothing changes is not taken for a node that does not answer, and a batch
    /// whose input is silent neither.
    @Test func silenceWithoutAReasonIsNoFailure() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let input = Pipe()
        let sender = try Child(
            [
                Program.url.path, "send", "-c", "games", "--url", "-", "--timeout", "2",
                "--data", node.data,
            ],
            environment: Program.clean,
            input: .descriptor(input.fileHandleForReading.fileDescriptor),
            output: directory.path("sender.output"),
            errors: directory.path("sender.errors")
        )
        try input.fileHandleForWriting.write(contentsOf: Data("?1\n".utf8))
        _ = try await node.waitForURL("?1")
        let follower = try Child(
            [
                Program.url.path, "transcript", "-c", "games", "--follow", "--timeout", "2",
                "--data", node.data,
            ],
            environment: Program.clean,
            output: directory.path("follower.output"),
            errors: directory.path("follower.errors")
        )
        let deadline = ContinuousClock.now + .seconds(3)
        while ContinuousClock.now < deadline, sender.exitCode == nil, follower.exitCode == nil {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(sender.exitCode == nil)
        #expect(follower.exitCode == nil)
        try input.fileHandleForWriting.write(contentsOf: Data("?2\n".utf8))
        _ = try await node.waitForURL("?2")
        try input.fileHandleForWriting.close()
        await #expect(sender.end() == 0)
        await #expect(node.end() == 0)
        _ = await follower.end()
    }

    /// A batch whose messages are not answered ends, too.
    @Test func aBatchIsNotAnsweredEither() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        await node.signal(SIGSTOP)
        let sent = try await node.run(
            "send",
            "-c",
            "games",
            "--url",
            "-",
            "--timeout",
            "0.3",
            "--json",
            input: Data("?1\n?2\n".utf8)
        )
        #expect(sent.status == 76)
        #expect(try sent.problem().conversation == "games")
        await node.signal(SIGCONT)
        await #expect(node.end() == 0)
    }
}
