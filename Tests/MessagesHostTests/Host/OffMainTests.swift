import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ModeFive
import Testing

/// A request that an app makes off the main queue is done on it; the process goes on.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OffMainTests {
    @Test func anotherStyle() async throws {
        let table = try Table()
        _ = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        await OffMain.request(.expanded, of: app)
        await OffMain.request(.transcript, of: app)
        #expect(table.ann.style == .compact || table.ann.style == .expanded)
        await table.harness.finishMainQueue()
        #expect(table.ann.style == .expanded)
        let calls = app.own.suffix(2)
        #expect(
            calls == [
                "willTransition expanded from compact", "didTransition expanded now expanded",
            ]
        )
    }

    @Test func dismissal() async throws {
        let table = try Table()
        _ = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        await OffMain.dismiss(app)
        await table.harness.finishMainQueue()
        #expect(table.ann.style == nil)
        await OffMain.dismiss(app)
        await OffMain.request(.expanded, of: app)
        await table.harness.finishMainQueue()
        #expect(table.ann.style == nil, "an app that is closed asks nobody")
    }

    /// A request of an app waits until its code has returned, so nothing that follows is lost.
    @Test(arguments: [SendPolicy.permissive, .strict])
    func requestsWaitForTheEndOfTheTurn(policy: SendPolicy) throws {
        var settings = HostSettings()
        settings.sendPolicy = policy
        let table = try Table(settings: settings)
        let conversation = try table.opened()
        conversation.insert(MSMessage("?first"))
        table.harness.settle()
        // A press on Send is the touch that the strict policy wants.
        try table.ann.send()
        _ = Probe.take()
        let app = try #require(table.ann.controller(Probe.self))
        app.requestPresentationStyle(.expanded)
        #expect(app.presentationStyle == .compact)
        app.requestPresentationStyle(.compact)
        app.dismiss()
        conversation.insert(MSMessage("?draft"))
        conversation.send(MSMessage("?sent"))
        #expect(table.ann.style == .compact)
        #expect(Probe.take() == [])
        table.harness.settle()
        #expect(table.ann.style == nil)
        let calls = Probe.take()
        #expect(
            Array(calls.prefix(4)) == [
                "willTransition expanded from compact", "didTransition expanded now expanded",
                "willTransition compact from expanded", "didTransition compact now compact",
            ]
        )
        #expect(table.ann.draft?.url?.absoluteString == "?draft")
        #expect(table.ben.bubbles.map(\.url) == ["?first", "?sent"])
    }

    /// Code for Apple's systems waits for the main queue unless it is on the main thread.
    @Test func theMainQueueIsThatOfTheMainThread() async {
        #expect(Thread.isMainThread)
        #expect(await OffMain.findsTheMainThread())
    }

    @Test func readingWhileMessagesCome() async throws {
        let table = try Table()
        _ = try table.opened()
        try table.ben.open()
        let app = try #require(table.ann.controller(Probe.self))
        async let reading: Void = OffMain.read(app)
        for number in 0..<5 {
            Self.send("?\(number)", table)
            try table.ann.tapBubble()
        }
        await reading
        #expect(app.own.count { $0.hasPrefix("didReceive") } == 5)
    }

    /// Lets Ben send, without waiting for the answer.
    private static func send(_ text: String, _ table: Table) {
        table.ben.conversation?.send(MSMessage(text))
        table.harness.settle()
    }

    /// Apple's handlers come on a queue of their own; ours on the main queue, where most apps go
    /// next.
    @Test func aHandlerMayUseTheApp() throws {
        let table = try Table()
        let conversation = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        conversation.insert(MSMessage("?a")) { _ in
            MainActor.assumeIsolated { app.requestPresentationStyle(.expanded) }
        }
        #expect(table.ann.style == .compact)
        table.harness.settle()
        #expect(table.ann.style == .expanded)
    }
}
