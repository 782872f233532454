import Foundation
import TestSupport
import Testing

extension TheLab {
    /// A host that was away gets what is shown now, and none of what was replaced meanwhile.
    @Suite(.timeLimit(.minutes(5)))
    struct CatchUpTests {
        private static let sessions = (0..<100).map { _ in UUID().uuidString }

        @Test func stoppedHostGetsEachSessionOnce() async throws {
            try await Lab.with(hosts: 3) { lab in
                let (author, witness, late) = (lab.host(1), lab.host(2), lab.host(3))
                var nodes = [try await author.start(), try await witness.start()]
                let away = try await late.start()
                try await Self.sendFirstRound(author, others: [witness, late])
                try await away.stop()

                try await Self.sendTenRounds(author)
                let node = try await late.start()
                let expected = try Self.messages(on: author)
                try await Self.await(expected, on: late)
                try Figure.check(
                    "stopped during 1,000 messages: ready line -> 100 sessions shown",
                    since: node.readyAt,
                    target: .seconds(2),
                    bound: .seconds(10)
                )
                try await Self.checkSentOnce(late, since: 0)
                nodes.append(node)
                for node in nodes { try await node.stop() }
            }
        }

        @Test func hostThatWasCutOffGetsEachSessionOnce() async throws {
            try await Lab.with(hosts: 3) { lab in
                let (author, witness, late) = (lab.host(1), lab.host(2), lab.host(3))
                let hosts = [author, witness, late]
                var nodes: [RunningNode] = []
                for host in hosts { nodes.append(try await host.start()) }
                try await Self.sendFirstRound(author, others: [witness, late])

                try await lab.script("partition", "3")
                // Before it is noticed, what is under way stays under way, and comes in the end.
                try await eventually("suspicion of the cut") {
                    try author.logLines("does not answer").isEmpty == false
                        && witness.logLines("does not answer").isEmpty == false
                }
                let before = try late.state().envelopesReceived
                try await Self.sendTenRounds(author)
                let expected = try Self.messages(on: author)
                try await Self.await(expected, on: witness)
                let sentBefore = try [author, witness].map { try $0.state().envelopesSent }
                try await lab.script("heal", "3")
                let healed = ContinuousClock.now
                try await Self.await(expected, on: late)
                try Figure.check(
                    "cut off during 1,000 messages: heal -> 100 sessions shown",
                    since: healed,
                    target: .seconds(2),
                    bound: .seconds(10)
                )
                let sent = try [author, witness].map { try $0.state().envelopesSent }
                Figure.say("sent by author and witness: \(zip(sent, sentBefore).map { $0 - $1 })")
                try await Self.checkSentOnce(late, since: before)
                for node in nodes { try await node.stop() }
            }
        }

        @Test func linkThatWasCutSilentlyWorksAgain() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                let nodes = [try await one.start(), try await two.start()]
                _ = try await one.create("games")
                try await two.join(try await one.invite(to: "games"))
                try await one.send("?before", to: "games", "--wait", "delivered=1")

                try await lab.script("partition", "2")
                // The fault is that nothing passes for ten seconds.
                try await Task.sleep(for: .seconds(10))
                try await one.send("?meanwhile", to: "games")
                try await lab.script("heal", "2")
                let healed = ContinuousClock.now
                try await eventually("message of the time between") {
                    try two.urls(of: "games") == ["?before", "?meanwhile"]
                }
                try Figure.check(
                    "cut silently for 10 s: heal -> message shown",
                    since: healed,
                    target: .seconds(2),
                    bound: .seconds(10)
                )
                let back = try await two.send("?after", to: "games", "--wait", "delivered=1")
                try #require(back.nodes == 1)
                for node in nodes { try await node.stop() }
            }
        }

        // MARK: Parts

        /// A message in each session, seen by all.
        private static func sendFirstRound(_ author: Host, others: [Host]) async throws {
            _ = try await author.create("games")
            let invite = try await author.invite(to: "games")
            for host in others { try await host.join(invite) }
            for host in [author] + others { try await host.awaitLinks(others.count) }
            try await send(rounds: 0...0, from: author)
            let expected = try messages(on: author)
            for host in others { try await Self.await(expected, on: host) }
        }

        private static func sendTenRounds(_ author: Host) async throws {
            let start = ContinuousClock.now
            try await send(rounds: 1...10, from: author)
            Figure.say("1,000 messages were stored in \(ContinuousClock.now - start)")
            let messages = try messages(on: author)
            try #require(messages.count == sessions.count)
            try #require(messages.allSatisfy { $0.revision == 11 })
        }

        private static func send(rounds: ClosedRange<Int>, from author: Host) async throws {
            let text = String(repeating: "x", count: 1_000)
            let lines = rounds.flatMap { round in
                sessions.map { #"{"session":"\#($0)","url":"?round=\#(round)&\#(text)"}"# + "\n" }
            }
            let printed = try await author.parley(
                "send",
                "-c",
                "games",
                "--batch",
                "-",
                input: Data(lines.joined().utf8),
                within: .seconds(60)
            )
            let acknowledged = printed.split(separator: 0x0A).count
            try #require(acknowledged == lines.count)
        }

        private static func messages(on host: Host) throws -> [Entry] {
            try host.entries(of: "games").filter(\.isMessage).sorted { $0.session < $1.session }
        }

        private static func await(_ expected: [Entry], on host: Host) async throws {
            let ids = expected.map(\.id)
            try await eventually("100 sessions on host \(host.number)", within: .seconds(30)) {
                try messages(on: host).map(\.id) == ids
            }
        }

        /// Since its counter stood at `before`, a host received one message of each session, and
        /// has seen none replaced but those of the first round.
        private static func checkSentOnce(_ host: Host, since before: Int) async throws {
            // Once the others have this one, nothing else is on its way from them; but one of them
            // may get it from the other, and offer it before it comes from here.
            try await host.send("?last", to: "games", "--wait", "delivered=2")
            let received = try host.state().envelopesReceived - before
            let replaced = try host.entries(of: "games").filter { !$0.isMessage }
            let between = replaced.count { $0.revision > 1 }
            Figure.say("received \(received) messages for 100 sessions, \(between) too old")
            try #require(received == sessions.count || received == sessions.count + 1)
            try #require(between == 0)
            try #require(replaced.count == sessions.count)
        }
    }
}
