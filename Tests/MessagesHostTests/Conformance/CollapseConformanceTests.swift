import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, line 6: what becomes of a message that another of its session
/// replaces.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CollapseConformanceTests {
    /// "Collapse with `summaryText`": section 6.2 and 6.3; Apple's pages `MSSession` and
    /// `MSMessage.summaryText`.
    @Test func aSummaryStaysAtTheOldPlace() throws {
        let table = try Table()
        let conversation = try table.opened()
        let session = MSSession()
        let first = MSMessage("?1", in: session)
        first.summaryText = "the first move"
        conversation.send(first)
        conversation.send(MSMessage("?other"))
        conversation.send(MSMessage("?2", in: session))
        table.harness.settle()
        for player in [table.ann, table.ben] {
            #expect(player.transcript == ["ann: (the first move)", "ann: ?other", "ann: ?2"])
        }
    }

    /// "Collapse with nil": section 6.4, where Apple's pages `MSSession` and
    /// `MSMessage.summaryText` contradict each other; a generic line is kept on purpose.
    @Test func withoutASummaryAGenericLineStays() throws {
        let table = try Table()
        let conversation = try table.opened()
        let session = MSSession()
        conversation.send(MSMessage("?1", in: session))
        conversation.send(MSMessage("?2", in: session))
        table.harness.settle()
        for player in [table.ann, table.ben] {
            #expect(player.bubbles.map(\.kind) == [.summary, .message])
            #expect(player.transcript == ["ann: (A message)", "ann: ?2"])
        }
    }

    /// "Three updates in a row": section 6.2, one interactive bubble for a session.
    @Test func threeUpdatesLeaveOneBubble() throws {
        let table = try Table()
        try table.ann.open()
        try table.ben.open()
        let session = MSSession()
        for (index, player) in [table.ann, table.ben, table.ann, table.ben].enumerated() {
            let message = MSMessage("?\(index)", in: session)
            message.summaryText = "move \(index)"
            player.conversation?.send(message)
            table.harness.settle()
        }
        for player in [table.ann, table.ben] {
            #expect(
                player.transcript == [
                    "ann: (move 0)", "ben: (move 1)", "ann: (move 2)", "ben: ?3",
                ]
            )
        }
    }

    /// A message outside of any session replaces nothing: section 3, `init()`; Apple's header.
    @Test func onlyMessagesOfASessionCollapse() throws {
        let table = try Table()
        let conversation = try table.opened()
        for text in ["?1", "?2", "?3"] { conversation.send(MSMessage(text)) }
        table.harness.settle()
        #expect(table.ben.transcript == ["ann: ?1", "ann: ?2", "ann: ?3"])
    }

    /// "Concurrent updates from two peers": section 6.7; Apple's page `MSSession` warns of a race.
    ///
    /// Here both sides show the same winner, and the other side is kept until somebody settles it.
    @Test func concurrentUpdatesShowOneWinnerEverywhere() throws {
        let table = try Table()
        try table.ann.open()
        try table.ben.open()
        let session = MSSession()
        table.ann.conversation?.send(MSMessage("?question", in: session))
        table.harness.settle()
        try table.harness.cutOff("ben")
        for player in [table.ann, table.ben] {
            let message = MSMessage("?\(player.name)", in: session)
            message.summaryText = "\(player.name)'s"
            player.conversation?.send(message)
        }
        table.harness.settle()
        table.harness.heal()
        let shown = [table.ann, table.ben].map { $0.bubbles.filter { $0.kind == .message } }
        #expect(shown[0].map(\.id) == shown[1].map(\.id))
        #expect(shown.map(\.count) == [1, 1] && shown[0][0].isConflict)
        let winner = try #require(shown[0].first?.url)
        #expect(["?ann", "?ben"].contains(winner))
        table.ann.conversation?.send(MSMessage("?settled", in: session))
        table.harness.settle()
        // Now both are history, for everybody who saw them.
        for player in [table.ann, table.ben] {
            #expect(player.bubbles.last?.url == "?settled")
            for name in [player.name, String(winner.dropFirst())] {
                #expect(player.transcript.contains("\(name): (\(name)'s)"))
            }
        }
    }
}
