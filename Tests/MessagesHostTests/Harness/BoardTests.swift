import Foundation
import MessagesHost
import MessagesTesting
import Testing

/// Who is at the board, and who asks whom to move.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct BoardTests {
    /// A table at which ann and ben play, cat watches, it is ann's turn, and the apps of ann and
    /// ben are open.
    private func playing() throws -> (table: Harness, ann: Player, ben: Player, cat: Player) {
        let table = Harness(apps: [Tally.app], participants: ["ann", "ben", "cat"])
        let (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ann.open()
        try ann.tap("Who wants to play?")
        try ben.takeSeat()
        try ann.start()
        try ben.tapBubble()
        return (table, ann, ben, cat)
    }

    private func present(_ player: Player, at table: Harness) -> Set<String> {
        let ids = player.match?.present ?? []
        return Set(ids.map { id in table.players.first { $0.participant == id }?.name ?? "?" })
    }

    @Test func everybodySeesWhoHasTheGameOpen() throws {
        let (table, ann, ben, cat) = try playing()
        for player in table.players { #expect(present(player, at: table) == ["ann", "ben"]) }
        #expect(ann.screen.contains("Here now: ben"))
        try cat.tapBubble()
        #expect(present(ann, at: table) == ["ann", "ben", "cat"])
        ben.closeApp()
        #expect(present(ann, at: table) == ["ann", "cat"])
        #expect(ann.screen.contains("Here now: cat"))
        // Nothing of it is in the transcript.
        #expect(table.players.allSatisfy { $0.transcript == ann.transcript })
        #expect(ann.bubbles.filter { $0.kind == .message }.count == 1)
    }

    @Test func whoStaysIsThereForLong() throws {
        let (table, ann, _, cat) = try playing()
        for _ in 0..<6 {
            table.pass(seconds: 33)
            #expect(present(ann, at: table) == ["ann", "ben"])
            #expect(present(cat, at: table) == ["ann", "ben"])
        }
    }

    /// A machine that is switched off says nothing any more.
    @Test func whoSaysNothingIsGoneAfterAWhile() throws {
        let (table, ann, ben, _) = try playing()
        ben.goAway()
        #expect(present(ann, at: table).contains("ann"))
        table.pass(seconds: 46)
        #expect(present(ann, at: table) == ["ann"])
        #expect(!ann.screen.contains("Here now"))
    }

    @Test func whoeverIsNextIsNudgedOnceAMinute() throws {
        let (table, ann, ben, cat) = try playing()
        let refused = HarnessError.host(.cannot(.nudge))
        let before = ann.transcript
        table.pass(seconds: 20)
        #expect(throws: refused) { try ben.nudge() }
        #expect(!ben.screen.contains("Nudge"))
        table.pass(seconds: 11)
        #expect(ben.screen.contains("Nudge"))
        try ben.tap("Nudge")
        #expect(ann.nudges == ["ben"])
        #expect(!ben.screen.contains("Nudge"))
        #expect(throws: refused) { try ben.nudge() }
        table.pass(seconds: 61)
        try ben.nudge()
        #expect(ann.nudges == ["ben", "ben"])
        // Neither whose turn it is nor who only watches can ask.
        for player in [ann, cat] { #expect(throws: refused) { try player.nudge() } }
        #expect(ben.nudges.isEmpty)
        #expect(cat.nudges.isEmpty)
        #expect(ann.transcript == before)
    }

    @Test func aMoveTakesTheNudgeAway() throws {
        let (table, ann, ben, _) = try playing()
        table.pass(seconds: 31)
        try ann.tap("Add")
        #expect(ben.match?.choices.contains(.nudge) == false)
        #expect(ann.match?.choices.contains(.nudge) == false)
        table.pass(seconds: 31)
        try ann.nudge()
        #expect(ben.nudges == ["ann"])
    }
}
