import Foundation
import TestSupport
import Testing

extension TheLab {
    /// Hosts that know nothing of each other but what their avahi-daemons tell.
    @Suite(.timeLimit(.minutes(5)))
    struct MeetingTests {
        /// Bytes of the pictures, by the number of the move that brings them.
        private static let pictures = [
            5: 1_024, 14: 10_000, 23: 100_000, 38: 1 << 20, 50: 1 << 20,
        ]

        @Test func fiftyMovesInTurnLeaveTheLastOneOnEveryHost() async throws {
            try await Lab.with(hosts: 3) { lab in
                let hosts = (1...3).map { lab.host($0) }
                var nodes: [RunningNode] = []
                for host in hosts { nodes.append(try await host.start()) }
                let participants = try await Self.meet(hosts, in: "games")
                let session = UUID().uuidString
                var last: PictureFile?
                for move in 1...50 {
                    let turn = (move - 1) % 3
                    let options = ["--session", session, "--next", participants[move % 3]]
                    if let size = Self.pictures[move] {
                        let path = "\(lab.directory)/move-\(move).png"
                        last = try PictureFile(path, bytes: size, seed: UInt32(move))
                    } else {
                        last = nil
                    }
                    let image = last.map { ["--keep-metadata", "--image", $0.path] } ?? []
                    let sent = try await Self.play(move, on: hosts[turn], options + image)
                    try #require(sent.revision == move)
                    try await Self.await(move, picture: last, on: hosts)
                }
                let picture = try #require(last)
                try await Self.checkLast(hosts, session: session, picture: picture)
                for node in nodes { try await node.stop() }
            }
        }

        @Test func firstMessageIsShownSoonAfterBothNodesAreReady() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                // Both get ready while neither can find the other.
                var author = try await one.start("--no-discovery")
                _ = try await one.create("games")
                let invite = try await one.invite(to: "games")
                try await one.send("?hello", to: "games")
                try await author.stop()
                var reader = try await two.start("--no-discovery")
                try await two.join(invite)
                try await reader.stop()

                async let first = one.start()
                async let second = two.start()
                (author, reader) = try await (first, second)
                try await eventually("first message") { try two.urls(of: "games") == ["?hello"] }
                try Figure.check(
                    "both ready lines -> first message shown on the other",
                    since: max(author.readyAt, reader.readyAt),
                    target: .milliseconds(1_500),
                    bound: .seconds(5)
                )
                try await author.stop()
                try await reader.stop()
            }
        }

        // MARK: Parts

        /// The first host invites the others.
        ///
        /// - Returns: the participants, in the order of the hosts.
        private static func meet(
            _ hosts: [Host],
            in conversation: String
        ) async throws -> [String] {
            var participants: [String] = []
            let made = try await hosts[0].create(conversation)
            participants.append(try #require(made.participants.first?.participant))
            let invite = try await hosts[0].invite(to: conversation)
            for host in hosts.dropFirst() {
                let joined = try await host.join(invite)
                let own = joined.participants.first { $0.name == "host\(host.number)" }
                participants.append(try #require(own?.participant))
            }
            return participants
        }

        private static func play(
            _ move: Int,
            on host: Host,
            _ options: [String]
        ) async throws -> Sent {
            let outcome = try await host.attempt(
                ["send", "-c", "games", "--url", "?move=\(move)", "--caption", "Move \(move)"]
                    + options
            )
            try #require(outcome.exitCode == 0, "move \(move): \(outcome.errors)")
            return try JSONDecoder().decode(Sent.self, from: outcome.output)
        }

        /// Waits until every host shows the move, and has its picture.
        private static func await(
            _ move: Int,
            picture: PictureFile?,
            on hosts: [Host]
        ) async throws {
            for host in hosts {
                try await eventually("move \(move) on host \(host.number)") {
                    try host.urls(of: "games") == ["?move=\(move)"]
                }
                guard let picture else { continue }
                try await eventually("picture of move \(move) on host \(host.number)") {
                    let entry = try host.entries(of: "games").last
                    return try entry.flatMap(host.picture) == picture.bytes
                }
            }
        }

        /// Every host shows one message of the session, the same on all.
        private static func checkLast(
            _ hosts: [Host],
            session: String,
            picture: PictureFile
        ) async throws {
            var shown: Set<Entry> = []
            for host in hosts {
                let transcript = try await host.transcript(of: "games")
                let messages = transcript.filter { $0.isMessage && $0.session == session }
                try #require(messages.count == 1, "host \(host.number) shows \(messages.count)")
                try #require(
                    transcript.last == messages.first,
                    "the shown message is not the last line"
                )
                let message = messages[0]
                try #require(message.url == "?move=50")
                try #require(message.revision == 50)
                try #require(message.layout?.image?.here == true)
                try #require(message.layout?.image?.bytes == picture.bytes.count)
                try #require(try host.picture(of: message) == picture.bytes)
                try #require(try await host.conflicts() == [])
                shown.insert(message)
            }
            try #require(shown.count == 1, "the hosts show different messages: \(shown)")
        }
    }
}
