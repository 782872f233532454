import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, line 4: the selected message.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SelectionConformanceTests {
    /// "`willSelect` sees the old, `didSelect` the new `selectedMessage`": section 5.2, "bubble
    /// tapped, app active"; Apple's pages `willSelect(_:conversation:)` and
    /// `didSelect(_:conversation:)`.
    @Test func tappingABubbleOfAnOpenApp() throws {
        let table = try Table()
        let conversation = try table.opened()
        conversation.send(MSMessage("?a"))
        conversation.send(MSMessage("?b"))
        table.harness.settle()
        Probe.calls = []
        try table.ann.tapBubble("?a")
        let transition = [
            "willTransition expanded from compact", "didTransition expanded now expanded",
        ]
        #expect(
            Probe.take() == [
                "willSelect ?a selected - compact", "didSelect ?a selected ?a compact",
            ] + transition
        )
        try table.ann.tapBubble("?b")
        #expect(
            Probe.take() == [
                "willSelect ?b selected ?a expanded", "didSelect ?b selected ?b expanded",
            ]
        )
        // Better than Apple's: the same bubble again is told, too.
        try table.ann.tapBubble("?b")
        #expect(Probe.take().count == 2)
    }

    /// "Tapping while inactive yields launch callbacks only": section 5.2, "opened by tapping a
    /// bubble"; Apple's page `MSConversation.selectedMessage`.
    @Test func openingByABubble() throws {
        let table = try Table()
        try table.opened().send(MSMessage("?a"))
        table.harness.settle()
        table.ann.closeApp()
        Probe.calls = []
        try table.ben.tapBubble()
        let start = ["viewDidLoad", "willBecomeActive selected ?a active true"]
        #expect(Probe.take() == start + CallbackTests.opening)
        #expect(table.ben.style == .expanded)
    }

    /// Section 4, `selectedMessage`: nil from the drawer, the draft once it is staged, and the same
    /// message after it was sent; Apple's page `MSConversation.selectedMessage`.
    @Test func theDraftIsSelectedAndStaysSelected() throws {
        let table = try Table()
        let conversation = try table.opened()
        #expect(conversation.selectedMessage == nil)
        conversation.insert(MSMessage("?a"))
        table.harness.settle()
        #expect(conversation.selectedMessage?.url?.absoluteString == "?a")
        #expect(conversation.selectedMessage?.isPending == true)
        try table.ann.send()
        #expect(conversation.selectedMessage?.url?.absoluteString == "?a")
        #expect(conversation.selectedMessage?.isPending == false)
    }

    /// Section 3, "copying/coding": what an app changes in a message that it got is its own affair
    /// until it stages it; a bubble that is tapped again is what was received.
    @Test func aTappedBubbleIsWhatWasReceivedWhateverTheAppDidWithIt() throws {
        let table = try Table()
        let conversation = try table.opened()
        let session = MSSession()
        conversation.send(MSMessage("?a", in: session))
        table.harness.settle()
        try table.ben.tapBubble()
        let selected = try #require(table.ben.conversation?.selectedMessage)
        selected.url = URL(string: "?mine")
        try table.ben.tapBubble()
        #expect(table.ben.conversation?.selectedMessage?.url?.absoluteString == "?a")
        // Staged, it is a draft of Ben's, and the bubble is still Ann's message.
        selected.url = URL(string: "?mine")
        table.ben.conversation?.insert(selected)
        table.harness.settle()
        #expect(table.ben.conversation?.selectedMessage?.url?.absoluteString == "?mine")
        #expect(table.ben.conversation?.selectedMessage?.isPending == true)
        try table.ben.tapBubble()
        let bubble = try #require(table.ben.conversation?.selectedMessage)
        #expect(bubble.url?.absoluteString == "?a")
        #expect(!bubble.isPending)
        #expect(bubble.senderParticipantIdentifier == table.ann.participant)
        try table.ben.send()
        #expect(table.ann.bubbles.last?.url == "?mine")
        #expect(!selected.isPending)
        #expect(selected.senderParticipantIdentifier == table.ben.participant)
    }
}
