import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// Rounds of two, of a group, and with the bot.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DrawAndGuessTests {
    private let table: Harness
    private let ann: Player
    private let ben: Player
    private let cat: Player

    init() throws {
        table = Harness(apps: [DrawAndGuess.self], participants: ["ann", "ben", "cat"])
        ann = try table["ann"]
        ben = try table["ben"]
        cat = try table["cat"]
    }

    private static func line(_ y: CGFloat, length: CGFloat = 200) -> View.Stroke {
        View.Stroke(points: stride(from: 0, through: length, by: 10).map { CGPoint(x: $0, y: y) })
    }

    /// The ink that is left, in percent.
    private func ink(_ player: Player) throws -> Int {
        let bottle = player.tree?.nodes.first { $0.id.description.hasSuffix("#ink") }
        let label = try #require(bottle?.accessibilityLabel)
        return try #require(Int(label.filter(\.isNumber)))
    }

    /// Begins a round, and returns its word.
    private func begin(_ player: Player) throws -> String {
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

    private func guess(_ guess: String, _ player: Player) throws {
        try player.tapBubble()
        try player.type(guess, into: "Your guess")
        try player.tap("Guess")
        try player.send()
    }

    @Test func twoPlayARound() throws {
        let word = try begin(ann)
        #expect(ben.transcript == ["ann: What is it?"])
        #expect(ann.screen.contains("The others are guessing"))

        try guess("A cuckoo clock!", ben)
        #expect(ann.transcript.last == "ben: Not “a cuckoo clock”")
        #expect(ben.screen.contains("The drawer is drawing more of it"))
        // More ink, and the drawing goes on where it was.
        #expect(ann.screen.contains("Draw “\(word)”"))
        #expect(ann.screen.contains("Not “a cuckoo clock”"))
        #expect(ann.screen.contains("(drawing of 1 strokes)"))
        try ann.draw(Self.line(80), on: "Paper")
        try ann.tap("Done")
        try ann.send()

        #expect(ben.screen.contains("(drawing of 2 strokes)"))
        try guess("the " + word.uppercased(), ben)
        for player in [ann, ben] {
            #expect(player.screen.contains("Well guessed!"))
            #expect(player.transcript.last == "ben: It is “\(word)”!")
        }
        // A new game is a new session.
        try ben.tap("New drawing")
        try ben.tap("word2")
        try ben.draw(Self.line(40), on: "Paper")
        try ben.tap("Done")
        try ben.send()
        #expect(ann.bubbles.filter { $0.kind == .message }.count == 2)
        #expect(ann.screen.contains("What is it?"))
    }

    /// The word is nowhere to be read before it was guessed.
    @Test func theWordIsASecret() throws {
        let word = try begin(ann)
        try ben.tapBubble()
        for text in [
            ben.screen, ben.transcript.joined(), ben.bubbles.last?.accessibilityLabel ?? "",
        ] {
            #expect(!text.lowercased().contains("“\(word)”"))
        }
    }

    @Test func inkRunsOutAndAWrongGuessGivesMore() throws {
        try ann.open()
        try ann.tap("New drawing")
        try ann.tap("word1")
        #expect(try ink(ann) == 100)
        for row in 1...5 { try ann.draw(Self.line(CGFloat(row) * 20), on: "Paper") }
        #expect((20...30).contains(try ink(ann)))
        try ann.tap("Undo")
        #expect((35...45).contains(try ink(ann)))
        // A line that is longer than the ink ends where the ink does.
        while try ink(ann) > 0 { try ann.draw(Self.line(100, length: 320), on: "Paper") }
        #expect(ann.screen.contains("Out of ink"))
        #expect(throws: HarnessError.action(.disabled)) {
            try ann.draw(Self.line(220), on: "Paper")
        }
        try ann.tap("Done")
        try ann.send()
        try guess("something else", ben)
        #expect(!ann.screen.contains("Out of ink"))
        #expect(try ink(ann) > 20)
    }

    @Test func onlyThoseWhoseTurnItIsCanAct() throws {
        let word = try begin(ann)
        // The drawer cannot guess.
        #expect(throws: HarnessError.self) { try ann.type(word, into: "Your guess") }
        #expect(ann.screen.contains("The others are guessing"))
        try guess("something else", ben)
        // Guessers cannot guess or draw until there is more to see.
        try cat.tapBubble()
        for player in [ben, cat] {
            #expect(player.screen.contains("The drawer is drawing more of it"))
            #expect(throws: HarnessError.self) { try player.type(word, into: "Your guess") }
            #expect(throws: HarnessError.self) {
                try player.draw(Self.line(20), on: "Paper")
            }
        }
        // In a group anybody may guess next.
        try ann.draw(Self.line(80), on: "Paper")
        try ann.tap("Done")
        try ann.send()
        try guess(word, cat)
        #expect(ben.screen.contains("Well guessed!"))
        #expect(ben.bubbles.last?.layout?.subcaption == "cat guessed it")
    }

    @Test func whoIsTooLateIsTold() throws {
        let word = try begin(ann)
        try ben.tapBubble()
        try ben.submit("a thing", into: "Your guess")
        try guess(word, cat)
        #expect(ben.screen.contains("Somebody was faster"))
        ben.deleteDraft()
        #expect(ben.screen.contains("Well guessed!"))
    }

    @Test func theSameGuessTwiceIsRefused() throws {
        _ = try begin(ann)
        try guess("a thing", ben)
        try ann.draw(Self.line(80), on: "Paper")
        try ann.tap("Done")
        try ann.send()
        try ben.submit("A  thing", into: "Your guess")
        #expect(ben.screen.contains("was guessed before"))
        #expect(ben.draft == nil)
    }

    @Test func nobodyGuessesIt() throws {
        let word = try begin(ann)
        for number in 1...6 {
            try guess("thing \(number)", number.isMultiple(of: 2) ? ben : cat)
            guard number < 6 else { break }
            try ann.tapBubble()
            try ann.draw(Self.line(CGFloat(number) * 30), on: "Paper")
            try ann.tap("Done")
            try ann.send()
        }
        #expect(ann.screen.contains("Nobody guessed it"))
        #expect(ben.transcript.last?.hasSuffix("It was “\(word)”") == true)
    }

    @Test func aDeletedDrawingGoesOn() throws {
        try ann.open()
        try ann.tap("New drawing")
        try ann.tap("word1")
        try ann.draw(Self.line(40), on: "Paper")
        ann.collapse()
        ann.expand()
        #expect(ann.screen.contains("(drawing of 1 strokes)"))
        try ann.tap("Done")
        ann.deleteDraft()
        #expect(ann.screen.contains("(drawing of 1 strokes)"))
        try ann.draw(Self.line(60), on: "Paper")
        try ann.tap("Done")
        try ann.send()
        try ben.tapBubble()
        #expect(ben.screen.contains("(drawing of 2 strokes)"))
    }

    @Test func theDrawerGoesOnAfterARestart() throws {
        _ = try begin(ann)
        ann.goAway()
        try guess("a thing", ben)
        ann.comeBack()
        try ann.tapBubble()
        #expect(ann.screen.contains("Not “a thing”"))
        #expect(ann.screen.contains("(drawing of 1 strokes)"))
    }

    @Test(arguments: [
        "?", "data:,x", "?Word=cat", "?Word=cat&Drawer=x&Sheets=1&Drawing=0101",
        "?Word=cat&Drawer=ANN&Sheets=1&Drawing=01", "?Word=cat&Drawer=ANN&Sheets=1&Drawing=vvvv",
        "?Word=cat&Drawer=ANN&Sheets=-1&Drawing=0101",
        "?Word=cat&Drawer=ANN&Sheets=9223372036854775807&Drawing=0101",
        "?Word=cat&Drawer=ANN&Sheets=1&Drawing=%F0%9F%8D%A6",
        "?Word=cat&Drawer=ANN&Sheets=1&Drawing=%2B101",
        "?Word=Cat%21&Drawer=ANN&Sheets=1&Drawing=0101",
        "?Word=cat&Drawer=ANN&Sheets=1&Drawing=0101&Guess=cat",
        "?Word=cat&Drawer=ANN&Sheets=2&Drawing=0101&Guess=cat",
        "?Word=cat&Drawer=BEN&Sheets=1&Drawing=0101",
    ])
    func whatIsNoRoundIsNone(url: String) throws {
        let url = url.replacing("ANN", with: try #require(ann.participant).uuidString)
            .replacing("BEN", with: try #require(ben.participant).uuidString)
        try ben.open()
        try ann.open()
        ann.conversation?.send(MSMessage(url, in: MSSession()))
        table.settle()
        #expect(ben.screen.contains("Draw something"))
        try ben.tapBubble()
        #expect(ben.screen.contains("I cannot make sense of this message."))
        try ben.tap("New drawing")
    }

    /// All ink that there can be fits into a URL, whatever is drawn and guessed.
    @Test func theLongestRoundFits() throws {
        _ = try begin(ann)
        let zigzag = (0..<800).map { (index: Int) -> CGPoint in
            CGPoint(x: 160 + index % 2 * 7, y: 8 + index / 4)
        }
        for number in 1...6 {
            try guess(String(repeating: "漢", count: 23) + "\(number)", ben)
            guard number < 6 else { break }
            for y in 0..<3 { try ann.draw(View.Stroke(points: [CGPoint(x: 5, y: y)]), on: "Paper") }
            try ann.draw(View.Stroke(points: zigzag), on: "Paper")
            try ann.tap("Done")
            try ann.send()
        }
        let url = try #require(ann.bubbles.last?.url)
        #expect(url.count <= 5_000)
        #expect(ben.screen.contains("Nobody guessed it"))
    }

    // MARK: The bot

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
                View.Stroke(points: [CGPoint(x: x, y: 20), CGPoint(x: x + 4, y: 220)]),
                on: "Paper"
            )
        }
        for y in [50.0, 95, 140, 190] {
            try ann.draw(
                View.Stroke(points: [CGPoint(x: 72, y: y), CGPoint(x: 150, y: y + 3)]),
                on: "Paper"
            )
        }
        try ann.tap("Done")
        try ann.send()
        #expect(ann.transcript.last == "robot: It is “ladder”!")
        #expect(ann.screen.contains("Well guessed!"))
    }

    @Test func theBotGuessesOnUntilTheEnd() throws {
        let table = Harness(participants: [("ann", [Self.game]), ("robot", [Self.bot])])
        let ann = try table["ann"]
        try ann.open()
        try ann.tap("New drawing")
        try ann.tap("word1")
        for number in 0..<6 where !ann.screen.contains("It ") || ann.screen.contains("Draw “") {
            let y = CGFloat(number * 3 + 5)
            try ann.draw(
                View.Stroke(points: [CGPoint(x: 9, y: y), CGPoint(x: 30, y: y)]),
                on: "Paper"
            )
            try ann.tap("Done")
            try ann.send()
        }
        #expect(ann.screen.contains("Nobody guessed it") || ann.screen.contains("Well guessed!"))
    }
}
