import Foundation
import TestSupport
import Testing

extension TheLab {
    /// Nodes survive the failures of avahi-daemon and of its bus.
    @Suite(.timeLimit(.minutes(LabNeeds.isFull ? 15 : 5)))
    struct DaemonTests {
        private static let rounds = LabNeeds.isFull ? 20 : 3

        @Test func linksOutliveTheDaemonAndNewcomersAreFound() async throws {
            try await Lab.with(hosts: 3) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                let nodes = [try await one.start(), try await two.start()]
                _ = try await one.create("games")
                try await two.join(try await one.invite(to: "games"))
                try await one.send("?hello", to: "games", "--wait", "delivered=1")
                // The first round also fills what is kept and used again later.
                try await Self.round(0, in: lab, one)
                // Strangers and second links are gone; what is counted now is what stays.
                try await one.awaitLinks(1)
                let links = try one.logLines("link closed: ").count
                let before = (try nodes[0].descriptors(), try nodes[0].residentKilobytes())
                for round in 1...Self.rounds {
                    try await Self.round(round, in: lab, one)
                    let sent = try await one.send("?\(round)", to: "games", "--wait", "delivered=1")
                    try #require(sent.nodes == 1)
                }
                try await one.awaitLinks(1)
                try await eventually("as few descriptors as before") {
                    try nodes[0].descriptors() <= before.0
                }
                let resident = try nodes[0].residentKilobytes()
                Figure.say(
                    "\(Self.rounds) rounds: \(before.1) kB resident before, \(resident) after"
                )
                try #require(resident - before.1 < 8_192, "from \(before.1) to \(resident) kB")
                let lost = try one.logLines("link closed: ").dropFirst(links)
                    .filter { $0.contains("peer=\(nodes[1].ready.device.prefix(7))") }
                try #require(lost.isEmpty, "the link was closed: \(lost)")
                for node in nodes { try await node.stop() }
            }
        }

        @Test func withoutAnyDaemonConfiguredPeersWork() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                for number in ["1", "2"] {
                    try await lab.script("avahi", number, "stop")
                    try await lab.script("dbus", number, "stop")
                }
                let first = try await one.start()
                _ = try await one.create("games")
                let address = try await lab.script("addr", "1", "4")
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                let second = try await two.start("--peer", "\(address):27275")
                try await two.join(try await one.invite(to: "games"))
                let sent = try await two.send("?hello", to: "games", "--wait", "delivered=1")
                try #require(sent.nodes == 1)
                try #require(try await one.transcript(of: "games").map(\.url) == ["?hello"])
                for host in [one, two] {
                    try await eventually("warning on host \(host.number)") {
                        try host.logLines("no avahi-daemon").count == 1
                    }
                    try #require(try host.logLines(" warning ").count == 1)
                }
                try await first.stop()
                try await second.stop()
                try #require(try two.logLines(" warning ").count == 1)
            }
        }

        // MARK: Parts

        /// Takes host 1 its daemon or its bus, gives it back, and starts a node that is new.
        private static func round(_ number: Int, in lab: Lab, _ one: Host) async throws {
            switch number % 3 {
            case 0: try await lab.script("avahi", "1", "kill")
            case 1: try await lab.script("avahi", "1", "stop")
            default:
                try await lab.script("dbus", "1", "stop")
                try await lab.script("dbus", "1", "start")
            }
            try await eventually("loss of the daemon") {
                try one.state().discovery.state != "published"
            }
            let newcomer = lab.host(3, "newcomer-\(number)")
            let node = try await newcomer.start()
            try await lab.script("avahi", "1", "restart")
            let back = ContinuousClock.now
            let device = node.ready.device
            try await eventually("newcomer on host 1, which is announced again") {
                try one.around().contains { device.hasPrefix($0.device) && !$0.device.isEmpty }
                    && one.state().discovery.state == "published"
            }
            try Figure.check(
                "round \(number): daemon back -> newcomer found",
                since: back,
                target: .seconds(5),
                bound: .seconds(15)
            )
            try await node.stop()
        }
    }
}
