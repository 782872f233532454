import Messages
import MessagesHost
import MessagesTesting
import Testing

/// The calls of an app, in Apple's order.
@MainActor
@Suite(.timeLimit(.minutes(5)))
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

    /// A request that an app makes inside of a call is carried out after the calls that belong
    /// together.
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
