import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, line 2: one draft at a time.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DraftConformanceTests {
    /// "Second `insert` replaces the draft; only the last one can be sent": section 4, "insert
    /// family"; Apple's page `MSConversation.insert(_:completionHandler:)`.
    @Test func aSecondInsertReplacesTheDraft() throws {
        let table = try Table()
        let conversation = try table.opened()
        let (first, second) = (MSMessage("?1"), MSMessage("?2"))
        conversation.insert(first)
        conversation.insert(second)
        table.harness.settle()
        #expect(table.ann.draft?.url == second.url)
        #expect(conversation.selectedMessage?.url == second.url)
        try table.ann.send()
        #expect(table.ben.bubbles.map(\.url) == ["?2"])
        #expect(first.isPending && !second.isPending)
        #expect(throws: HarnessError.host(.nothingThere)) { try table.ann.send() }
        // Whether Apple tells of the first one is not known; here it is no person's doing.
        #expect(Probe.take() == ["didStartSending ?2 selected ?2 compact"])
    }

    /// "Replaced draft's completion had already fired": section 4, the handler runs once staging is
    /// done; Apple's page `MSConversation.insert(_:completionHandler:)`.
    @Test func eachInsertIsAnsweredOnceAndOffTheMainActor() throws {
        let table = try Table()
        let conversation = try table.opened()
        let (first, second) = (Answers(), Answers())
        conversation.insert(MSMessage("?1"), completionHandler: first.handler)
        table.harness.settle()
        #expect(try first.code == nil)
        #expect(second.all.isEmpty)
        conversation.insert(MSMessage("?2"), completionHandler: second.handler)
        table.harness.settle()
        #expect(try second.code == nil)
        try table.ann.send()
        #expect(first.all.count == 1 && second.all.count == 1)
    }

    /// The same, for one message that is changed and inserted again: section 3, "copying/coding";
    /// Apple's header lets an app change a message and stage it.
    @Test func theSameMessageCanBeStagedAgainWithOtherContents() throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?1")
        conversation.insert(message)
        table.harness.settle()
        message.url = URL(string: "?2")
        conversation.insert(message)
        table.harness.settle()
        #expect(table.ann.draft?.url?.absoluteString == "?2")
        #expect(conversation.selectedMessage?.url?.absoluteString == "?2")
        try table.ann.send()
        #expect(table.ben.bubbles.map(\.url) == ["?2"])
        #expect(Probe.take() == ["didStartSending ?2 selected ?2 compact"])
    }

    /// A draft is what is still to be sent: section 3, `isPending`; Apple's page
    /// `MSConversation.send(_:completionHandler:)`.
    @Test func aDraftThatTheAppSendsItselfLeavesTheField() throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?1")
        conversation.insert(message)
        conversation.send(message)
        table.harness.settle()
        #expect(table.ben.bubbles.map(\.url) == ["?1"])
        #expect(table.ann.draft == nil)
        #expect(conversation.selectedMessage?.isPending == false)
    }
}
