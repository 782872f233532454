import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// Rounds with the bot.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DrawAndGuessBotTests {
    private static let game = HostedApp(DrawAndGuess.self, id: "game")
    private static let bot = HostedApp(
        DrawAndGuessBot.self,
        id: "bot",
        speaks: "game",
        startsHeadless: true,
        hasScreen: false
    )

    /// The bot guesses a drawing that looks like one of its sketches, and never gives up.
    @Test func theBotGuesses() throws {
        let table = Harness(participants: [("ann", [Self.game]), ("robot", [Self.bot])])
        let ann = try table["ann"]
        try ann.open()
        try ann.tap("New drawing")
        while !ann.screen.contains("[Ladder]") {
            ann.closeApp()
            try ann.open()
            try ann.tap("New drawing")
        }
        try ann.tap("Ladder")
        for x in [70.0, 150] {
            try ann.draw(
                ParleyView.Stroke(points: [CGPoint(x: x, y: 20), CGPoint(x: x + 4, y: 220)]),
                on: "Paper"
            )
        }
        for y in [50.0, 95, 140, 190] {
            try ann.draw(
                ParleyView.Stroke(points: [CGPoint(x: 72, y: y), CGPoint(x: 150, y: y + 3)]),
                on: "Paper"
            )
        }
        try ann.tap("Done")
        try ann.send()
        #expect(ann.transcript.last == "robot: It is “ladder”!")
        #expect(ann.screen.contains("robot guessed it: “ladder”."))
    }

    @Test func theBotGuessesOnUntilTheEnd() throws {
        let table = Harness(participants: [("ann", [Self.game]), ("robot", [Self.bot])])
        let ann = try table["ann"]
        try ann.open()
        try ann.tap("New drawing")
        try ann.tap("word1")
        for number in 0..<6 where ann.screen.contains("Draw “") {
            let y = CGFloat(number * 3 + 5)
            try ann.draw(
                ParleyView.Stroke(points: [CGPoint(x: 9, y: y), CGPoint(x: 30, y: y)]),
                on: "Paper"
            )
            try ann.tap("Done")
            try ann.send()
        }
        #expect(ann.screen.contains("Nobody guessed it") || ann.screen.contains("robot guessed it"))
    }
}
