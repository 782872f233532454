import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import TestSupport
import Testing

/// Matches between people of a harness, with an app that only counts.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MatchTests {
    /// A table at which ann has offered a match.
    private func offered(
        _ names: String...,
        clock: Int? = nil,
        settings: HostSettings = HostSettings()
    ) throws -> Harness {
        let table = Harness(apps: [Tally.app], participants: names, settings: settings)
        let ann = try table["ann"]
        try ann.open()
        ann.controller(Tally.self)?.clock = clock
        try ann.tap("Who wants to play?")
        return table
    }

    private func names(_ ids: [UUID]?, at table: Harness) -> [String] {
        (ids ?? []).map { id in table.players.first { $0.participant == id }?.name ?? "?" }
    }

    private func seats(_ player: Player, at table: Harness) -> [String] {
        names(player.match?.seats.map(\.participant), at: table)
    }

    @Test func whoJoinsIsConfirmedInTheOrderOfArrival() throws {
        let table = try offered("ann", "ben", "cat", "dan")
        let (ann, dan) = (try table["ann"], try table["dan"])
        #expect(ann.match?.phase == .offered)
        #expect(seats(dan, at: table) == ["ann"])
        for name in ["cat", "ben", "dan"] { try table[name].takeSeat() }
        for player in table.players {
            #expect(seats(player, at: table) == ["ann", "cat", "ben"])
            #expect(names(player.match?.waiting, at: table) == ["dan"])
            #expect(player.match?.watchers.isEmpty == true)
        }
        #expect(throws: HarnessError.host(.cannot(.takeSeat))) { try dan.takeSeat() }
        #expect(dan.bubbles.filter { $0.kind == .message }.count == 1)
        #expect(ann.transcript.last == "ann: Count 0")
        #expect(ann.transcript.contains("ann: (cat joined)"))
    }

    @Test func aSeatIsConfirmedWithoutTheApp() throws {
        let table = try offered("ann", "ben")
        try table["ann"].closeApp()
        try table["ben"].takeSeat()
        #expect(seats(try table["ben"], at: table) == ["ann", "ben"])
    }

    /// A node that was off when somebody joined confirms the seat when it is back.
    @Test func aSeatIsConfirmedAfterARestart() throws {
        let table = try offered("ann", "ben")
        try table["ann"].goAway()
        try table["ben"].takeSeat()
        #expect(names(try table["ben"].match?.waiting, at: table) == ["ben"])
        try table["ann"].comeBack()
        #expect(seats(try table["ben"], at: table) == ["ann", "ben"])
    }

    @Test func whoLeavesBeforeTheStartGivesTheSeatFree() throws {
        let table = try offered("ann", "ben", "cat", "dan")
        for name in ["ben", "cat", "dan"] { try table[name].takeSeat() }
        try table["ben"].leaveSeat()
        #expect(seats(try table["ann"], at: table) == ["ann", "cat", "dan"])
        try table["ann"].leaveSeat()
        #expect(seats(try table["ben"], at: table) == ["cat", "dan"])
        try table["ben"].takeSeat()
        #expect(seats(try table["ann"], at: table) == ["cat", "dan", "ben"])
        // The offer is still Ann's, who begins the match and watches.
        #expect(throws: HarnessError.host(.cannot(.start))) { try table["cat"].start() }
        try table["ann"].start()
        #expect(try table["cat"].match?.isMyTurn == true)
        #expect(names(try table["cat"].match?.watchers, at: table) == ["ann"])
    }

    @Test func onlyTheOffererStartsAtFirst() throws {
        let table = try offered("ann", "ben", "cat")
        let ben = try table["ben"]
        #expect(throws: HarnessError.host(.cannot(.start))) { try table["ann"].start() }
        try ben.takeSeat()
        #expect(throws: HarnessError.host(.cannot(.start))) { try ben.start() }
        #expect(throws: HarnessError.host(.cannot(.start))) { try table["cat"].start() }
        try table["ann"].goAway()
        table.pass(seconds: 61)
        #expect(throws: HarnessError.host(.cannot(.start))) { try table["cat"].start() }
        try ben.start()
        #expect(ben.match?.phase == .running)
        try table["ann"].comeBack()
        #expect(seats(try table["cat"], at: table) == ["ann", "ben"])
    }

    @Test func turnsGoRoundAndTheMatchEnds() throws {
        let table = try offered("ann", "ben", "cat")
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ben.takeSeat()
        try ann.start()
        #expect(ann.bubbles.last?.isMyTurn == true)
        try ben.tapBubble()
        try cat.watch()
        #expect(ann.screen.contains("ann · ben"))
        #expect(cat.screen.contains("You watch"))
        // Out of turn, and without a seat.
        try ben.tap("Add")
        try cat.tap("Add")
        #expect(ann.bubbles.last?.line == "Count 0")
        try ann.tap("Add")
        #expect(ben.match?.isMyTurn == true)
        #expect(ann.bubbles.last?.isMyTurn == false)
        #expect(ben.screen.contains("Count 1"))
        try ben.tap("Win")
        for player in table.players {
            #expect(player.match?.phase == .over)
            #expect(player.match?.outcomes == [.lost, .won])
            #expect(player.bubbles.last?.layout?.trailingSubcaption == "ben won")
        }
        #expect(ann.screen.contains("ben 1 · ann 0"))
        #expect(throws: HarnessError.host(.cannot(.rematch))) { try cat.rematch() }
        try ann.tap("Add")
        #expect(ann.bubbles.last?.line == "Count 2")
    }

    @Test func aRematchMovesEverybodyOneSeat() throws {
        let table = try offered("ann", "ben", "cat")
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ben.takeSeat()
        try ann.start()
        try ann.tap("Win")
        let first = try #require(ann.match)
        try ben.rematch()
        #expect(ann.match?.previous == first.session)
        #expect(ann.match?.phase == .offered)
        #expect(throws: HarnessError.host(.cannot(.takeSeat))) { try table["cat"].takeSeat() }
        try ann.rematch()
        #expect(seats(ann, at: table) == ["ben", "ann"])
        #expect(ann.match?.phase == .running)
        #expect(ben.screen.contains("Count 0"))
        #expect(ann.screen.contains("Count 0"))
        try ben.tap("Win")
        #expect(ann.conversation?.parley?.score.values.sorted() == [1, 1])
    }

    /// Two who ask for a rematch at once get one.
    @Test func twoRematchesAtOnceAreOneMatch() throws {
        let table = try offered("ann", "ben")
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ben.takeSeat()
        try ann.start()
        try ann.tap("Win")
        try ben.tapBubble()
        try table.cutOff("ben")
        try ann.rematch()
        try ben.rematch()
        table.heal()
        #expect(Set(ann.bubbles.filter { $0.kind == .message }.map(\.session)).count == 2)
        #expect(ann.bubbles.last?.id == ben.bubbles.last?.id)
        #expect(ann.match?.phase == .running)
        #expect(seats(ann, at: table) == ["ben", "ann"])
    }

    @Test func aClockRunsOut() throws {
        let table = try offered("ann", "ben", "cat", clock: 30)
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ben.takeSeat()
        try cat.takeSeat()
        try ann.start()
        try ben.tapBubble()
        #expect(ben.match?.clock == 30)
        #expect(ben.match?.deadline != nil)
        #expect(ben.screen.contains("Until "))
        table.pass(seconds: 20)
        #expect(throws: HarnessError.host(.cannot(.claimTurn))) { try ben.claim() }
        let told = try #require(ben.controller(Tally.self)?.told.count)
        table.pass(seconds: 12)
        #expect(ben.screen.contains("The time is over"))
        #expect((ben.controller(Tally.self)?.told.count ?? 0) > told)
        #expect(throws: HarnessError.host(.cannot(.claimTurn))) { try ann.claim() }
        try cat.claim()
        #expect(ben.match?.isMyTurn == true)
        #expect(ben.match?.phase == .running)
        // With two left, the end.
        try ann.resign()
        table.pass(seconds: 40)
        try cat.claim()
        #expect(ben.match?.outcomes == [.quit, .lost, .won])
    }

    @Test func whoQuitsLoses() throws {
        let table = try offered("ann", "ben")
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ben.takeSeat()
        try ann.start()
        ann.closeApp()
        try ben.resign()
        #expect(ben.match?.phase == .over)
        #expect(ben.match?.outcomes == [.won, .quit])
        #expect(ann.bubbles.last?.line == "ann won")
    }

    @Test func ofThreeOneQuitsAndTwoGoOn() throws {
        let table = try offered("ann", "ben", "cat")
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ben.takeSeat()
        try cat.takeSeat()
        try ann.start()
        try ann.resign()
        #expect(ann.match?.isMyTurn == false)
        // It was the turn of ann, so both others may go on.
        #expect(ben.match?.isMyTurn == true)
        #expect(cat.match?.isMyTurn == true)
        try cat.tapBubble()
        try cat.tap("Add")
        #expect(ben.match?.isMyTurn == true)
        #expect(cat.match?.isMyTurn == false)
        try ben.tapBubble()
        try ben.tap("Win")
        #expect(cat.match?.outcomes == [.quit, .won, .lost])
    }

    @Test func aMoveIsTakenBack() throws {
        let table = try offered("ann", "ben")
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ben.takeSeat()
        try ann.start()
        try ann.tap("Add")
        #expect(throws: HarnessError.host(.cannot(.undo))) { try ann.undo() }
        try ben.tapBubble()
        ben.controller(Tally.self)?.mayUndo = true
        let before = try #require(ben.bubbles.last?.url)
        try ben.tap("Add")
        #expect(ann.match?.isMyTurn == true)
        try ben.undo()
        #expect(ben.match?.isMyTurn == true)
        #expect(ann.bubbles.last?.url == before)
        #expect(ann.screen.contains("Count 1"))
    }

    @Test func answersComeInAnyTurn() throws {
        let table = try offered("ann", "ben")
        let (ann, ben) = (try table["ann"], try table["ben"])
        try ben.watch()
        #expect(ben.screen.contains("You watch"))
        #expect(!ben.screen.contains("Join"))
        let message = try #require(ben.conversation?.selectedMessage)
        ben.conversation?.parley?.answer(Data("seven".utf8), in: message)
        table.settle()
        ben.conversation?.parley?.answer(Data("eight".utf8), in: message)
        table.settle()
        let answers = try #require(ann.conversation?.parley?.answers(in: message))
        #expect(answers.map { String(decoding: $0.content, as: UTF8.self) } == ["eight"])
        #expect(answers.map(\.participant) == [ben.participant])
        #expect(ann.bubbles.count == 1)
    }

    /// Seats come from whoever wants one; what another program sends changes nothing else.
    @Test func hostileMessagesDoNotSeatAnybody() throws {
        let table = try offered("ann", "ben", "cat")
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        let session = try #require(ann.bubbles.last?.session)
        for kind in Addition.Kind.allCases where kind != .seat {
            var content = MessageContent()
            content.addition = Addition(to: session, kind)
            guard ![.draw, .deck].contains(kind) else {
                #expect(throws: (any Error).self) { try cat.post(Draft(content: content)) }
                continue
            }
            try cat.post(Draft(content: content))
        }
        for slot in 0..<3 {
            var content = MessageContent()
            content.addition = Addition(to: session, .seat)
            content.addition?.slot = slot
            try ben.post(Draft(content: content))
        }
        #expect(seats(ann, at: table) == ["ann", "ben"])
        #expect(ann.bubbles.filter { $0.kind == .message }.count == 1)
        #expect(ann.match?.phase == .offered)
    }

    /// An app without seats has no bar, also if somebody sends it a match.
    @Test func anAppWithoutSeatsStaysAsItIs() throws {
        let apps = [HostedApp(Tally.self, id: "tally")]
        let table = Harness(apps: apps, participants: ["ann", "ben"])
        let ann = try table["ann"]
        try ann.open()
        #expect(ann.screen == "column\n  Count 0\n  [Add]\n  [Win]")
    }
}
