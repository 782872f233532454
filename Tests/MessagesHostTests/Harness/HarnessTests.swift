import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// The promises of the harness to authors of tests.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct HarnessTests {
    /// A test may wait for what it asks of a conversation by itself.
    @Test func aSendIsAwaitedInATest() async throws {
        let table = Harness(apps: [Counter.self], participants: ["ann", "ben"])
        let ann = try table["ann"]
        try ann.open()
        let conversation = try #require(ann.conversation)
        try await conversation.send(MSMessage("?1"))
        try await conversation.sendText("hello")
        try await conversation.insert(MSMessage("?2"))
        #expect(try table["ben"].bubbles.map(\.line).suffix(1) == ["hello"])
        #expect(ann.draft?.url?.absoluteString == "?2")
        ann.goAway()
        await #expect(throws: (any Error).self) { try await conversation.send(MSMessage("?3")) }
    }

    /// A game for any number: each adds one, in any order.
    final class Counter: MSMessagesAppViewController {
        private var count = 0
        private var session = MSSession()
        private var note = ""

        override func willBecomeActive(with conversation: MSConversation) {
            show(conversation.selectedMessage)
        }
        override func didReceive(_ message: MSMessage, conversation: MSConversation) {
            show(message)
        }
        private func show(_ message: MSMessage?) {
            guard let text = message?.url?.absoluteString.dropFirst(), let count = Int(text) else {
                return
            }
            self.count = count
            session = message?.session ?? session
        }
        override var body: ParleyView {
            .column {
                ParleyView.text("count \(count)")
                ParleyView.button("add") {
                    self.count += 1
                    let message = MSMessage("?\(self.count)", in: self.session)
                    message.summaryText = self.note
                    self.activeConversation?.insert(message)
                }
                ParleyView.textField("note", text: note, edited: { self.note = $0 })
                ParleyView.button("never") {}.disabled()
            }
        }
    }

    @Test(arguments: [2, 5])
    func anyNumberPlays(players: Int) throws {
        let names = Array(["ann", "ben", "cat", "dan", "eve"].prefix(players))
        let table = Harness(apps: [Counter.self], participants: names)
        try table["ann"].open()
        for round in 1...2 {
            for player in table.players {
                if player.name != "ann" || round > 1 { try player.tapBubble() }
                try player.type("\(player.name) in round \(round)", into: "note")
                try player.tap("add")
                try player.send()
            }
        }
        for player in table.players {
            #expect(player.bubbles.filter { $0.kind == .message }.map(\.url) == ["?\(2 * players)"])
            #expect(player.transcript.contains("ann: (ann in round 1)"))
        }
        #expect(try table["ben"].screen.contains("count \(2 * players)"))
    }

    @Test func goingAwayAndComingBack() throws {
        let table = Harness(apps: [Counter.self], participants: ["ann", "ben"])
        let ann = try table["ann"]
        let ben = try table["ben"]
        try ann.open()
        try ann.tap("add")
        try ann.send()
        ben.goAway()
        #expect(throws: HarnessError.isAway) { try ben.open() }
        try ann.tap("add")
        try ann.send()
        ben.comeBack()
        #expect(ben.style == nil)
        #expect(ben.bubbles.last?.url == "?2")
        try ben.tapBubble()
        #expect(ben.screen.contains("count 2"))
        let before = ann.participant
        ann.goAway()
        ann.comeBack()
        #expect(ann.participant == before)
        #expect(ann.bubbles.last?.url == "?2")
    }

    @Test func whoIsCutOffCatchesUp() throws {
        let table = Harness(apps: [Counter.self], participants: ["ann", "ben", "cat"])
        let ann = try table["ann"]
        let cat = try table["cat"]
        try ann.open()
        try table.cutOff("cat")
        try ann.tap("add")
        try ann.send()
        #expect(try table["ben"].bubbles.count == 1)
        #expect(cat.bubbles.isEmpty)
        table.heal()
        #expect(cat.bubbles.last?.url == "?1")
    }

    @Test func saysWhatIsWrong() throws {
        let table = Harness(apps: [Counter.self], participants: ["ann"])
        let ann = try table["ann"]
        #expect(throws: HarnessError.noSuchParticipant("zoe")) { _ = try table["zoe"] }
        #expect(throws: HarnessError.appIsClosed) { try ann.tap("add") }
        #expect(throws: HarnessError.noSuchMessage("", transcript: [])) { try ann.tapBubble() }
        #expect(throws: HarnessError.host(.unknownApp("chess"))) { try ann.open("chess") }
        try ann.open()
        #expect(throws: HarnessError.noSuchView("subtract", screen: ann.screen)) {
            try ann.tap("subtract")
        }
        #expect(throws: HarnessError.action(.disabled)) { try ann.tap("never") }
    }

    /// The winner of a conflict follows from the seed.
    @Test func conflictsRepeatThemselves() throws {
        func winner(_ seed: UInt64) throws -> String? {
            let table = Harness(apps: [Counter.self], participants: ["ann", "ben"], seed: seed)
            let ann = try table["ann"]
            let ben = try table["ben"]
            try ann.open()
            try ann.tap("add")
            try ann.send()
            try ben.tapBubble()
            try table.cutOff("ben")
            for player in [ann, ben] {
                try player.type(player.name, into: "note")
                try player.tap("add")
                try player.send()
            }
            table.heal()
            let shown = ann.bubbles.last { $0.kind == .message }
            #expect(shown?.isConflict == true)
            return shown?.sender.name
        }
        var winners: Set<String?> = []
        for seed in 1...6 as ClosedRange<UInt64> {
            let first = try winner(seed)
            #expect(try winner(seed) == first, "seed \(seed)")
            winners.insert(first)
        }
        #expect(winners.count == 2, "it is chance who wins")
    }

    /// The same test does the same every time: people, places in the transcript, order.
    @Test func repeatsItself() throws {
        func history() throws -> [[String]] {
            let table = Harness(apps: [Counter.self], participants: ["ann", "ben", "cat"], seed: 7)
            for player in table.players {
                try player.open()
                try player.tap("add")
                try player.send()
            }
            return table.players.map { player in
                player.transcript + ["\(String(describing: player.participant))", player.screen]
            }
        }
        #expect(try history() == history())
    }
}
