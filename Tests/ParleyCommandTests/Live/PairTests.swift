import Foundation
import Glibc
import ParleyAPI
import ParleyWeb
import TestSupport
import Testing

/// `parley pair` in the terminals of two machines.
@Suite(.timeLimit(.minutes(5)))
struct PairTests {
    private let directory: TestDirectory
    private let alice: NodeProcess
    private let bob: NodeProcess

    init() async throws {
        let pair = try await NodePair(isShared: false)
        (directory, alice, bob) = (pair.directory, pair.alice, pair.bob)
        for node in [alice, bob] {
            try await eventually("a device nearby") {
                try await node.ask([Peer].self, "nearby").contains { $0.name != nil }
            }
        }
    }

    /// First they differ, then both people agree: only then the conversation is shared.
    @Test func twoPeopleCompareDigits() async throws {
        let (refusing, refused) = try await compare()
        try refusing.type("no")
        #expect(try await eventually("the end of who said no") { refusing.status } == 77)
        #expect(try await eventually("the end of the other") { refused.status } == 77)
        #expect(try refusing.errorText.contains("You ended it."))
        #expect(try refused.errorText.contains("The other person ended it."))
        #expect(try !refused.text.contains("Paired"))
        #expect(try await conversations(of: bob).isEmpty)

        let (one, other) = try await compare()
        try one.type("yes")
        try await eventually("that one person waits for the other") {
            try one.text.contains("Waiting for the other person to say yes.")
        }
        #expect(other.status == nil)
        #expect(try await conversations(of: bob).isEmpty, "only one person has confirmed")
        try other.type("y")
        #expect(try await eventually("the end of bob's") { one.status } == 0)
        #expect(try await eventually("the end of alice's") { other.status } == 0)
        #expect(try one.text.contains("Paired with alice. You are in games now."))
        #expect(try other.text.contains("Paired with bob. games is shared."))
        #expect(try await conversations(of: bob) == ["games"])
        try await end()
    }

    /// Regression: while the digits were asked about, a signal had no effect before somebody typed.
    @Test func ctrlCEndsTheComparison() async throws {
        let (leaving, left) = try await compare()
        leaving.signal(SIGINT)
        #expect(try await eventually("the end of who left") { leaving.endingSignal } == SIGINT)
        #expect(try await eventually("the end of the other") { left.status } == 77)
        #expect(try left.errorText.contains("The other person ended it."))
        try await end()
    }

    /// The person who asked hears that the other one does not want to, or has gone.
    @Test func aDeclinedRequestSaysSo() async throws {
        let asking = try Terminal(of: alice, ["pair", "bob", "-c", "games"])
        try await eventually("that alice waits") {
            try asking.text.contains("Waiting for bob. Over there: answer on the page")
        }
        let pairing = try await eventually("the request at bob's") {
            let answer = try ControlSocketClient.send("GET", "pairings", to: bob)
            return try answer.document([PairingDocument].self).first { $0.stage == "asked" }
        }
        #expect(pairing.shares == true)
        let path = "pairings/\(pairing.id)"
        #expect(try ControlSocketClient.send("DELETE", path, to: bob).status == 204)
        #expect(try await eventually("the end of the request") { asking.status } == 77)
        #expect(try asking.errorText.contains("The other person ended it."))

        // Ctrl-C takes a request back.
        let again = try Terminal(of: alice, ["pair", "bob", "-c", "games"])
        try await eventually("another request at bob's") {
            let answer = try ControlSocketClient.send("GET", "pairings", to: bob)
            return try answer.document([PairingDocument].self).contains { $0.stage == "asked" }
        }
        try await eventually("that alice waits") { try again.text.contains("Waiting for bob") }
        again.signal(SIGINT)
        #expect(try await eventually("the end of the command") { again.endingSignal } == SIGINT)
        try await eventually("the end of the request at bob's") {
            let answer = try ControlSocketClient.send("GET", "pairings", to: bob)
            return try answer.document([PairingDocument].self).allSatisfy(\.ended)
        }
        try await end()
    }

    /// Starts the command on both sides, until both show the same six digits; bob's comes first.
    private func compare() async throws -> (Terminal, Terminal) {
        let asking = try Terminal(of: alice, ["pair", "bob", "-c", "games"])
        try await eventually("that alice waits") { try asking.text.contains("Waiting for bob") }
        let answering = try Terminal(of: bob, ["pair", "alice"])
        var digits: [Substring] = []
        for terminal in [asking, answering] {
            digits.append(
                try await eventually("six digits") {
                    try terminal.text.firstMatch(of: #/\n    (\d{3} \d{3})\n/#)?.1
                }
            )
        }
        #expect(digits[0] == digits[1])
        return (answering, asking)
    }

    private func conversations(of node: NodeProcess) async throws -> [String] {
        try await node.ask([Conversation].self, "conversation", "list").map(\.name)
    }

    private func end() async throws {
        await #expect(alice.end() == 0)
        await #expect(bob.end() == 0)
    }
}
