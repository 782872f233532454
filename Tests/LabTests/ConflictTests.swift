import Foundation
import TestSupport
import Testing

extension TheLab {
    /// Answers that were given to the same message, out of sight of each other.
    @Suite(.timeLimit(.minutes(5)))
    struct ConflictTests {
        @Test func everyHostShowsTheSameWinnerAndKeepsTheLoser() async throws {
            try await Lab.with(hosts: 3) { lab in
                let hosts = (1...3).map { lab.host($0) }
                var nodes: [RunningNode] = []
                for host in hosts { nodes.append(try await host.start()) }
                _ = try await hosts[0].create("games")
                let invite = try await hosts[0].invite(to: "games")
                for host in hosts.dropFirst() { try await host.join(invite) }
                let question = try await hosts[0].send(
                    "?question",
                    to: "games",
                    "--wait",
                    "delivered=2"
                )

                try await lab.script("partition", "2")
                var answers: Set<String> = []
                for host in hosts.prefix(2) {
                    let answer = try await host.send(
                        "?answer=\(host.number)",
                        to: "games",
                        "--session",
                        question.session,
                        "--replacing",
                        question.id
                    )
                    try #require(answer.revision == 2)
                    answers.insert(answer.id)
                }
                try await lab.script("heal", "2")
                let healed = ContinuousClock.now
                try await Self.awaitConflict(of: answers, on: hosts)
                Figure.say("conflict known everywhere \(ContinuousClock.now - healed) after heal")
                try await Self.checkConflict(of: answers, on: hosts)

                let settled = try await hosts[2].send(
                    "?settled",
                    to: "games",
                    "--session",
                    question.session,
                    "--wait",
                    "delivered=2"
                )
                try #require(settled.revision == 3)
                for host in hosts {
                    try #require(try await host.conflicts() == [])
                    let messages = try await host.transcript(of: "games").filter(\.isMessage)
                    try #require(messages.map(\.url) == ["?settled"])
                    try #require(messages.map(\.conflict) == [false])
                }
                for node in nodes { try await node.stop() }
            }
        }

        private static func awaitConflict(of answers: Set<String>, on hosts: [Host]) async throws {
            for host in hosts {
                try await eventually("conflict on host \(host.number)") {
                    try host.entries(of: "games").contains { $0.isMessage && $0.conflict == true }
                }
            }
        }

        private static func checkConflict(of answers: Set<String>, on hosts: [Host]) async throws {
            var winners: Set<String> = []
            for host in hosts {
                let conflicts = try await host.conflicts()
                try #require(conflicts.count == 1, "host \(host.number): \(conflicts)")
                let shown = try await host.transcript(of: "games").filter(\.isMessage)
                try #require(shown.map(\.id) == [conflicts[0].shown.id])
                try #require(conflicts[0].others.count == 1)
                let heads = conflicts[0].others.map(\.id) + [conflicts[0].shown.id]
                try #require(Set(heads) == answers)
                winners.insert(conflicts[0].shown.id)
            }
            try #require(winners.count == 1, "the hosts show different winners: \(winners)")
        }
    }
}
