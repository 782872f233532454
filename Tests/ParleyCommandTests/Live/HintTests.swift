import Foundation
import ParleyAPI
import TestSupport
import Testing

/// The hints of errors name what helps.
@Suite(.timeLimit(.minutes(5)))
struct HintTests {
    /// Regression: without `--data` the hint named only a node in the usual directory, although
    /// one was running in another.
    @Test func aForgottenDirectoryIsNamed() async throws {
        let directory = try TestDirectory()
        let forgotten = try await Program.run(
            ["status"],
            environment: ["XDG_STATE_HOME": directory.url.path]
        )
        #expect(forgotten.status == 69)
        #expect(forgotten.errorText.contains("start one with: parley node; or, if one runs in"))
        #expect(forgotten.errorText.contains("add --data DIR"))
        let named = try await Program.run(["status", "--data", directory.path("none")])
        #expect(named.status == 69)
        #expect(!named.errorText.contains("DIR"))
    }

    /// Regression: the hint named `parley join --as`, which does not help who creates; and that for
    /// `join` was no command.
    @Test func aTakenNameHasTheCureOfItsCommand() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let created = try await node.run("conversation", "create", "games")
        #expect(created.status == 73)
        #expect(created.errorText.contains(#"A conversation is called "games" here already."#))
        #expect(created.errorText.contains("choose another name"))
        #expect(created.errorText.contains(": parley conversation list --data \(node.data)\n"))
        #expect(!created.errorText.contains("--as"))
        let joined = try await node.run("join", "open:lobby", "--as", "games")
        #expect(joined.status == 73)
        #expect(
            joined.errorText.contains(": parley join - --as NAME --data \(node.data)\n"),
            "\(joined.errorText)"
        )
        await node.end()
    }

    /// Regression: a number of nodes that cannot be was refused without a word of what can be.
    @Test(arguments: ["delivered=0", "delivered=x", "soon"])
    func whatCanBeWaitedForIsSaid(wait: String) async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let sent = try await node.run("send", "-c", "games", "--url", "?", "--wait", wait)
        #expect(sent.status == 65)
        #expect(sent.errorText.contains("hint: N is 1 or more"), "\(sent.errorText)")
        #expect(sent.errorText.contains("stored waits for nobody"))
        await node.end()
    }

    /// Regression: an invite that a mail program had wrapped was cut off after its first line.
    @Test func aWrappedInviteIsJoined() async throws {
        let directory = try TestDirectory()
        let one = try await NodeProcess(data: directory.path("one"))
        let two = try await NodeProcess(data: directory.path("two"))
        _ = try await one.ask(Conversation.self, "conversation", "create", "games")
        let invite = try await one.ask(Invite.self, "invite", "games").link
        let lines = invite.enumerated().map { ($0 % 30 == 29 ? "\r\n  " : "") + String($1) }
        let wrapped = "\n\n" + lines.joined() + "\nSee you there\n"
        let joined = try await two.run("join", "-", input: Data(wrapped.utf8))
        #expect(joined.status == 0, "\(joined.errorText)")
        let empty = try await two.run("join", "-", input: Data("\n \n".utf8))
        #expect(empty.status == 65 && empty.errorText.contains("Standard input has no invite."))
        let closed = try await Program.run(
            ["-c", #"exec "$0" join - --data "$1" <&-"#, Program.url.path, two.data],
            program: URL(filePath: "/bin/bash")
        )
        #expect(closed.status == 65 && closed.errorText.contains("Standard input has no invite."))
        await one.end()
        await two.end()
    }

    /// Regression: the error of a value that is taken for an option did not say what helps.
    @Test func aValueThatBeginsWithAHyphenHasACure() async throws {
        let arguments = ["send", "-c", "games", "--caption", "-5"]
        let refused = try await Program.run(arguments)
        #expect(refused.status == 64)
        let cure = "A value that begins with - is written --caption=-5"
        #expect(refused.errorText.hasSuffix("hint: \(cure)\n"), "\(refused.errorText)")
        #expect(try await Program.run(arguments + ["--json"]).problem().hint == cure)
    }

    /// Regression: the demo did not say that `make run` needs no daemon of the machine.
    @Test func aDemoWithoutDaemonNamesMakeRun() async throws {
        let directory = try TestDirectory()
        let bus = "unix:path=\(directory.path("no-bus"))"
        let refused = try await Program.run(
            ["demo", "--once"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus]
        )
        #expect(refused.status == 1)
        #expect(refused.errorText.contains("sudo systemctl start avahi-daemon"))
        #expect(refused.errorText.contains("make run"))
    }
}
