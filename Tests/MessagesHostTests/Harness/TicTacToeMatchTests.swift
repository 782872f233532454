import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleTicTacToe
import Testing

/// The sample game with seats, between people of a harness.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TicTacToeMatchTests {
    private static let app = HostedApp(
        TicTacToe.self,
        id: "tictactoe",
        turns: TicTacToe.next,
        seats: 2...2,
        rules: TicTacToe.rules
    )

    private let table: Harness
    private let ann: Player
    private let ben: Player
    private let cat: Player

    init() throws {
        table = Harness(apps: [Self.app], participants: ["ann", "ben", "cat"])
        (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
    }

    private func move(_ player: Player, _ square: String) throws {
        try player.tap(square)
        try player.send()
    }

    /// ann and ben at the board, ann with X; cat watches.
    private func begin(clock presses: Int = 0) throws {
        try ann.open()
        for _ in 0..<presses { try ann.tap("clock") }
        try ann.tap("Who wants to play?")
        #expect(ann.screen.contains("Two can play"))
        try ben.tapBubble()
        try ben.tap("Join")
        try cat.watch()
        try ann.tap("Start")
    }

    @Test func twoPlayToAWinAndAgain() throws {
        try begin()
        #expect(ann.screen.contains("Your turn: you play X"))
        #expect(ben.screen.contains("Waiting for ann"))
        #expect(cat.screen.contains("You watch"))
        #expect(throws: HarnessError.action(.disabled)) { try cat.tap("5") }
        #expect(throws: HarnessError.action(.disabled)) { try ben.tap("5") }
        for (index, square) in ["1", "4", "2", "5", "3"].enumerated() {
            try move(index.isMultiple(of: 2) ? ann : ben, square)
        }
        #expect(ann.screen.contains("You win"))
        #expect(cat.screen.contains("ann wins"))
        #expect(ben.screen.contains("ann 1 · ben 0"))
        #expect(cat.match?.outcomes == [.won, .lost])
        #expect(cat.bubbles.last?.layout?.trailingSubcaption == "ann won")

        try ben.tap("Rematch")
        try ann.tap("Join")
        #expect(ben.screen.contains("Your turn: you play X"))
        #expect(ann.screen.contains("Waiting for ben"))
        for (index, square) in ["1", "4", "2", "5", "3"].enumerated() {
            try move(index.isMultiple(of: 2) ? ben : ann, square)
        }
        #expect(ann.screen.contains("ann 1 · ben 1") || ann.screen.contains("ben 1 · ann 1"))
        #expect(ann.transcript == ben.transcript)
        #expect(cat.match?.violations.isEmpty == true)
        #expect(ann.bubbles.filter { $0.kind == .message }.count == 2)
    }

    /// The picture of a game that is won has a line through the three.
    @Test func aLineGoesThroughTheThree() throws {
        try begin()
        for (index, square) in ["1", "2", "5", "3", "9"].enumerated() {
            try move(index.isMultiple(of: 2) ? ann : ben, square)
        }
        try ben.tapBubble()
        let layout = ben.conversation?.selectedMessage?.layout as? MSMessageTemplateLayout
        let picture = try #require(layout?.image?.encoded)
        #expect(String(decoding: picture.data, as: UTF8.self).contains("M50 50L250 250"))
    }

    @Test func aDrawIsTied() throws {
        try begin()
        for (index, square) in ["1", "2", "3", "5", "4", "6", "8", "7", "9"].enumerated() {
            try move(index.isMultiple(of: 2) ? ann : ben, square)
        }
        #expect(ben.screen.contains("A draw"))
        #expect(ben.match?.outcomes == [.tied, .tied])
    }

    @Test func whoGivesUpLoses() throws {
        try begin()
        try move(ann, "5")
        try ann.tap("Give up")
        try ann.tap("Play on")
        #expect(ben.match?.phase == .running)
        try ann.tap("Give up")
        try ann.tap("Yes, give up")
        #expect(ben.screen.contains("ben won"))
        #expect(cat.screen.contains("The game is over"))
        #expect(ben.match?.outcomes == [.quit, .won])
    }

    @Test func aClockMayDecide() throws {
        try begin(clock: 1)
        #expect(ann.match?.clock == 30)
        table.pass(seconds: 31)
        #expect(ann.screen.contains("The time is over"))
        try ben.tap("Go on without waiting")
        #expect(ann.match?.outcomes == [.lost, .won])
    }

    /// A clock that runs out does not take a move out of the input field.
    @Test func aMoveInTheFieldStays() throws {
        try begin(clock: 1)
        try ann.tap("5")
        table.pass(seconds: 31)
        #expect(ann.screen.contains("Press Send"))
        try ann.send()
        #expect(ben.screen.contains("Your turn: you play O"))
    }

    @Test func theBotTakesASeat() throws {
        let bot = HostedApp(
            TicTacToeBot.self,
            id: "bot",
            speaks: "tictactoe",
            startsHeadless: true,
            rules: TicTacToe.rules
        )
        let table = Harness(participants: [("ann", [Self.app]), ("robot", [bot])])
        let ann = try table["ann"]
        try ann.open()
        try ann.tap("Who wants to play?")
        #expect(ann.match?.seats.count == 2)
        try ann.tap("Start")
        while ann.match?.isMyTurn ?? false {
            let free = ann.tree?.usable.first { $0.accessibilityLabel?.hasSuffix("free") ?? false }
            let label = try #require(free?.accessibilityLabel)
            try ann.tap(label)
            try ann.send()
        }
        #expect(ann.match?.phase == .over)
        #expect(ann.match?.outcomes.first != .won)
        try ann.tap("Rematch")
        // The bot has the first seat now, and has moved.
        #expect(ann.screen.contains("Your turn: you play O"))
    }
}
