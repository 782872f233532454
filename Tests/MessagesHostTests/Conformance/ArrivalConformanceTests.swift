import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// messages-api.md, section 11, line 5: when `didReceive` is called, and when never.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ArrivalConformanceTests {
    /// A message of that app, as a program of a peer's sends it.
    private func draft(_ url: String, app: String = HostedApp(Probe.self).speaks) -> Draft {
        var content = MessageContent()
        content.app = app
        content.url = url
        return Draft(content: content)
    }

    /// Section 5.2, "message from the same app arrives, app active": `didReceive` only, and the
    /// selection stays; Apple's page `didReceive(_:conversation:)`.
    @Test func arrivalsLeaveTheSelectionAlone() throws {
        let table = try Table()
        _ = try table.opened()
        try table.ben.open()
        Probe.calls = []
        table.ben.conversation?.send(MSMessage("?b"))
        table.harness.settle()
        #expect(
            Probe.take().sorted() == [
                "didReceive ?b selected - compact", "didStartSending ?b selected - compact",
            ]
        )
        #expect(table.ann.conversation?.selectedMessage == nil)
        let received = try #require(Probe.received.first)
        #expect(received.senderParticipantIdentifier == table.ben.participant)
        #expect(!received.isPending)
    }

    /// "Never for own messages", by whichever program of this device: section 5.2; Apple's page
    /// `didReceive(_:conversation:)`, "another participant".
    @Test func ownMessagesAreNotReceived() throws {
        let table = try Table()
        let conversation = try table.opened()
        conversation.send(MSMessage("?sent"))
        conversation.insert(MSMessage("?staged"))
        table.harness.settle()
        try table.ann.send()
        try table.ann.post(draft("?elsewhere"))
        #expect(table.ann.bubbles.count == 3)
        #expect(Probe.received.isEmpty)
    }

    /// "Never for other apps": section 5.2, "only messages of the same app are ever reported".
    @Test(arguments: ["", "other", "parley.text", "parley.sticker", "parley.attachment"])
    func messagesOfOtherAppsAreNotReceived(app: String) throws {
        let table = try Table()
        _ = try table.opened()
        try table.ben.post(draft("?a", app: app))
        #expect(table.ann.bubbles.count == 1)
        #expect(Probe.take() == [])
    }

    /// "Never for an inactive app": section 5.2, "message arrives, app not active".
    ///
    /// This is Apple's way, `HostSettings.strict`; by default the latest state is told on
    /// activation, which `CallbackTests.arrivalsOfAClosedAppAreKept` has.
    @Test func anInactiveAppReceivesNothing() throws {
        let table = try Table(settings: .strict)
        _ = try table.opened()
        table.ann.closeApp()
        Probe.calls = []
        try table.ben.post(draft("?a"))
        #expect(Probe.take() == [])
        try table.ann.open()
        #expect(!Probe.take().contains { $0.hasPrefix("didReceive") })
        try table.ann.tapBubble()
        #expect(table.ann.conversation?.selectedMessage?.url?.absoluteString == "?a")
    }

    /// "Never for a `.transcript` controller": section 5.1; Apple's header.
    ///
    /// Neither is it told of selections, sending and styles.
    @Test func aTranscriptControllerReceivesNothing() throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?live")
        message.layout = MSMessageLiveLayout(alternateLayout: MSMessageTemplateLayout())
        conversation.send(message)
        table.harness.settle()
        let bubble = try #require(table.ben.liveBubble(CGSize(width: 300, height: 200)))
        Probe.calls = []
        try table.ann.post(draft("?a"))
        try table.ben.post(draft("?b"))
        let opening = ["didReceive ?b selected - compact"]
        #expect(Probe.take() == opening, "Ann's app is open and hears of Ben's")
        bubble.close()
        #expect(
            Probe.take() == [
                "viewWillDisappear", "willResignActive active true", "didResignActive",
            ]
        )
    }

    /// "Never in `.media`": section 4, ".media context"; Apple's page
    /// `MSMessagesAppPresentationContext.media`.
    @Test func theMediaContextReceivesNothing() throws {
        var settings = HostSettings()
        settings.context = .media
        let table = try Table(settings: settings)
        _ = try table.opened()
        try table.ben.post(draft("?a"))
        #expect(table.ann.bubbles.count == 1)
        #expect(Probe.take() == [])
        try table.ann.tapBubble()
        #expect(Probe.take() == [])
        #expect(table.ann.conversation?.selectedMessage == nil)
    }
}
