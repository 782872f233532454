import Messages
import MessagesHost
import MessagesTesting
import SampleTicTacToe
import TestSupport
import Testing

/// The sample game between people of a harness.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TicTacToeTests {
    /// Opens the latest game, presses a square, and sends.
    private func move(_ player: Player, _ square: String) throws {
        try player.tapBubble()
        try player.tap(square)
        try player.send()
    }

    /// A rule that is not binding says whose turn it is, and locks nobody out who comes later.
    @Test func turnsAreShownWithoutBeingBinding() throws {
        let app = HostedApp(TicTacToe.self, turns: TicTacToe.next, turnsAreBinding: false)
        let table = Harness(apps: [app], participants: ["ann", "ben", "cat"])
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ann.open()
        try ann.tap("5")
        try ann.send()
        try move(ben, "1")
        #expect([ann, ben, cat].map { $0.bubbles.last?.isMyTurn } == [true, false, false])
        #expect(ann.bubbles.last?.next == [])
    }

    @Test func twoPlayToAWin() throws {
        let table = Harness(apps: [TicTacToe.self], participants: ["ann", "ben"])
        let ann = try table["ann"]
        let ben = try table["ben"]

        try ann.open()
        #expect(ann.screen.contains("Your turn: you play X"))
        try ann.tap("5")
        #expect(ann.screen.contains("Press Send"))
        #expect(ben.bubbles.isEmpty)
        try ann.send()
        #expect(ann.screen.contains("O moves next"))

        try ben.tapBubble()
        #expect(ben.style == .expanded)
        #expect(ben.screen.contains("Your turn: you play O"))
        try ben.tap("1")
        try ben.send()
        #expect(ann.screen.contains("Your turn: you play X"))

        try ann.tap("2")
        try ann.send()
        try ben.tap("3")
        try ben.send()
        try ann.tap("8")
        try ann.send()
        #expect(ann.screen.contains("You win"))
        #expect(ben.screen.contains("ann wins"))
        #expect(ann.transcript.last == "ann: ann wins")
        #expect(ann.bubbles.filter { $0.kind == .message }.count == 1)
        #expect(ben.transcript == ann.transcript)
    }

    /// A move while the other app is closed, a machine that restarts in the middle.
    @Test func survivesRestartsAndClosedApps() throws {
        let table = Harness(apps: [TicTacToe.self], participants: ["ann", "ben"])
        let ann = try table["ann"]
        let ben = try table["ben"]
        try ann.open()
        try ann.tap("5")
        try ann.send()
        try move(ben, "1")
        ben.closeApp()
        try ann.tap("2")
        try ann.send()
        ann.goAway()
        try ben.open()
        // The board shows the move that arrived while the app was closed.
        #expect(ben.screen.contains("Your turn: you play O"))
        try ben.tap("3")
        try ben.send()
        ann.comeBack()
        try move(ann, "8")
        #expect(ann.screen.contains("You win"))
        #expect(ben.screen.contains("ann wins"))
    }

    @Test func aThirdPersonWatches() throws {
        let table = Harness(apps: [TicTacToe.self], participants: ["ann", "ben", "cat"])
        let cat = try table["cat"]
        try table["ann"].open()
        try table["ann"].tap("5")
        try table["ann"].send()
        try move(try table["ben"], "1")
        try cat.tapBubble()
        #expect(cat.screen.contains("X moves next"))
        #expect(throws: HarnessError.action(.disabled)) { try cat.tap("2") }
    }

    /// A press that was chosen on a screen that has changed since is refused.
    @Test func aStaleChoiceIsRefused() async throws {
        let table = Harness(apps: [TicTacToe.self], participants: ["ann", "ben"])
        let ann = try table["ann"]
        try ann.open()
        let seen = try #require(ann.tree)
        let five = try #require(seen.usable.first { $0.id.description.hasSuffix("#5") })
        try ann.tap("5")
        try ann.send()
        #expect(throws: HarnessError.action(.stale)) { try ann.choose(five.id, in: seen) }
        let ben = try table["ben"]
        #expect(throws: HarnessError.appIsClosed) { try ben.choose(five.id, in: seen) }
        // Closed and opened, the app may look the same and be about something else.
        ann.closeApp()
        try ann.open()
        #expect(ann.screen.contains("Your turn"))
        #expect(throws: HarnessError.action(.stale)) { try ann.choose(five.id, in: seen) }
    }

    @Test func aDeletedMoveIsTakenBack() throws {
        let table = Harness(apps: [TicTacToe.self], participants: ["ann", "ben"])
        let ann = try table["ann"]
        try ann.open()
        try ann.tap("5")
        ann.deleteDraft()
        #expect(ann.screen.contains("Your turn: you play X"))
        #expect(ann.screen.contains("Square 5, free"))
    }

    @Test(arguments: ["?", "?board=XXX", "?board=XXXXXXXXX", "?board=--------é", "data:,x"])
    func noGameIsNoGame(url: String) throws {
        let table = Harness(apps: [TicTacToe.self], participants: ["ann", "ben"])
        let ann = try table["ann"]
        let ben = try table["ben"]
        try ann.open()
        try ben.open()
        let message = MSMessage(url, in: MSSession())
        ann.conversation?.send(message)
        table.settle()
        #expect(ben.screen.contains("Your turn: you play X"))
    }

    /// The bot answers, and never loses.
    @Test(arguments: 0..<UInt64(20))
    func theBotDoesNotLose(seed: UInt64) throws {
        let game = HostedApp(TicTacToe.self, id: "tictactoe")
        let bot = HostedApp(
            TicTacToeBot.self,
            id: "bot",
            speaks: "tictactoe",
            startsHeadless: true
        )
        let table = Harness(participants: [("ann", [game]), ("robot", [bot])])
        var random = SeededRandom(seed: seed)
        let ann = try table["ann"]
        try ann.open()
        while ann.screen.contains("Your turn") {
            let free = (1...9).map(String.init).filter { square in
                ann.tree?.usable.contains { $0.id.description.hasSuffix("#" + square) } ?? false
            }
            let square = try #require(free.randomElement(using: &random))
            try ann.tap(square)
            try ann.send()
        }
        #expect(!ann.screen.contains("You win"), "seed \(seed)")
        #expect(ann.screen.contains("robot wins") || ann.screen.contains("A draw"), "seed \(seed)")
    }
}
