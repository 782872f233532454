import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleLiarsDice
import Testing

/// Liar's dice between people of a harness, and the rolls of their nodes.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LiarsDiceTests {
    private static let app = HostedApp(
        LiarsDice.self,
        id: "dice",
        seats: 2...6,
        rules: LiarsDice.rules
    )

    /// A table at which the first of them has begun a match with the others.
    private func begun(
        _ names: [String],
        clock presses: Int = 0,
        app: HostedApp = Self.app
    ) throws -> Harness {
        let table = Harness(apps: [app], participants: names)
        let first = try table[names[0]]
        try first.open()
        for _ in 0..<presses { try first.tap("clock") }
        try first.tap("Who wants to play?")
        for name in names.dropFirst() { try table[name].takeSeat() }
        try first.start()
        for player in table.players { try player.tapBubble() }
        return table
    }

    private func dice(_ owner: Player, asSeenBy viewer: Player) -> [Int]? {
        viewer.match?.roll?.dice(of: owner.id, count: 5)
    }

    private func mover(at table: Harness) throws -> Player {
        try #require(table.players.first { $0.match?.isMyTurn ?? false })
    }

    /// Has whoever is next call one more than before, and the one after that doubt it.
    private func playRound(at table: Harness) throws {
        try mover(at: table).tap("call")
        try mover(at: table).tap("liar")
        try mover(at: table).tap("roll")
    }

    @Test func diceLieUnderTheCupUntilSomebodyDoubts() throws {
        let table = try begun(["ann", "ben"])
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ann.tap("Roll the dice")
        let own = try #require(dice(ann, asSeenBy: ann))
        #expect(own.count == 5 && own.allSatisfy((1...6).contains))
        #expect(dice(ben, asSeenBy: ben) != nil)
        #expect(dice(ann, asSeenBy: ben) == nil)
        #expect(dice(ben, asSeenBy: ann) == nil)
        #expect(ann.match?.roll?.missing == [])

        try ann.tap("Call")
        #expect(ben.screen.contains("The call is 1 one. Your turn"))
        try ben.tap("Liar!")
        #expect(dice(ann, asSeenBy: ben) == own)
        #expect(dice(ben, asSeenBy: ann) == dice(ben, asSeenBy: ben))
        #expect(ann.screen.contains("loses a die"))
        #expect(ann.match?.violations.isEmpty == true)
        let all = own + (dice(ben, asSeenBy: ann) ?? [])
        let loser = all.contains(1) ? "ben" : "ann"
        try ann.tap("Go on")
        #expect(ben.bubbles.last?.line == "\(loser) lost a die")
        #expect(ann.match?.roll?.number == 3)
    }

    @Test func theLastOneWithDiceWinsAndPlaysAgain() throws {
        let table = try begun(["ann", "ben"])
        let ann = try table["ann"]
        try ann.tap("Roll the dice")
        for _ in 0..<9 where ann.match?.phase == .running { try playRound(at: table) }
        #expect(ann.match?.phase == .over)
        #expect(ann.match?.outcomes.filter { $0 == .won }.count == 1)
        #expect(ann.match?.violations.isEmpty == true)
        try table["ben"].rematch()
        try ann.rematch()
        try mover(at: table).tap("Roll the dice")
        #expect(dice(ann, asSeenBy: ann) != nil)
    }

    @Test func sixPlayAndOneLeaves() throws {
        let names = ["ann", "ben", "cat", "dan", "eve", "fay"]
        let table = try begun(names)
        let (ann, dan) = (try table["ann"], try table["dan"])
        try ann.tap("Roll the dice")
        for player in table.players { #expect(dice(player, asSeenBy: player) != nil) }
        try dan.resign()
        try playRound(at: table)
        #expect(ann.match?.roll?.participants.count == 5)
        #expect(ann.match?.roll?.participants.contains(dan.id) == false)
        for _ in 0..<30 where ann.match?.phase == .running { try playRound(at: table) }
        #expect(ann.match?.outcomes.filter { $0 == .won }.count == 1)
        #expect(ann.match?.outcomes[3] == .quit)
        for player in table.players { #expect(player.match?.violations.isEmpty == true) }
    }

    /// A machine that is off gives no part of a roll: the others go on without it.
    @Test func whoGivesNoPartIsClaimedOut() throws {
        let table = try begun(["ann", "ben", "cat"], clock: 1)
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        let away = cat.id
        cat.goAway()
        try ann.tap("Roll the dice")
        #expect(ann.match?.roll?.missing == [away])
        #expect(dice(ann, asSeenBy: ann) == nil)
        #expect(ann.screen.contains("Waiting for the dice of cat"))
        table.pass(seconds: 31)
        try ben.claim()
        #expect(ann.match?.roll?.participants == [ann.id, ben.id])
        #expect(dice(ann, asSeenBy: ann) != nil)
        try playRound(at: table)
        #expect(ben.match?.violations.isEmpty == true)
        cat.comeBack()
        #expect(cat.match?.isMyTurn == false)
        #expect(cat.match?.violations.isEmpty == true)
    }

    /// Regression: whoever had called or doubted had the turn, and could not go on without somebody
    /// who does not show the dice.
    @Test func whoHidesTheDiceIsOut() throws {
        let table = try begun(["ann", "ben", "cat"], clock: 1)
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ann.tap("Roll the dice")
        try ann.tap("Call")
        let away = cat.id
        cat.goAway()
        try ben.tap("Liar!")
        #expect(ann.match?.roll?.missing == [away])
        #expect(ann.screen.contains("Waiting for the dice of cat"))
        table.pass(seconds: 31)
        try ann.claim()
        #expect(ben.match?.roll?.participants == [ann.id, ben.id])
        #expect(dice(ben, asSeenBy: ben)?.count == 5)
        try playRound(at: table)
        cat.comeBack()
        for player in table.players { #expect(player.match?.violations.isEmpty == true) }
        #expect(throws: HarnessError.host(.cannot(.claimTurn))) { try cat.claim() }
    }

    /// The same between two: whoever called and does not show the dice has lost.
    @Test func whoCallsAndHidesTheDiceLoses() throws {
        let table = try begun(["ann", "ben"], clock: 1)
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ann.tap("Roll the dice")
        try ann.tap("Call")
        ann.goAway()
        try ben.tap("Liar!")
        table.pass(seconds: 31)
        try ben.claim()
        #expect(ben.match?.outcomes == [.lost, .won])
        ann.comeBack()
        #expect(ann.match?.outcomes == [.lost, .won])
        #expect(ann.match?.violations.isEmpty == true)
    }

    /// The same dice lie under the cup after a restart, and parts are given with the app closed.
    @Test func diceStayOverARestart() throws {
        let table = try begun(["ann", "ben"])
        let (ann, ben) = (try table["ann"], try table["ben"])
        ben.closeApp()
        try ann.tap("Roll the dice")
        let own = try #require(dice(ben, asSeenBy: ben))
        ben.goAway()
        ben.comeBack()
        #expect(dice(ben, asSeenBy: ben) == own)
        try ann.tap("Call")
        try ben.tapBubble()
        try ben.tap("Liar!")
        #expect(dice(ben, asSeenBy: ann) == own)
    }

    /// What another program writes into a message harms nobody, even where the rules are not asked:
    /// it is a round without a call.
    @Test(arguments: [
        "dice=5,5&roll=2&call=9223372036854775807,1&by=0", "dice=5,5&roll=2&call=1,7&by=0",
        "dice=5,5,5,5,5,5&roll=2&call=1,1&by=5", "dice=5&roll=2&call=1,1&by=0",
        "dice=5,9223372036854775807&roll=2", "dice=5,5&roll=2&call=1,1&by=-1",
    ])
    func falseCallsHarmNobody(query: String) throws {
        let app = HostedApp(LiarsDice.self, id: "dice", seats: 2...6)
        let table = try begun(["ann", "ben"], app: app)
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ann.tap("Roll the dice")
        let session = try #require(ann.conversation?.selectedMessage?.session)
        let message = MSMessage(session: session)
        message.url = URL(string: "?" + query)
        ann.conversation?.parley?.setTurn([ben.id], for: message)
        ann.conversation?.send(message)
        table.settle()
        #expect(ben.match?.isMyTurn == true)
        #expect(!ben.screen.contains("Liar!"))
        try ben.tap("Call")
        #expect(ann.screen.contains("The call is 1 one. Your turn"))
    }

    @Test func theBotPlaysToTheEnd() throws {
        let bot = HostedApp(
            LiarsDiceBot.self,
            id: "bot",
            speaks: "dice",
            startsHeadless: true,
            rules: LiarsDice.rules
        )
        let table = Harness(participants: [("ann", [Self.app]), ("robot", [bot])])
        let ann = try table["ann"]
        try ann.open()
        try ann.tap("Who wants to play?")
        #expect(ann.match?.seats.count == 2)
        try ann.tap("Start")
        for _ in 0..<200 where ann.match?.phase == .running {
            #expect(ann.match?.isMyTurn == true)
            let move = ["Roll the dice", "Go on", "Liar!", "Call"].first(where: ann.screen.contains)
            try ann.tap(try #require(move))
        }
        #expect(ann.match?.phase == .over)
        #expect(ann.match?.outcomes.filter { $0 == .won }.count == 1)
        #expect(ann.match?.violations.isEmpty == true)
    }
}
