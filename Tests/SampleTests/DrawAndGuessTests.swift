import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// Rounds of two and of a group.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DrawAndGuessTests {
    private let game: DrawingTable
    private let ann: Player
    private let ben: Player
    private let cat: Player

    init() throws {
        game = try DrawingTable()
        (ann, ben, cat) = (game.ann, game.ben, game.cat)
    }

    /// The ink that is left, in percent.
    private func ink(_ player: Player) throws -> Int {
        let bottle = player.tree?.nodes.first { $0.id.description.hasSuffix("#ink") }
        let label = try #require(bottle?.accessibilityLabel)
        return try #require(Int(label.filter(\.isNumber)))
    }

    @Test func twoPlayARound() throws {
        let word = try game.begin(ann)
        #expect(ben.transcript == ["ann: What is it?"])
        #expect(ann.screen.contains("The others are guessing"))

        try game.guess("A cuckoo clock!", ben)
        #expect(ann.transcript.last == "ben: Not “a cuckoo clock”")
        #expect(ben.screen.contains("You guessed “a cuckoo clock”, which is wrong."))
        #expect(ben.screen.contains("ann has more ink and is drawing more of it"))
        // More ink, and the drawing goes on where it was.
        #expect(ann.screen.contains("Draw “\(word)”"))
        #expect(ann.screen.contains("Not “a cuckoo clock”"))
        #expect(ann.screen.contains("(drawing of 1 strokes)"))
        try game.drawOn(ann)

        #expect(ben.screen.contains("(drawing of 2 strokes)"))
        try game.guess("the " + word.uppercased(), ben)
        // Only the one who has guessed it is praised for that.
        #expect(ben.screen.contains("Well guessed! It is “\(word)”."))
        #expect(ann.screen.contains("ben guessed it: “\(word)”."))
        #expect(!ann.screen.contains("Well guessed"))
        for player in [ann, ben] {
            #expect(player.transcript.last == "ben: It is “\(word)”!")
        }
        // A new game is a new session.
        try ben.tap("New drawing")
        try ben.tap("word2")
        try ben.draw(DrawingTable.line(40), on: "Paper")
        try ben.tap("Done")
        try ben.send()
        #expect(ann.bubbles.filter { $0.kind == .message }.count == 2)
        #expect(ann.screen.contains("What is it?"))
    }

    /// The word is nowhere to be read before it was guessed, not in the URL either.
    @Test func theWordIsASecret() throws {
        let word = try game.begin(ann)
        try ben.tapBubble()
        let bubble = try #require(ben.bubbles.last)
        for text in [
            ben.screen, ben.transcript.joined(), bubble.accessibilityLabel ?? "", bubble.url ?? "",
        ] {
            #expect(!text.lowercased().contains(word))
        }
    }

    /// A guess was a draft once, which said whether it was right, and which could be removed.
    @Test func aGuessCannotBeTakenBack() throws {
        _ = try game.begin(ann)
        try ben.tapBubble()
        #expect(ben.screen.contains("You have 6 guesses left."))
        try ben.type("a thing", into: "Your guess")
        #expect(!ben.screen.contains("wrong"))
        try ben.tap("Guess")
        #expect(ben.draft == nil)
        #expect(ben.screen.contains("You guessed “a thing”, which is wrong."))
        ben.deleteDraft()
        for player in [ann, ben, cat] {
            #expect(player.transcript.last == "ben: Not “a thing”")
            #expect(player.bubbles.last?.layout?.trailingSubcaption == "5 guesses left")
        }
    }

    @Test func anEmptyGuessSaysSo() throws {
        _ = try game.begin(ann)
        try ben.tapBubble()
        try ben.tap("Guess")
        #expect(ben.screen.contains("Write what you think it is, then press Guess."))
        try ben.submit("  ?! ", into: "Your guess")
        #expect(ben.screen.contains("Write what you think it is, then press Guess."))
        #expect(ben.bubbles.count == 1)
    }

    @Test func inkRunsOutAndAWrongGuessGivesMore() throws {
        try ann.open()
        try ann.tap("New drawing")
        try ann.tap("word1")
        #expect(try ink(ann) == 100)
        for row in 1...5 { try ann.draw(DrawingTable.line(CGFloat(row) * 20), on: "Paper") }
        #expect((20...30).contains(try ink(ann)))
        try ann.tap("Undo")
        #expect((35...45).contains(try ink(ann)))
        // A line that is longer than the ink ends where the ink does.
        while try ink(ann) > 0 { try ann.draw(DrawingTable.line(100, length: 320), on: "Paper") }
        #expect(ann.screen.contains("Out of ink"))
        // A finger may still draw there, so that it does not move the page; nothing is drawn.
        let dry = ann.screen
        try ann.draw(DrawingTable.line(220), on: "Paper")
        #expect(ann.screen == dry)
        try ann.tap("Done")
        try ann.send()
        try game.guess("something else", ben)
        #expect(!ann.screen.contains("Out of ink"))
        #expect(try ink(ann) > 20)
    }

    @Test func onlyThoseWhoseTurnItIsCanAct() throws {
        let word = try game.begin(ann)
        // The drawer cannot guess.
        #expect(throws: HarnessError.self) { try ann.type(word, into: "Your guess") }
        #expect(ann.screen.contains("The others are guessing"))
        try game.guess("something else", ben)
        // Guessers cannot guess or draw until there is more to see.
        try cat.tapBubble()
        for player in [ben, cat] {
            #expect(player.screen.contains("ann has more ink and is drawing more of it"))
            #expect(throws: HarnessError.self) { try player.type(word, into: "Your guess") }
            #expect(throws: HarnessError.self) {
                try player.draw(DrawingTable.line(20), on: "Paper")
            }
        }
        // In a group anybody may guess next.
        try game.drawOn(ann)
        try game.guess(word, cat)
        #expect(cat.screen.contains("Well guessed!"))
        #expect(ben.screen.contains("cat guessed it"))
        #expect(ben.bubbles.last?.layout?.subcaption == "cat guessed it")
    }

    @Test func whoIsTooLateIsTold() throws {
        let word = try game.begin(ann)
        try ben.tapBubble()
        try ben.type("a thing", into: "Your guess")
        try game.guess("a clock", cat)
        #expect(ben.screen.contains("cat guessed “a clock”, which is wrong."))
        // The text that was being written is there again for the next guess.
        try game.drawOn(ann)
        #expect(ben.screen.contains("<Your guess: a thing>"))
        try ben.type(word, into: "Your guess")
        try ben.tap("Guess")
        #expect(cat.screen.contains("ben guessed it"))
    }

    @Test func theSameGuessTwiceIsRefused() throws {
        _ = try game.begin(ann)
        try game.guess("a thing", ben)
        try game.drawOn(ann)
        try ben.submit("A  thing", into: "Your guess")
        #expect(ben.screen.contains("was guessed before"))
        #expect(ben.draft == nil)
    }

    @Test func nobodyGuessesIt() throws {
        let word = try game.begin(ann)
        for number in 1...6 {
            try game.guess("thing \(number)", number.isMultiple(of: 2) ? ben : cat)
            guard number < 6 else { break }
            try ann.tapBubble()
            try ann.draw(DrawingTable.line(CGFloat(number) * 30), on: "Paper")
            try ann.tap("Done")
            try ann.send()
        }
        #expect(ann.screen.contains("Nobody guessed it"))
        #expect(ben.transcript.last?.hasSuffix("It was “\(word)”") == true)
    }
}
