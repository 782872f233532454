import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// Rounds as messages carry them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DrawAndGuessMessageTests {
    private let game: DrawingTable
    private let ann: Player
    private let ben: Player
    private let cat: Player

    init() throws {
        game = try DrawingTable()
        (ann, ben, cat) = (game.ann, game.ben, game.cat)
    }

    /// The change in the query of a round that ann has sent; nil takes the item out.
    @Test(
        arguments: [
            ("Word", nil), ("Word", ""), ("Word", "cat"), ("Word", "c"), ("Word", "ffffffff"),
            ("Word", String(repeating: "0", count: 400)), ("Drawer", nil), ("Drawer", "x"),
            ("Drawer", "BEN"), ("Sheets", nil), ("Sheets", "-1"), ("Sheets", "2"),
            ("Sheets", "9223372036854775807"), ("Drawing", nil), ("Drawing", ""),
            ("Drawing", "000"),
            ("Drawing", "00000"), ("Drawing", "____"), ("Drawing", "0000~~"), ("Drawing", "0000-"),
            ("Drawing", "000000"), ("Drawing", "🍦🍦🍦🍦"), ("Drawing", "+101"), ("Guess", "cat"),
            ("Guess", "Cat!"),
        ] as [(String, String?)]
    )
    func whatIsNoRoundIsNone(item: String, value: String?) throws {
        _ = try game.begin(ann)
        let url = try #require(ann.bubbles.last?.url)
        var parts = try #require(URLComponents(string: url))
        parts.queryItems?.removeAll { $0.name == item }
        let me = try #require(ben.participant)
        if let value = value?.replacing("BEN", with: me.uuidString) {
            parts.queryItems?.append(URLQueryItem(name: item, value: value))
        }
        let changed = try #require(parts.string)
        try cat.open()
        ann.conversation?.send(MSMessage(changed, in: MSSession()))
        game.table.settle()
        try cat.tapBubble()
        #expect(cat.screen.contains("I cannot make sense of this message."))
        cat.collapse()
        try cat.tap("New drawing")
    }

    /// Strokes keep their place to an eighth of a unit, however they were drawn.
    @Test func linesKeepTheirPlace() throws {
        try ann.open()
        try ann.tap("New drawing")
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
        try ann.tap("Done")
        try ann.send()
        try ben.tapBubble()
        let strokes = ben.tree?.nodes.lazy.compactMap { node -> [ParleyView.Stroke]? in
            guard case .canvas(let drawing) = node.content else { return nil }
            return drawing.strokes
        }.first
        let (round, line) = (try #require(strokes?.first), try #require(strokes?.last))
        for point in round.points {
            #expect(abs(hypot(point.x - 160, point.y - 120) - 60.3) < 0.25)
        }
        for point in line.points { #expect(abs((point.y - 4) - (point.x - 3) / 4) < 0.25) }
        #expect(line.points.last == CGPoint(x: 203, y: 54))
    }

    /// The turn is that of the guessers, and then the drawer's.
    @Test func saysWhoseTurnItIs() throws {
        let app = HostedApp(DrawAndGuess.self, turns: DrawAndGuess.next, turnsAreBinding: false)
        let table = Harness(apps: [app], participants: ["ann", "ben", "cat"])
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        func turns() -> [Bool] {
            [ann, ben, cat].map { $0.bubbles.last?.isMyTurn ?? false }
        }
        let others = try DrawingTable(table)
        let word = try others.begin(ann)
        #expect(turns() == [false, true, true])
        #expect(ben.bubbles.last?.next == [], "nobody is locked out, also who comes later")
        try others.guess("a thing", cat)
        #expect(turns() == [true, false, false])
        try others.drawOn(ann)
        #expect(turns() == [false, true, true])
        try others.guess(word, ben)
        #expect(turns() == [false, false, false])
    }

    /// All ink that there can be fits into a URL, whatever is drawn and guessed.
    @Test(arguments: [false, true])
    func theLongestRoundFits(inSmallStrokes: Bool) throws {
        _ = try game.begin(ann)
        let zigzag = (0..<1_600).map { (index: Int) -> CGPoint in
            CGPoint(x: 160 + index % 2 * 3, y: 8 + index / 8)
        }
        for number in 1...6 {
            try game.guess(String(repeating: "漢", count: 23) + "\(number)", ben)
            guard number < 6 else { break }
            for row in 0..<(inSmallStrokes ? 60 : 3) {
                let start = CGPoint(x: 5 * number, y: row * 3)
                let end = CGPoint(x: 5 * number + 1, y: row * 3)
                try ann.draw(ParleyView.Stroke(points: [start, end]), on: "Paper")
            }
            if !inSmallStrokes { try ann.draw(ParleyView.Stroke(points: zigzag), on: "Paper") }
            try ann.tap("Done")
            try ann.send()
        }
        let url = try #require(ann.bubbles.last?.url)
        #expect(url.count <= 5_000)
        #expect(ben.screen.contains("Nobody guessed it"))
    }
}
