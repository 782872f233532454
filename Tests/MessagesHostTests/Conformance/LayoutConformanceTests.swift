import Foundation
import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, line 10: the layout, from one machine to the other.
///
/// `MessagesTests` checks that a layout is copied when it is set.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LayoutConformanceTests {
    /// Keeps what `didStartSending` and `didReceive` have in their hands.
    final class Keeper: MSMessagesAppViewController {
        static var started: [MessageContents] = []
        static var received: [MessageContents] = []

        override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
            Self.started.append(MessageContents(message))
        }
        override func didReceive(_ message: MSMessage, conversation: MSConversation) {
            Self.received.append(MessageContents(message))
        }
    }

    /// Sends a message from Ann to Ben; gives what both apps got.
    private func send(_ message: MSMessage) throws -> [MessageContents] {
        (Keeper.started, Keeper.received) = ([], [])
        let harness = Harness(apps: [Keeper.self], participants: ["ann", "ben"])
        let ann = try harness["ann"]
        try ann.open()
        try harness["ben"].open()
        ann.conversation?.insert(message)
        harness.settle()
        try ann.send()
        return [try #require(Keeper.started.first), try #require(Keeper.received.first)]
    }

    /// "All seven strings and `accessibilityLabel` survive the wire": section 7; Apple's page
    /// `MSMessageTemplateLayout`.
    ///
    /// Also in `didStartSending`, where Apple's are lost.
    @Test(arguments: [true, false])
    func allStringsSurvive(isLive: Bool) throws {
        let layout = MSMessageTemplateLayout()
        layout.caption = "caption\nof three\nlines"
        layout.subcaption = "subcaption 🍒"
        layout.trailingCaption = "trailing caption"
        layout.trailingSubcaption = ""
        layout.imageTitle = "image title é"
        layout.imageSubtitle = "image subtitle"
        let message = MSMessage("?a", in: MSSession())
        message.layout = isLive ? MSMessageLiveLayout(alternateLayout: layout) : layout
        message.summaryText = "summary $\(UUID().uuidString)"
        message.accessibilityLabel = "label"
        let sent = MessageContents(message)
        #expect(try send(message) == [sent, sent])
        #expect(sent.layout?.template.trailingSubcaption == "")
    }

    /// "`image` beats `mediaFileURL`": section 7; Apple's header of `MSMessageTemplateLayout`.
    @Test func theImageBeatsTheMediaFile() throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "parley-host-\(UUID().uuidString).mov")
        try Data("not really a movie".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let layout = MSMessageTemplateLayout()
        layout.image = UIImage(data: Data(Pictures.gif))
        layout.mediaFileURL = file
        let message = MSMessage("?a")
        message.layout = layout
        let received = try #require(try send(message).last?.layout?.template)
        #expect(received.image?.data == Data(Pictures.gif))
        #expect(received.mediaFileURL == nil)
    }
}
