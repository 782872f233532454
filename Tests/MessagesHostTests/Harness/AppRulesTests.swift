import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleLiarsDice
import SampleTicTacToe
import Testing

/// What breaks the rules of an app counts for nobody who has the app.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AppRulesTests {
    private static let ticTacToe = HostedApp(
        TicTacToe.self,
        id: "game",
        seats: 2...2,
        rules: TicTacToe.rules
    )
    private static let liarsDice = HostedApp(
        LiarsDice.self,
        id: "game",
        seats: 2...6,
        rules: LiarsDice.rules
    )

    /// ann, whose program asks no rules, and others who do play with a clock; dan lacks the app.
    private func begun(_ app: HostedApp, without rules: HostedApp) throws -> Harness {
        let table = Harness(participants: [
            ("ann", [rules]), ("ben", [app]), ("cat", [app]), ("dan", []),
        ])
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ann.open()
        try ann.tap("clock")
        try ann.tap("Who wants to play?")
        try ben.takeSeat()
        try ann.start()
        for player in [ann, ben, try table["cat"]] { try player.tapBubble() }
        return table
    }

    private func send(_ url: String, by player: Player, turn: Player? = nil) throws {
        let conversation = try #require(player.conversation)
        let message = MSMessage(session: try #require(conversation.selectedMessage?.session))
        message.url = URL(string: url)
        message.layout = MSMessageTemplateLayout()
        if let next = turn?.participant { conversation.parley?.setTurn([next], for: message) }
        conversation.send(message)
    }

    /// The reasons why moves do not count.
    private func faults(_ player: Player) -> [String]? { player.match?.violations.map(\.reason) }

    @Test(arguments: [
        ("?board=X-O-X----", "A move is one mark in a free square."),
        ("?board=---------", "A move is one mark in a free square."),
        ("?board=XX-------", "There is no board."), ("?board=X", "There is no board."),
    ])
    func aFalseBoardDoesNotCount(url: String, reason: String) throws {
        let free = HostedApp(TicTacToe.self, id: "game", seats: 2...2)
        let table = try begun(Self.ticTacToe, without: free)
        let (ann, ben, cat, dan) = (
            try table["ann"], try table["ben"], try table["cat"], try table["dan"]
        )
        try send(url, by: ann)
        table.settle()
        for player in [ben, cat] {
            #expect(faults(player) == [reason])
            #expect(player.bubbles.last?.layout?.subcaption == "The move does not count. " + reason)
            #expect(player.match?.violations.first?.participant == ann.participant)
            #expect(player.screen.contains("Waiting for ann"))
        }
        #expect(faults(dan) == [])
        // What was found stays over a restart.
        cat.goAway()
        cat.comeBack()
        #expect(faults(cat) == [reason])
        table.pass(seconds: 31)
        try ben.claim()
        for player in [ben, cat, dan] {
            #expect(player.match?.outcomes == [.lost, .won])
            #expect(faults(player) == [])
        }
    }

    /// Regression: once the author had left, any end that it had written before was allowed.
    @Test func whoeverLeavesDoesNotWinByIt() throws {
        let free = HostedApp(TicTacToe.self, id: "game", seats: 2...2)
        let table = try begun(Self.ticTacToe, without: free)
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        let conversation = try #require(ann.conversation)
        let message = MSMessage(session: try #require(conversation.selectedMessage?.session))
        message.url = URL(string: "?board=X--------")
        message.layout = MSMessageTemplateLayout()
        conversation.parley?.setOutcomes([.won, .lost], for: message)
        conversation.send(message)
        table.settle()
        var quit = MessageContent()
        quit.addition = Addition(to: try #require(ann.bubbles.last?.session), .quit)
        try ann.post(Draft(content: quit))
        table.settle()
        for player in [ben, cat] { #expect(player.match?.outcomes == [.quit, .won]) }
    }

    /// Regression: nobody looked at the board of a claim.
    @Test func aClaimDoesNotChangeTheBoard() throws {
        let free = HostedApp(TicTacToe.self, id: "game", seats: 2...2)
        let table = try begun(Self.ticTacToe, without: free)
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ann.tap("5")
        try ann.send()
        table.pass(seconds: 60)
        let last = try #require(ann.bubbles.last)
        var content = MessageContent()
        content.app = "game"
        content.url = "?board=XXX------"
        var match = Match(.over, least: 2, most: 2)
        match.seats = [ann, ben].compactMap(\.participant)
        match.outcomes = [.won, .lost]
        match.claim = Match.Claim(.ends, after: last.id)
        content.match = match
        let draft = Draft(session: last.session, content: content)
        #expect(throws: HarnessError.host(.node(.notPlayable(.appRule)))) { try ann.post(draft) }
        content.url = last.url
        try ann.post(Draft(session: last.session, content: content))
        #expect(ben.match?.outcomes == [.won, .lost])
    }

    @Test func theOwnNodeRefuses() throws {
        let table = try begun(Self.ticTacToe, without: Self.ticTacToe)
        let (ann, ben) = (try table["ann"], try table["ben"])
        try send("?board=XX-------", by: ann)
        table.settle()
        #expect(faults(ben) == [])
        #expect(ben.screen.contains("Waiting for ann"))
        var content = MessageContent()
        content.app = "game"
        content.url = "?board=XX-------"
        var match = Match(.running, least: 2, most: 2)
        match.seats = [ann, ben].compactMap(\.participant)
        match.turn = [1]
        content.match = match
        let session = try #require(ann.match?.session)
        let draft = Draft(session: SessionID(session), content: content)
        #expect(throws: HarnessError.host(.node(.notPlayable(.appRule)))) { try ann.post(draft) }
        try ann.tap("5")
        try ann.send()
        #expect(ben.screen.contains("Your turn"))
    }

    /// Regression: nodes kept no message of more than 16 KiB, and asked no rules about the next.
    @Test func noMessageIsTooLongForTheRules() throws {
        let free = HostedApp(TicTacToe.self, id: "game", seats: 2...2)
        let table = try begun(Self.ticTacToe, without: free)
        let (ann, ben) = (try table["ann"], try table["ben"])
        let before = try #require(ann.bubbles.last)
        var content = MessageContent()
        content.app = "game"
        content.url = "?board=X--------&x=\(try #require(ann.participant))"
        content.layout = ContentLayout()
        var match = Match(.running, least: 2, most: 2)
        match.seats = [ann, ben].compactMap(\.participant)
        match.turn = [1]
        match.clock = 30
        content.match = match
        func draft(_ bytes: Int) -> Draft {
            content.text = String(repeating: "x", count: bytes)
            return Draft(session: before.session, content: content)
        }
        #expect(throws: HarnessError.self) { try ann.post(draft(20_000)) }
        #expect(ben.match?.isMyTurn == false)
        try ann.post(draft(14_000))
        #expect(ben.match?.isMyTurn == true)
        for player in [ann, ben] { #expect(faults(player) == []) }
        // Ben's own node asks the rules as well, so a false board is of another program.
        let url = "?board=OOX------"
        content.url = url
        match.turn = [0]
        content.match = match
        #expect(throws: HarnessError.host(.node(.notPlayable(.appRule)))) {
            try ben.post(draft(0))
        }
    }

    @Test(arguments: [
        ("?dice=5,4&roll=2&call=1,1&by=0", "ben"), ("?dice=5,5&roll=2&call=1,1&by=1", "ben"),
        ("?dice=5,5&roll=2&call=1,1&by=0", "ann"), ("?dice=5,5&roll=3&call=1,1&by=0", "ben"),
        ("?dice=5,5&roll=2", "ben"), ("?dice=5,5,5&roll=2&call=1,1&by=0", "ben"),
        ("?dice=5,5&roll=2&call=1,7&by=0", "ben"),
    ])
    func aFalseCallDoesNotCount(url: String, next: String) throws {
        let free = HostedApp(LiarsDice.self, id: "game", seats: 2...6)
        let table = try begun(Self.liarsDice, without: free)
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ann.tap("Roll the dice")
        #expect(faults(ben) == [])
        try send(url, by: ann, turn: try table[next])
        table.settle()
        #expect(faults(ben)?.count == 1)
        #expect(ben.match?.isMyTurn == false)
        #expect(!ben.screen.contains("The call is"))
        #expect(faults(try table["dan"]) == [])
        table.pass(seconds: 31)
        try ben.claim()
        #expect(try table["cat"].match?.outcomes == [.lost, .won])
    }

    /// Whoever wrote a move may not have known that somebody had left.
    @Test func aMoveForSomebodyWhoHasLeftCounts() throws {
        let table = Harness(apps: [Self.liarsDice], participants: ["ann", "ben", "cat"])
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ann.open()
        try ann.tap("Who wants to play?")
        try ben.takeSeat()
        try cat.takeSeat()
        try ann.start()
        try ann.tapBubble()
        try ann.tap("Roll the dice")
        try table.cutOff("ann")
        try ben.resign()
        try ann.tap("Call")
        table.heal()
        for player in table.players {
            #expect(faults(player) == [])
            #expect(player.match?.seats.filter(\.hasQuit).count == 1)
        }
        try cat.tapBubble()
        try cat.tap("Liar!")
        #expect(faults(ann) == [])
    }
}
