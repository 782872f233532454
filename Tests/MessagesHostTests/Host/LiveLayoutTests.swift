import Foundation
import Messages
import MessagesHost
import MessagesTesting
import Testing

/// Bubbles that their app draws.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LiveLayoutTests {
    final class Sketch: MSMessagesAppViewController {
        static var calls: [String] = []

        override func contentSizeThatFits(_ size: CGSize) -> CGSize {
            Self.calls.append("fits \(presentationStyle)")
            return CGSize(width: size.width * 2, height: 50)
        }
        override func willBecomeActive(with conversation: MSConversation) {
            let url = conversation.selectedMessage?.url?.absoluteString ?? "-"
            Self.calls.append("active \(url) \(presentationStyle)")
        }
        override func didReceive(_ message: MSMessage, conversation: MSConversation) {
            Self.calls.append("received \(presentationStyle)")
        }
        override func willTransition(to style: MSMessagesAppPresentationStyle) {
            Self.calls.append("transition \(presentationStyle)")
        }
        override var body: ParleyView {
            .column {
                ParleyView.text(activeConversation?.selectedMessage?.url?.absoluteString ?? "none")
                ParleyView.button("dismiss") { self.dismiss() }
                ParleyView.button("expand") { self.requestPresentationStyle(.expanded) }
                ParleyView.button("answer") {
                    self.activeConversation?.insert(MSMessage("?answer"))
                }
            }
        }
    }

    private func table() throws -> (Harness, ann: Player, ben: Player) {
        Sketch.calls = []
        let harness = Harness(apps: [Sketch.self], participants: ["ann", "ben"])
        let ann = try harness["ann"]
        try ann.open()
        let message = MSMessage("?live")
        let alternate = MSMessageTemplateLayout()
        alternate.caption = "for others"
        message.layout = MSMessageLiveLayout(alternateLayout: alternate)
        ann.conversation?.send(message)
        harness.settle()
        Sketch.calls = []
        return (harness, ann, try harness["ben"])
    }

    @Test func aControllerOfItsOwnDrawsIt() throws {
        let (_, _, ben) = try table()
        let offered = CGSize(width: 300, height: 200)
        let bubble = try #require(ben.liveBubble(offered))
        #expect(Sketch.calls == ["active ?live transcript", "fits transcript"])
        #expect(bubble.size == CGSize(width: 300, height: 50))
        #expect(bubble.screen.tree.text().contains("?live"))
        #expect(ben.bubbles.last?.line == "for others")
        bubble.close()
    }

    @Test func itIsToldNeitherOfMessagesNorOfStyles() throws {
        let (harness, ann, ben) = try table()
        let bubble = try #require(ben.liveBubble(CGSize(width: 300, height: 200)))
        Sketch.calls = []
        ann.conversation?.send(MSMessage("?more"))
        harness.settle()
        #expect(Sketch.calls == [])
        let tree = bubble.screen.tree
        let dismiss = try #require(tree.usable.first { $0.content == .button(title: "dismiss") })
        try bubble.perform(.press, on: dismiss.id, seenIn: tree.version)
        #expect(bubble.screen.controller.isViewLoaded)
        #expect(ben.style == nil)
    }

    /// Asking for a style makes another controller; the bubble stays what it is.
    @Test func askingForAStyleOpensTheApp() throws {
        let (harness, _, ben) = try table()
        let bubble = try #require(ben.liveBubble(CGSize(width: 300, height: 200)))
        Sketch.calls = []
        let tree = bubble.screen.tree
        let expand = try #require(tree.usable.first { $0.content == .button(title: "expand") })
        try bubble.perform(.press, on: expand.id, seenIn: tree.version)
        harness.settle()
        #expect(Sketch.calls == ["active ?live expanded"])
        let live = bubble.screen.controller as? MSMessagesAppViewController
        #expect(live?.presentationStyle == .transcript)
    }

    /// An action that was chosen in a closed bubble is not carried out in the next one.
    @Test func aBubbleThatIsShownAnewTakesNoOldChoice() throws {
        let (_, _, ben) = try table()
        let size = CGSize(width: 300, height: 200)
        let first = try #require(ben.liveBubble(size))
        let seen = first.screen.tree
        let answer = try #require(seen.usable.first { $0.content == .button(title: "answer") })
        first.close()
        #expect(throws: ParleyView.ActionError.notFound) {
            try first.perform(.press, on: answer.id, seenIn: seen.version)
        }
        let second = try #require(ben.liveBubble(size))
        #expect(throws: ParleyView.ActionError.stale) {
            try second.perform(.press, on: answer.id, seenIn: seen.version)
        }
    }

    /// Somebody new is known to the bubbles that are open, too.
    @Test func itKnowsWhoTakesPart() throws {
        Sketch.calls = []
        let harness = Harness(apps: [Sketch.self], participants: ["ann", "ben", "cat"])
        let (ann, ben) = (try harness["ann"], try harness["ben"])
        try ann.open()
        let message = MSMessage("?live")
        message.layout = MSMessageLiveLayout(alternateLayout: MSMessageTemplateLayout())
        ann.conversation?.send(message)
        harness.settle()
        let bubble = try #require(ben.liveBubble(CGSize(width: 300, height: 200)))
        let app = try #require(bubble.screen.controller as? Sketch)
        let ids = [try #require(ann.participant), try #require(harness["cat"].participant)]
        #expect(app.activeConversation?.remoteParticipantIdentifiers == [ids[0]])
        try harness["cat"].open()
        #expect(Set(app.activeConversation?.remoteParticipantIdentifiers ?? []) == Set(ids))
    }

    @Test func itMayStage() throws {
        let (harness, _, ben) = try table()
        try ben.open()
        let bubble = try #require(ben.liveBubble(CGSize(width: 300, height: 200)))
        let tree = bubble.screen.tree
        let answer = try #require(tree.usable.first { $0.content == .button(title: "answer") })
        try bubble.perform(.press, on: answer.id, seenIn: tree.version)
        harness.settle()
        #expect(ben.draft?.url?.absoluteString == "?answer")
    }
}
