import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// Games with bots.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DrawAndGuessBotTests {
    private static let bot = HostedApp(
        DrawAndGuessBot.self,
        id: "bot",
        speaks: "game",
        startsHeadless: true,
        hasScreen: false
    )

    /// The bot guesses a drawing that looks like one of its sketches.
    @Test func theBotGuesses() throws {
        let table = Harness(participants: [("ann", [DrawingTable.app]), ("robot", [Self.bot])])
        let ann = try table["ann"]
        try ann.open()
        try ann.tap("Who wants to play?")
        #expect(ann.match?.seats.count == 2, "the bot takes a seat")
        try ann.tap("Start")
        try ann.submit("Ladder", into: "Your own word")
        for x in [70.0, 150] {
            try ann.draw(
                ParleyView.Stroke(points: [CGPoint(x: x, y: 20), CGPoint(x: x + 4, y: 220)]),
                on: "Paper"
            )
        }
        for y in [50.0, 95, 140, 190] where ann.screen.contains("Draw “") {
            try ann.draw(
                ParleyView.Stroke(points: [CGPoint(x: 72, y: y), CGPoint(x: 150, y: y + 3)]),
                on: "Paper"
            )
        }
        #expect(ann.screen.contains("robot guessed it: “ladder”."))
        // Now the bot has drawn a word.
        #expect(ann.screen.contains("robot draws"))
    }

    /// Bots play a whole game, and know one another's sketches.
    @Test func botsPlayAGame() throws {
        let bots = ["r2", "c3", "bb"].map { ($0, [Self.bot]) }
        let table = Harness(participants: [("ann", [DrawingTable.app])] + bots)
        let ann = try table["ann"]
        try ann.open()
        try ann.tap("Who wants to play?")
        try ann.tap("Start")
        try ann.resign()
        table.settle()
        for _ in 0..<20 where ann.match?.phase != .over { table.pass(seconds: 10) }
        #expect(ann.match?.phase == .over)
        let outcomes = try #require(ann.match?.outcomes)
        #expect(outcomes.first == .quit)
        #expect(outcomes.reduce(0) { $0 + ($1.score ?? 0) } == 9, "each word was guessed")
    }
}
