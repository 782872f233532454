import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, lines 7 and 8: styles, and closing.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StyleConformanceTests {
    /// "`requestPresentationStyle` same style = silent; `.transcript` argument ignored": section
    /// 5.1; Apple's page and header of `requestPresentationStyle(_:)`.
    @Test func thePresentStyleAndTranscriptAreSilent() throws {
        let table = try Table()
        _ = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        app.requestPresentationStyle(.compact)
        app.requestPresentationStyle(.transcript)
        table.harness.settle()
        #expect(Probe.take() == [])
        app.requestPresentationStyle(.expanded)
        app.requestPresentationStyle(.expanded)
        table.harness.settle()
        #expect(Probe.take().count == 2)
        #expect(table.ann.style == .expanded)
    }

    /// "`presentationStyle` old during `willTransition`", whoever wants it: section 5.1; Apple's
    /// page `willTransition(to:)`.
    @Test func theStyleChangesBetweenTheCallbacks() throws {
        let table = try Table()
        _ = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        app.requestPresentationStyle(.expanded)
        #expect(Probe.take() == [], "it only asks")
        table.harness.settle()
        #expect(
            Probe.take() == [
                "willTransition expanded from compact", "didTransition expanded now expanded",
            ]
        )
        table.ann.collapse()
        #expect(
            Probe.take() == [
                "willTransition compact from expanded", "didTransition compact now compact",
            ]
        )
        table.ann.collapse()
        #expect(Probe.take() == [])
    }

    /// "`dismiss()` -> `willResignActive`, `didResignActive` once": section 5.2, "closed"; Apple's
    /// page `dismiss()`.
    @Test func dismissingEndsTheAppOnce() throws {
        let table = try Table()
        _ = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        app.dismiss()
        #expect(Probe.take() == [], "it only asks")
        table.harness.settle()
        #expect(
            Probe.take() == [
                "viewWillDisappear", "willResignActive active true", "didResignActive",
            ]
        )
        #expect(app.activeConversation == nil)
        #expect(table.ann.style == nil)
        app.dismiss()
        table.harness.settle()
        table.ann.closeApp()
        #expect(Probe.take() == [])
    }

    /// "No-op in `.transcript`": section 5.1; Apple's header of `dismiss()`.
    ///
    /// A style is asked for a new controller, and the bubble stays what it is: `LiveLayoutTests`.
    @Test func aTranscriptControllerIsNotDismissed() throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?live")
        message.layout = MSMessageLiveLayout(alternateLayout: MSMessageTemplateLayout())
        conversation.send(message)
        table.harness.settle()
        let bubble = try #require(table.ben.liveBubble(CGSize(width: 300, height: 200)))
        let app = try #require(bubble.screen.controller as? Probe)
        Probe.calls = []
        app.dismiss()
        table.harness.settle()
        #expect(Probe.take() == [])
        #expect(app.activeConversation != nil && app.presentationStyle == .transcript)
        #expect(table.ann.style == .compact)
    }
}
