import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// Drawings and guesses that are not sent yet.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DrawAndGuessKeptTests {
    private let game: DrawingTable
    private let ann: Player
    private let ben: Player
    private let cat: Player

    init() throws {
        game = try DrawingTable()
        (ann, ben, cat) = (game.ann, game.ben, game.cat)
    }

    @Test func aDeletedDrawingGoesOn() throws {
        try ann.open()
        try ann.tap("New drawing")
        try ann.tap("word1")
        try ann.draw(DrawingTable.line(40), on: "Paper")
        ann.collapse()
        ann.expand()
        #expect(ann.screen.contains("(drawing of 1 strokes)"))
        try ann.tap("Done")
        ann.deleteDraft()
        #expect(ann.screen.contains("(drawing of 1 strokes)"))
        try ann.draw(DrawingTable.line(60), on: "Paper")
        try ann.tap("Done")
        try ann.send()
        try ben.tapBubble()
        #expect(ben.screen.contains("(drawing of 2 strokes)"))
    }

    /// A drawing that was closed before it was finished is there again, with its word.
    @Test(arguments: [false, true])
    func aClosedDrawingIsKept(machineWasOff: Bool) throws {
        try ann.open()
        try ann.tap("New drawing")
        try ann.tap("word2")
        try ann.draw(DrawingTable.line(40), on: "Paper")
        try ann.draw(DrawingTable.line(60), on: "Paper")
        let screen = ann.screen
        if machineWasOff {
            ann.goAway()
            ann.comeBack()
        } else {
            ann.closeApp()
        }
        try ann.open()
        try ann.tap("Draw")
        #expect(ann.screen == screen)
        try ann.tap("Done")
        try ann.send()
        // It is sent, and nothing of it is left for the next round.
        ann.closeApp()
        try ann.open()
        try ann.tap("New drawing")
        #expect(ann.screen.contains("What will you draw?"))
    }

    /// A drawing on a sheet that came back, and a guess that was being written, are kept until the
    /// message is opened again, and another message has nothing of them.
    @Test func whatWasBegunBelongsToItsMessage() throws {
        _ = try game.begin(ann)
        try game.guess("a thing", ben)
        try ann.draw(DrawingTable.line(80), on: "Paper")
        ann.closeApp()
        try ann.tapBubble()
        #expect(ann.screen.contains("(drawing of 2 strokes)"))
        try ann.tap("Done")
        try ann.send()
        try cat.tapBubble()
        try cat.type("a half", into: "Your guess")
        cat.closeApp()
        try cat.tapBubble()
        #expect(cat.screen.contains("<Your guess: a half>"))
        cat.closeApp()
        try game.guess("another thing", ben)
        try cat.tapBubble()
        #expect(!cat.screen.contains("a half"))
    }

    /// A drawing that was begun waits while another round is looked at.
    @Test func aBegunDrawingWaitsForItsWord() throws {
        try ann.open()
        try ann.tap("New drawing")
        try ann.tap("word1")
        try ann.draw(DrawingTable.line(40), on: "Paper")
        let screen = ann.screen
        _ = try game.begin(ben)
        try ann.tapBubble()
        #expect(ann.screen.contains("What is it?"))
        ann.collapse()
        try ann.tap("New drawing")
        #expect(ann.screen == screen)
        try ann.tap("Undo")
        try ann.tap("Other words")
        #expect(ann.screen.contains("What will you draw?"))
    }

    @Test func theDrawerGoesOnAfterARestart() throws {
        _ = try game.begin(ann)
        ann.goAway()
        try game.guess("a thing", ben)
        ann.comeBack()
        try ann.tapBubble()
        #expect(ann.screen.contains("Not “a thing”"))
        #expect(ann.screen.contains("(drawing of 1 strokes)"))
    }
}
