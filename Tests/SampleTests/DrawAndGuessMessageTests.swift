import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// Drawings and guesses as messages and answers carry them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DrawAndGuessMessageTests {
    /// The change in the query of a message with a shown word; nil takes the item out.
    @Test(
        arguments: [
            ("Turn", nil), ("Turn", "x"), ("Turn", "-2"), ("Turn", "9223372036854775807"),
            ("Points", "1,-1"), ("Points", "9223372036854775807"),
            ("Points", String(repeating: "1,", count: 99)), ("Seal", ""), ("Seal", "ff"),
            ("Word", ""), ("Word", "Cat!"), ("Word", String(repeating: "c", count: 25)),
            ("Salt", nil), ("Salt", "00"), ("Salt", String(repeating: "g", count: 32)),
            ("Was", nil), ("Was", "0"), ("Key", nil), ("Key", "0123"), ("Drawing", "000"),
            ("Drawing", "00000"), ("Drawing", "____"), ("Drawing", "0000~~"),
            ("Drawing", "0000-"), ("Drawing", "000000"), ("Drawing", "🍦🍦🍦🍦"),
        ] as [(String, String?)]
    )
    func whatIsNoGameIsNone(item: String, value: String?) throws {
        let game = try DrawingTable(["ann", "ben"])
        let (ann, ben) = (game.players[0], game.players[1])
        let word = try game.draw(ann)
        try ben.submit(word, into: "Your guess")
        let url = try #require(ann.bubbles.last?.url)
        var parts = try #require(URLComponents(string: url))
        parts.queryItems?.removeAll { $0.name == item }
        if let value { parts.queryItems?.append(URLQueryItem(name: item, value: value)) }
        let message = MSMessage(try #require(parts.string), in: MSSession())
        ann.conversation?.parley?.offerMatch(message, seats: 2...2)
        ann.conversation?.send(message)
        game.table.settle()
        try ben.tapBubble()
        #expect(ben.bubbles.last?.match != nil)
        #expect(ben.screen.contains("I cannot make sense of this message."))
        // The game before is there all the same.
        #expect(ben.screen.contains("What will you draw?"))
    }

    /// What was sent before there were matches is a picture with a line.
    @Test func anOldMessageIsAPicture() throws {
        let game = try DrawingTable(["ann", "ben"])
        let (ann, ben) = (game.players[0], game.players[1])
        let query = "?Word=c3a0&Drawer=\(UUID().uuidString)&Sheets=1&Drawing=0000"
        ann.conversation?.send(MSMessage(query, in: MSSession()))
        game.table.settle()
        ben.closeApp()
        try ben.tapBubble()
        #expect(ben.screen.contains("Its picture and its line say all."))
        #expect(ben.screen.contains("Who wants to play?"))
    }

    /// Strokes keep their place to an eighth of a unit, however they were drawn.
    @Test func linesKeepTheirPlace() throws {
        let game = try DrawingTable(["ann", "ben"])
        let (ann, ben) = (game.players[0], game.players[1])
        try ann.tap("word1")
        let circle = (0...90).map { step -> CGPoint in
            let angle = Double(step) / 45 * .pi
            return CGPoint(x: 160 + cos(angle) * 60.3, y: 120 + sin(angle) * 60.3)
        }
        try ann.draw(ParleyView.Stroke(points: circle), on: "Paper")
        try ann.draw(
            ParleyView.Stroke(points: [CGPoint(x: 3, y: 4), CGPoint(x: 203, y: 54)]),
            on: "Paper"
        )
        let strokes = try #require(game.strokes(ben))
        let (round, line) = (try #require(strokes.first), try #require(strokes.last))
        for point in round.points {
            #expect(abs(hypot(point.x - 160, point.y - 120) - 60.3) < 0.25)
        }
        for point in line.points { #expect(abs((point.y - 4) - (point.x - 3) / 4) < 0.25) }
        #expect(line.points.last == CGPoint(x: 203, y: 54))
    }

    /// The ink that is left, in percent.
    private func ink(_ player: Player) throws -> Int {
        let bottle = player.tree?.nodes.first { $0.id.description.hasSuffix("#ink") }
        let label = try #require(bottle?.accessibilityLabel)
        return try #require(Int(label.filter(\.isNumber)))
    }

    @Test func inkRunsOutAndAWrongGuessGivesMore() throws {
        let game = try DrawingTable(["ann", "ben"])
        let (ann, ben) = (game.players[0], game.players[1])
        try ann.tap("word1")
        #expect(try ink(ann) == 100)
        for row in 1...5 { try ann.draw(DrawingTable.line(CGFloat(row) * 20), on: "Paper") }
        #expect((20...30).contains(try ink(ann)))
        try ann.tap("Undo")
        #expect((35...45).contains(try ink(ann)))
        #expect(game.strokes(ben)?.count == 4)
        // A line that is longer than the ink ends where the ink does.
        while try ink(ann) > 0 { try ann.draw(DrawingTable.line(100, length: 320), on: "Paper") }
        #expect(ann.screen.contains("Out of ink"))
        // A finger may still draw there, so that it does not move the page; nothing is drawn.
        let dry = ann.screen
        try ann.draw(DrawingTable.line(220), on: "Paper")
        #expect(ann.screen == dry)
        try ben.submit("something else", into: "Your guess")
        #expect(!ann.screen.contains("Out of ink"))
        #expect(try ink(ann) > 20)
    }

    /// Everybody has six guesses for a drawing, all different.
    @Test func guessesAreCounted() throws {
        let game = try DrawingTable(["ann", "ben", "cat"])
        let (ann, ben, cat) = (game.players[0], game.players[1], game.players[2])
        let word = try game.draw(ann)
        try ben.tap("Guess")
        #expect(ben.screen.contains("Write what you think it is, then press Guess."))
        try ben.submit("  ?! ", into: "Your guess")
        #expect(ben.screen.contains("Write what you think it is, then press Guess."))
        for number in 1...5 { try ben.submit("thing \(number)", into: "Your guess") }
        try cat.submit("Thing  1", into: "Your guess")
        #expect(cat.screen.contains("“thing 1” was guessed before."))
        #expect(cat.screen.contains("You have 6 guesses left."))
        #expect(ben.screen.contains("You have 1 guess left."))
        try ben.submit("thing 6", into: "Your guess")
        #expect(throws: HarnessError.self) { try ben.type(word, into: "Your guess") }
        #expect(ann.screen.contains("ben: not “thing 6”"))
        // The others may still guess.
        try cat.submit(word, into: "Your guess")
        #expect(ben.screen.contains("cat guessed it"))
    }

    /// All ink that there can be fits into a message and an answer, whatever is drawn and guessed.
    ///
    /// Its picture comes after the message, and the apps were not told of the match then.
    @Test(arguments: [false, true])
    func theLongestDrawingFits(inSmallStrokes: Bool) throws {
        let game = try DrawingTable(["ann", "ben", "cat", "dan", "eve", "fay", "gus", "hal"])
        let ann = game.players[0]
        _ = try game.draw(ann)
        let zigzag = (0..<1_600).map { (index: Int) -> CGPoint in
            CGPoint(x: 160 + index % 2 * 3, y: 8 + index / 8)
        }
        for number in 1...6 {
            for (seat, player) in game.players.dropFirst().enumerated() {
                let guess = String(repeating: "漢", count: 22) + "\(number)\(seat)"
                try player.submit(guess, into: "Your guess")
            }
            for row in 0..<(inSmallStrokes ? 60 : 3) {
                let start = CGPoint(x: 5 * number, y: row * 3)
                let end = CGPoint(x: 5 * number + 1, y: row * 3)
                try ann.draw(ParleyView.Stroke(points: [start, end]), on: "Paper")
            }
            if !inSmallStrokes { try ann.draw(ParleyView.Stroke(points: zigzag), on: "Paper") }
        }
        #expect(game.strokes(game.players[7]) == game.strokes(ann))
        try ann.tap("Pass on")
        #expect(game.players[7].screen.contains("Nobody guessed it."))
        #expect(try #require(ann.bubbles.last?.url).count <= 5_000)
    }
}
