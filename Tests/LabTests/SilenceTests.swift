import Foundation
import TestSupport
import Testing

extension TheLab {
    /// Links on which nothing comes any more.
    @Suite(.timeLimit(.minutes(5)))
    struct SilenceTests {
        /// Two readers of an author announce a message to each other, which neither answers: the
        /// kernel knows that the way between them is cut.
        @Test func aCutBetweenReadersIsNoticedWithTheNextMessage() async throws {
            try await Lab.with(hosts: 3) { lab in
                let hosts = (1...3).map { lab.host($0) }
                var nodes: [RunningNode] = []
                for host in hosts { nodes.append(try await host.start()) }
                _ = try await hosts[0].create("games")
                let invite = try await hosts[0].invite(to: "games")
                for host in hosts.dropFirst() { try await host.join(invite) }
                for host in hosts { try await host.awaitLinks(2) }
                // The first messages make the links from the author those that bring messages.
                for number in 1...3 {
                    try await hosts[0].send("?settling=\(number)", to: "games")
                    for host in hosts.dropFirst() {
                        try await eventually("message \(number) on host \(host.number)") {
                            try host.urls(of: "games").last == "?settling=\(number)"
                        }
                    }
                }

                try await lab.script("cut", "2", "3")
                try await hosts[0].send("?cut", to: "games")
                let sent = ContinuousClock.now
                try await eventually("a reader without an answer") {
                    try hosts.dropFirst()
                        .contains { try $0.around().contains { $0.state == "unresponsive" } }
                }
                try Figure.check(
                    "message to others -> a link between readers found silent",
                    since: sent,
                    target: .milliseconds(1_500),
                    bound: .seconds(20)
                )
                for node in nodes { try await node.stop() }
            }
        }
    }
}
