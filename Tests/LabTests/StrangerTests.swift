import Foundation
import TestSupport
import Testing

extension TheLab {
    /// A stranger that has proven nothing learns nothing, and leaves nothing.
    @Suite(.timeLimit(.minutes(5)))
    struct StrangerTests {
        @Test func nodeWithoutInviteLearnsAndStoresNothing() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (member, stranger) = (lab.host(1), lab.host(2))
                let first = try await member.start()
                let made = try await member.create("secret")
                try await member.send("?secret", to: "secret", "--caption", "treasure")
                let second = try await stranger.start()
                _ = try await stranger.create("secret")
                try await stranger.send("?forged", to: "secret")
                let before = try Self.contents(of: member)
                try await eventually("link between the two") {
                    try stranger.logLines("nothingShared").isEmpty == false
                        || member.logLines("nothingShared").isEmpty == false
                }

                try #require(try await member.transcript(of: "secret").map(\.url) == ["?secret"])
                try #require(try await stranger.transcript(of: "secret").map(\.url) == ["?forged"])
                try #require(try await member.peers() == [])
                try #require(try await stranger.peers() == [])
                try #require(try await stranger.status().sessions == 1)
                try #require(try Self.contents(of: member) == before, "the stranger left something")
                try await second.stop()
                let device = try #require(made.participants.first?.device.prefix(7))
                let names = try Self.contents(of: stranger).filter { _, bytes in
                    bytes.range(of: Data(device.utf8)) != nil
                }
                try #require(names.isEmpty, "the stranger keeps the member's ID in \(names.keys)")
                try await first.stop()
            }
        }

        @Test func readerWhoWritesIsRefused() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (writer, reader) = (lab.host(1), lab.host(2))
                let nodes = [try await writer.start(), try await reader.start()]
                _ = try await writer.create("games")
                let joined = try await reader.join(
                    try await writer.invite(to: "games", role: "reader")
                )
                try #require(joined.role == "reader")
                try await writer.send("?move", to: "games", "--wait", "delivered=1")
                let outcome = try await reader.attempt(
                    ["send", "-c", "games", "--url", "?mine"]
                )
                try #require(outcome.exitCode == 77)
                try #require(outcome.errors.contains(#""error":"readOnly""#))
                for host in [writer, reader] {
                    try #require(try await host.transcript(of: "games").map(\.url) == ["?move"])
                }
                for node in nodes { try await node.stop() }
            }
        }

        @Test func plainTextAndRandomBytesAreTurnedAway() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (host, other) = (lab.host(1), lab.host(2))
                let node = try await host.start()
                _ = try await host.create("games")
                try await host.send("?move", to: "games")
                let before = try Self.contents(of: host)
                let attacks = [
                    #"printf 'GET / HTTP/1.1\r\nHost: node\r\n\r\n' >&3"#,
                    "head -c 70000 /dev/urandom >&3",
                    #"printf '\x16\x03\x01\x00\x05hello' >&3"#,
                    "head -c 70000 /dev/zero >&3",
                ]
                let target = try await lab.script("addr", "1", "4")
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                for attack in attacks {
                    // The node closes it, at the latest when its time for TLS is over.
                    let client = "exec 3<>/dev/tcp/\(target)/27275; \(attack); cat <&3 >/dev/null"
                    _ = try await lab.script("exec", "2", "bash", "-c", "(\(client)) || true")
                    try #require(node.child.exitCode == nil)
                }
                let lines = try host.logLines("handshake failed: ")
                Figure.say(lines.map { "\($0)" }.joined(separator: "\nlab: "))
                try #require(
                    lines.count >= attacks.count,
                    "\(lines.count) lines for \(attacks.count)"
                )
                try #require(try Self.contents(of: host) == before, "something was stored")

                let second = try await other.start()
                try await other.join(try await host.invite(to: "games"))
                try await eventually("message") { try other.urls(of: "games") == ["?move"] }
                try await node.stop()
                try await second.stop()
            }
        }

        /// The files of a data directory.
        private static func contents(of host: Host) throws -> [String: Data] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: host.data)
            var contents: [String: Data] = [:]
            for name in names {
                let path = "\(host.data)/\(name)"
                let kind = try FileManager.default.attributesOfItem(atPath: path)[.type]
                guard kind as? FileAttributeType == .typeRegular else { continue }
                contents[name] = try Data(contentsOf: URL(filePath: path))
            }
            return contents
        }
    }
}
