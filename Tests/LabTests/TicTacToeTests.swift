import Foundation
import TestSupport
import Testing

extension TheLab {
    /// A game between the hosts of apps on two machines.
    @Suite(.timeLimit(.minutes(5)))
    struct TicTacToeTests {
        /// One has the app open all the time, but for a restart in the middle of the game; the
        /// other opens it for each move, so what arrives meanwhile finds it closed.
        @Test func twoHostsPlayToAWin() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                var first = try await one.start()
                let second = try await two.start()
                _ = try await one.create("games")
                try await two.join(try await one.invite(to: "games"))

                var app = try await OpenApp.open("tictactoe", in: "games", on: one)
                try await Self.move("5", in: app)
                try await Self.moveOnce("1", on: two)
                try await app.awaitScreen("answer on an open app") {
                    $0.text.contains("Your turn: you play X")
                }
                try await Self.move("2", in: app)

                try await app.quit()
                try await first.stop()
                try await Self.moveOnce("3", on: two)
                first = try await one.start()

                app = try await OpenApp.open("tictactoe", in: "games", on: one)
                try await eventually("move that was made meanwhile") {
                    try one.urls(of: "games") == two.urls(of: "games")
                }
                try app.type("m")
                try await app.awaitScreen("the game") {
                    $0.style == "expanded" && $0.text.contains("Your turn: you play X")
                }
                try await Self.move("8", in: app, "You win")
                try await eventually("the same end on both") {
                    try one.urls(of: "games") == two.urls(of: "games")
                }
                let other = try await OpenApp.open("tictactoe", in: "games", on: two)
                try other.type("m")
                let end = try await other.awaitScreen("the end") {
                    $0.style == "expanded" && $0.text.contains("host1 wins")
                }
                #expect(end.bubbles.filter { $0.kind == "message" }.map(\.line) == ["host1 wins"])
                #expect(end.bubbles.count { $0.kind == "summary" } >= 2)
                try await other.quit()
                try await app.quit()
                try await first.stop()
                try await second.stop()
            }
        }

        /// Presses a square and Send.
        private static func move(
            _ square: String,
            in app: OpenApp,
            _ status: String = "O moves next"
        ) async throws {
            let screen = try #require(try app.screen())
            try app.type("\(try screen.number(of: square))")
            try await app.awaitScreen("draft") { $0.text.contains("Press Send") }
            try app.type("s")
            try await app.awaitScreen(status) { $0.text.contains(status) }
        }

        /// Opens the app at the latest message, moves, and closes it again.
        private static func moveOnce(_ square: String, on host: Host) async throws {
            try await eventually("a game on host \(host.number)") {
                try host.entries(of: "games").contains(where: \.isMessage)
            }
            let app = try await OpenApp.open("tictactoe", in: "games", on: host)
            try await eventually("turn of host \(host.number)") {
                try app.type("m")
                return try app.screen()?.text.contains("Your turn: you play O") ?? false
            }
            let screen = try #require(try app.screen())
            try app.type("\(try screen.number(of: square))")
            try await app.awaitScreen("draft") { $0.text.contains("Press Send") }
            try app.type("s")
            try await app.awaitScreen("X moves next") { $0.text.contains("X moves next") }
            try await app.quit()
        }
    }
}
