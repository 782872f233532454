import Foundation
import Messages
import MessagesHost
import MessagesTesting
import SampleDrawAndGuess
import Testing

/// Three people who draw and guess.
@MainActor
struct DrawingTable {
    let table: Harness
    let ann: Player
    let ben: Player
    let cat: Player

    init() throws {
        try self.init(Harness(apps: [DrawAndGuess.self], participants: ["ann", "ben", "cat"]))
    }

    init(_ table: Harness) throws {
        self.table = table
        ann = try table["ann"]
        ben = try table["ben"]
        cat = try table["cat"]
    }

    static func line(_ y: CGFloat, length: CGFloat = 200) -> ParleyView.Stroke {
        ParleyView.Stroke(
            points: stride(from: 0, through: length, by: 10).map { CGPoint(x: $0, y: y) }
        )
    }

    /// Begins a round, and returns its word.
    func begin(_ player: Player) throws -> String {
        try player.open()
        try player.tap("New drawing")
        #expect(player.style == .expanded)
        try player.tap("word1")
        let word = try #require(player.screen.split(separator: "“").dropFirst().first)
        try player.draw(Self.line(40), on: "Paper")
        try player.tap("Done")
        #expect(player.screen.contains("Press Send"))
        try player.send()
        return String(word.prefix { $0 != "”" })
    }

    /// Draws one line more on a sheet that came back, and sends it.
    func drawOn(_ player: Player, at y: CGFloat = 80) throws {
        try player.draw(Self.line(y), on: "Paper")
        try player.tap("Done")
        try player.send()
    }

    /// Opens the latest round and guesses, which is sent at once.
    func guess(_ guess: String, _ player: Player) throws {
        try player.tapBubble()
        try player.type(guess, into: "Your guess")
        try player.tap("Guess")
    }
}
