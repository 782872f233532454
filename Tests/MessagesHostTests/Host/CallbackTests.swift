import Messages
import MessagesHost
import Testing

/// The calls of an app, in Apple's order.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct CallbackTests {
    static let opening = [
        "didBecomeActive", "viewWillAppear", "viewDidAppear",
    ]

    @Test func openingFromTheDrawer() throws {
        let table = try Table()
        try table.ann.open()
        let start = ["viewDidLoad", "willBecomeActive selected - active true"]
        #expect(Probe.take() == start + Self.opening)
        #expect(table.ann.style == .compact)
        try table.ann.open()
        #expect(Probe.take() == [])
    }

    @Test func openingByABubble() throws {
        let table = try Table()
        try table.opened().send(MSMessage("?a"))
        table.harness.settle()
        table.ann.closeApp()
        Probe.calls = []
        try table.ben.tapBubble()
        let start = ["viewDidLoad", "willBecomeActive selected ?a active true"]
        #expect(Probe.take() == start + Self.opening)
        #expect(table.ben.style == .expanded)
    }

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

    @Test(arguments: [true, false])
    func arrivalsOfAClosedAppAreKept(replays: Bool) throws {
        var settings = HostSettings()
        settings.replaysArrivals = replays
        let table = try Table(settings: settings)
        _ = try table.opened()
        table.ann.closeApp()
        try table.ben.open()
        let session = MSSession()
        for text in ["?1", "?2", "?3"] {
            table.ben.conversation?.send(MSMessage(text, in: session))
            table.harness.settle()
        }
        Probe.calls = []
        try table.ann.open()
        let replayed = Probe.take().filter { $0.hasPrefix("didReceive") }
        #expect(replayed == (replays ? ["didReceive ?3 selected - compact"] : []))
        try table.ann.tapBubble()
        #expect(table.ann.conversation?.selectedMessage?.url?.absoluteString == "?3")
    }

    @Test func stagingAndSending() throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?a")
        #expect(message.isPending)
        #expect(message.senderParticipantIdentifier == .zero)
        let answers = Answers()
        conversation.insert(message, completionHandler: answers.handler)
        table.harness.settle()
        #expect(try answers.code == nil)
        #expect(conversation.selectedMessage?.url == message.url)
        #expect(conversation.selectedMessage?.isPending == true)
        #expect(table.ben.bubbles.isEmpty)
        #expect(Probe.take() == [])
        try table.ann.send()
        #expect(Probe.take() == ["didStartSending ?a selected ?a compact"])
        #expect(!message.isPending)
        #expect(message.senderParticipantIdentifier == table.ann.participant)
        #expect(table.ben.bubbles.map(\.url) == ["?a"])
        #expect(throws: HarnessError.host(.nothingThere)) { try table.ann.send() }
    }

    @Test func aSecondInsertReplacesTheDraft() throws {
        let table = try Table()
        let conversation = try table.opened()
        let first = Answers()
        let second = Answers()
        conversation.insert(MSMessage("?1"), completionHandler: first.handler)
        conversation.insert(MSMessage("?2"), completionHandler: second.handler)
        table.harness.settle()
        #expect(try first.code == nil)
        #expect(try second.code == nil)
        try table.ann.send()
        #expect(table.ben.bubbles.map(\.url) == ["?2"])
    }

    @Test func deletingTheDraft() throws {
        let table = try Table()
        let conversation = try table.opened()
        conversation.insert(MSMessage("?a"))
        table.harness.settle()
        table.ann.deleteDraft()
        #expect(Probe.take() == ["didCancelSending ?a selected - compact"])
        #expect(table.ann.draft == nil)
    }

    @Test func theDraftOutlivesTheApp() throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?a")
        conversation.insert(message)
        table.harness.settle()
        table.ann.closeApp()
        Probe.calls = []
        try table.ann.send()
        #expect(Probe.take() == [])
        #expect(!message.isPending)
        #expect(table.ben.bubbles.map(\.url) == ["?a"])
    }

    @Test func dismissing() throws {
        let table = try Table()
        _ = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        app.dismiss()
        #expect(
            Probe.take() == [
                "viewWillDisappear", "willResignActive active true", "didResignActive",
            ]
        )
        #expect(app.activeConversation == nil)
        #expect(table.ann.style == nil)
        app.dismiss()
        #expect(Probe.take() == [])
    }

    @Test func asksForStyles() throws {
        let table = try Table()
        _ = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        app.requestPresentationStyle(.compact)
        app.requestPresentationStyle(.transcript)
        #expect(Probe.take() == [])
        app.requestPresentationStyle(.expanded)
        #expect(
            Probe.take() == [
                "willTransition expanded from compact", "didTransition expanded now expanded",
            ]
        )
        table.ann.collapse()
        #expect(table.ann.style == .compact)
    }

    /// What an app asks in the middle of a call is done after the calls that belong together.
    @Test func requestsInsideOfCallsComeAfterThem() throws {
        let table = try Table()
        _ = try table.opened()
        try table.ben.open()
        Probe.reply = { app, _ in
            app.requestPresentationStyle(.expanded)
            app.dismiss()
            Probe.calls.append("end of the call")
        }
        Probe.calls = []
        table.ben.conversation?.send(MSMessage("?b"))
        table.harness.settle()
        let calls = Probe.take().filter { !$0.hasPrefix("didStartSending") }
        #expect(
            calls == [
                "didReceive ?b selected - compact", "end of the call",
                "willTransition expanded from compact", "didTransition expanded now expanded",
                "viewWillDisappear", "willResignActive active true", "didResignActive",
            ]
        )
    }
}
