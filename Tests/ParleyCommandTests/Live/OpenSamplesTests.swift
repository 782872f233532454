import Foundation
import ParleyAPI
import ParleyWeb
import TestSupport
import Testing

/// The sample apps over two terminals, as far as their views allow.
///
/// `OpenTests` plays tic-tac-toe.
@Suite(.timeLimit(.minutes(5)))
struct OpenSamplesTests {
    /// Opens an app, types the lines and leaves; returns what was printed.
    private func play(_ node: NodeProcess, _ app: String, _ lines: String...) async throws
        -> String
    {
        let input = Data((lines + ["q"]).map { $0 + "\n" }.joined().utf8)
        let finished = try await node.run("open", app, "-c", "games", input: input)
        #expect(finished.status == 0, "\(finished.errorText)")
        return finished.text
    }

    private func wait(for line: String, at node: NodeProcess) async throws {
        try await eventually(line, every: .milliseconds(50)) {
            try await node.run("transcript", "-c", "games").text.contains(line)
        }
    }

    @Test func aSundaeIsBuiltInTurnsAndItsStickerIsPlaced() async throws {
        let pair = try await NodePair()
        let first = try await play(pair.alice, "icecream", "1", "2", "s")
        #expect(first.contains("Draft: Choose the scoops"))
        try await wait(for: "Choose the scoops", at: pair.bob)
        let second = try await play(pair.bob, "icecream", "m", "2", "s")
        #expect(second.contains("The sundae: Waffle bowl, Berry patch"))
        try await wait(for: "Choose a topping", at: pair.alice)
        let name = "Waffle bowl, Berry patch, Fresh fruit"
        // The text has a number as well, and a sticker can be put on it.
        _ = try await pair.bob.run("send", "-c", "games", "--caption", "Well built!")
        try await wait(for: "Well built!", at: pair.alice)
        let third = try await play(pair.alice, "icecream", "m", "5", "s", "1", "p m2 25 75")
        #expect(third.contains("Sticker: A sundae: \(name)   [s] send  [p m1] place on message 1"))
        #expect(third.contains("m2 bob: Well built! [A sundae: \(name)]"))
        let placed = try await eventually("the sticker at bob's") {
            try await pair.bob.transcript().compactMap(\.message?.content?.placement).first
        }
        #expect([placed.horizontal, placed.vertical] == [0.25, 0.75])
        // Only who has placed it peels it off.
        let wrong = try await pair.bob.run(
            "open",
            "icecream",
            "-c",
            "games",
            input: Data("x m2\n".utf8)
        )
        #expect(wrong.errorText.contains("no sticker of yours on message m2"))
        let last = try await play(pair.alice, "icecream", "x m2")
        let after = try #require(last.components(separatedBy: "Ice cream in games").last)
        #expect(after.contains("m2 bob: Well built!\n"))
        await pair.end()
    }

    @Test func anItemIsPickedAndOpened() async throws {
        let pair = try await NodePair()
        let picked = try await play(pair.alice, "iconstore", "2", "s")
        #expect(picked.contains("Draft: Rocket"))
        try await wait(for: "Rocket", at: pair.bob)
        let opened = try await play(pair.bob, "iconstore", "m")
        #expect(opened.contains("Icon store in games · expanded"))
        #expect(opened.contains("ROCKET"))
        #expect(opened.contains("Points up and to the right"))
        await pair.end()
    }

    @Test func aMoodAndFoodAreTold() async throws {
        let pair = try await NodePair()
        let food = try await play(pair.alice, "moodandfood", "3", "-", "2", "2 The sun is out", "3")
        // The food list needs expanded style, and collapsing leads back to the menu.
        #expect(food.contains("Mood and food in games · expanded"))
        #expect(food.contains("2 <Why? (a few words): The sun is out>"))
        #expect(food.contains("Draft: "))
        _ = try await play(pair.alice, "moodandfood", "s")
        try await wait(for: "The sun is out", at: pair.bob)
        #expect(try await play(pair.bob, "moodandfood", "m").contains("The sun is out"))
        await pair.end()
    }

    /// A terminal cannot draw, but who sits there can guess.
    @Test func aDrawingIsGuessed() async throws {
        let pair = try await NodePair()
        let path = "conversations/games/apps/drawandguess"
        func post(_ request: AppRequest) throws -> ScreenDocument {
            try ControlSocketClient.post(path, JSON.encode(request), to: pair.alice)
                .document(ScreenDocument.self)
        }
        /// Waits for a view of alice's app, which stays open, and returns the action on it.
        func action(_ view: Regex<(Substring, Substring)>, _ kind: String) async throws
            -> AppRequest
        {
            try await eventually("a view to \(kind)") {
                let screen = try post(AppRequest(.open))
                guard let number = screen.text.firstMatch(of: view)?.output.1 else { return nil }
                var request = AppRequest(.act)
                request.node = screen.actions.first { String($0.number) == number }?.node
                request.version = screen.version
                request.kind = kind
                return request
            }
        }
        func number(of button: String, in text: String) throws -> String {
            let pattern = try Regex("([0-9]+) \\[\(button)\\]", as: (Substring, Substring).self)
            return String(try #require(text.firstMatch(of: pattern)?.output.1))
        }
        _ = try post(try await action(#/(\d+) \[Who wants to play/#, "press"))
        try await wait(for: "wants to draw and guess", at: pair.bob)
        let offer = try await play(pair.bob, "drawandguess", "m")
        let join = try number(of: "Join", in: offer)
        _ = try await play(pair.bob, "drawandguess", "m", join)
        _ = try post(try await action(#/(\d+) \[Start\]/#, "press"))
        var word = try await action(#/(\d+) <Your own word/#, "submit")
        word.text = "A spoon"
        _ = try post(word)
        var stroke = try await action(#/(\d+) \(drawing of 0/#, "draw")
        stroke.stroke = StrokeDocument(points: [[10, 10], [60, 40]], width: 3)
        _ = try post(stroke)
        try await wait(for: "What is it?", at: pair.bob)
        try await eventually("the stroke and the guess field") {
            try await play(pair.bob, "drawandguess", "m").contains("(drawing of 1 strokes)")
        }
        let guess = try await play(pair.bob, "drawandguess", "m")
        let field = try #require(guess.firstMatch(of: #/(\d+) <Your guess/#)?.output.1)
        _ = try await play(pair.bob, "drawandguess", "m", "\(field) a spoon")
        // Alice's app has the judgement, though nobody looks at it.
        try await wait(for: "It is “a spoon”!", at: pair.bob)
        await pair.end()
    }
}
