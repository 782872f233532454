import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// People who draw and guess.
@MainActor
struct DrawingTable {
    static let app = HostedApp(
        DrawAndGuess.self,
        id: "game",
        seats: 2...8,
        parts: true,
        rules: DrawAndGuess.rules
    )
    /// The app of somebody whose program asks no rules.
    static let free = HostedApp(DrawAndGuess.self, id: "game", seats: 2...8, parts: true)

    let table: Harness
    let players: [Player]

    /// The first one offers a match, all others join, and everybody has the app open.
    init(
        _ names: [String],
        watching: [String] = [],
        settings: HostSettings = HostSettings(),
        first: HostedApp = Self.app
    ) throws {
        let others = (names + watching).dropFirst().map { ($0, [Self.app]) }
        table = Harness(participants: [(names[0], [first])] + others, settings: settings)
        players = table.players
        try players[0].open()
        try players[0].tap("Who wants to play?")
        for player in players.dropFirst() {
            try player.tapBubble()
            if names.contains(player.name) { try player.tap("Join") }
        }
        try players[0].tap("Start")
    }

    static func line(_ y: CGFloat, length: CGFloat = 200) -> ParleyView.Stroke {
        ParleyView.Stroke(
            points: stride(from: 0, through: length, by: 10).map { CGPoint(x: $0, y: y) }
        )
    }

    /// Chooses a word, and draws a line; returns the word.
    func draw(_ player: Player, _ choice: String = "word1") throws -> String {
        try player.tap(choice)
        #expect(player.style == .expanded)
        try player.draw(Self.line(40), on: "Paper")
        return try word(player)
    }

    /// The word that a player is to draw.
    func word(_ player: Player) throws -> String {
        String(try #require(player.screen.firstMatch(of: #/Draw “(.+)”/#)?.output.1))
    }

    /// The session of the latest match.
    func session(of player: Player) -> MSSession? {
        player.bubbles.last { $0.match != nil }.map { MSSession(identifier: $0.session.uuid) }
    }

    /// The canvas that a player sees.
    func strokes(_ player: Player) -> [ParleyView.Stroke]? {
        player.tree?.nodes.lazy.compactMap { node -> [ParleyView.Stroke]? in
            guard case .canvas(let drawing) = node.content else { return nil }
            return drawing.strokes
        }.first
    }
}
