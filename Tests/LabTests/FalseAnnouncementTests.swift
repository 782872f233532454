import Foundation
import TestSupport
import Testing

extension TheLab {
    /// Somebody on the network announces nodes that do not exist, as fast as Avahi takes them.
    @Suite(.timeLimit(.minutes(5)))
    struct FalseAnnouncementTests {
        private static let count = 10_000

        @Test func nodesThatDoNotExistDisturbNobody() async throws {
            try await Lab.with(hosts: 3) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                let nodes = [try await one.start(), try await two.start()]
                _ = try await one.create("games")
                try await two.join(try await one.invite(to: "games"))
                try await one.send("?before", to: "games", "--wait", "delivered=1")
                try await one.awaitLinks(1)
                let links = try one.logLines("link closed: ").count
                let before = try nodes[0].residentKilobytes()

                let output = "\(lab.host(3).data).flood"
                var flood = try await Self.flood(lab, saying: output)
                try await eventually("false nodes on host 1") { try Self.listed(on: one) > 0 }
                var sent = ContinuousClock.now
                try await one.send("?meanwhile", to: "games", "--wait", "delivered=1")
                // A busy machine may notice the first false nodes after the last one was announced.
                for _ in 0..<2 where flood.exitCode != nil {
                    flood = try await Self.flood(lab, saying: output)
                    sent = .now
                    try await one.send("?again", to: "games", "--wait", "delivered=1")
                }
                try #require(flood.exitCode == nil, "the message was sent amid the flood")
                try Figure.check(
                    "message beside \(Self.count) false announcements",
                    since: sent,
                    target: .seconds(1),
                    bound: .seconds(10)
                )
                let code = try await eventually("the end of the flood") { flood.exitCode }
                let said = try String(contentsOfFile: output, encoding: .utf8)
                try #require(code == 0, "\(said)")
                let most = try Self.listed(on: one)
                let resident = try nodes[0].residentKilobytes()
                Figure.say("\(most) of them known, \(before) kB resident before, \(resident) after")
                try #require(resident - before < 32_768, "from \(before) to \(resident) kB")
                try #require(try one.logLines("link closed: ").count == links)
                try #require(try one.around().count { $0.state == "connected" } == 1)

                let ended = ContinuousClock.now
                let newcomer = try await lab.host(3).start()
                try await eventually("the newcomer on host 1", within: .seconds(120)) {
                    try one.around().contains {
                        !$0.device.isEmpty && newcomer.ready.device.hasPrefix($0.device)
                    }
                }
                try Figure.check(
                    "end of false announcements -> newcomer found",
                    since: ended,
                    target: .seconds(15),
                    bound: .seconds(120)
                )
                for node in nodes + [newcomer] { try await node.stop() }
            }
        }

        /// Begins to announce false nodes from host 3.
        private static func flood(_ lab: Lab, saying output: String) async throws -> Child {
            let address = try await lab.script("addr", "3", "4")
                .trimmingCharacters(in: .whitespacesAndNewlines)
            return try lab.start(
                [sender, "eth0", address, "\(count)"],
                on: 3,
                output: output,
                errors: output
            )
        }

        private static let sender = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Lab/false-announcements.py").path

        /// The false nodes that a node lists.
        private static func listed(on host: Host) throws -> Int {
            try host.around().count { $0.name?.hasPrefix("nobody ") == true }
        }
    }
}
