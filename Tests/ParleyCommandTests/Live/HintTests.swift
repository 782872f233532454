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
        _ = try await node.ask(ConversationDocument.self, "conversation", "create", "games")
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
        _ = try await node.ask(ConversationDocument.self, "conversation", "create", "games")
        let sent = try await node.run("send", "-c", "games", "--url", "?", "--wait", wait)
        #expect(sent.status == 65)
        #expect(sent.errorText.contains("hint: N is 1 or more"), "\(sent.errorText)")
        #expect(sent.errorText.contains("stored waits for no other node"))
        await node.end()
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
