import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// The messages that an app may send, and the errors for those that it may not.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SendingTests {
    @Test func sendsWithoutAPersonUnlessItIsStrict() throws {
        let table = try Table()
        let conversation = try table.opened()
        let answers = Answers()
        conversation.send(MSMessage("?a"), completionHandler: answers.handler)
        table.harness.settle()
        #expect(try answers.code == nil)
        #expect(table.ben.bubbles.map(\.url) == ["?a"])
    }

    @Test func strictPolicyWantsATouchForEachSend() throws {
        let table = try Table(settings: .strict)
        let conversation = try table.opened()
        let refused = Answers()
        let message = MSMessage("?a")
        conversation.send(message, completionHandler: refused.handler)
        table.harness.settle()
        #expect(try refused.code == MSMessageErrorCode.sendWithoutRecentInteraction.rawValue)
        #expect((message.error as NSError?)?.domain == MSMessagesErrorDomain)
        #expect(table.ben.bubbles.isEmpty)
        let staged = Answers()
        conversation.insert(message, completionHandler: staged.handler)
        table.harness.settle()
        #expect(try staged.code == nil)
        try table.ann.send()
        #expect(table.ben.bubbles.map(\.url) == ["?a"])
        // Pressing Send was a touch.
        let sent = Answers()
        conversation.sendText("hello", completionHandler: sent.handler)
        table.harness.settle()
        #expect(try sent.code == nil)
        let again = Answers()
        conversation.sendText("hello", completionHandler: again.handler)
        table.harness.settle()
        #expect(try again.code == MSMessageErrorCode.sendWithoutRecentInteraction.rawValue)
    }

    @Test func anAppThatIsClosedCannotSend() throws {
        let table = try Table()
        let conversation = try table.opened()
        table.ann.closeApp()
        let answers = Answers()
        conversation.send(MSMessage("?a"), completionHandler: answers.handler)
        table.harness.settle()
        #expect(try answers.code == MSMessageErrorCode.unknown.rawValue)
        #expect(table.ben.bubbles.isEmpty)
    }

    @Test func refusesTextsThatDoNotFit() throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?a")
        message.summaryText = String(repeating: "é", count: 129)
        let answers = Answers()
        conversation.insert(message, completionHandler: answers.handler)
        table.harness.settle()
        #expect(try answers.code == MSMessageErrorCode.unknown.rawValue)
        let reason = (message.error as NSError?)?.userInfo[NSUnderlyingErrorKey] as? HostError
        #expect(reason == .tooLarge(what: "the summary", size: 258, limit: 256))
        #expect(table.ann.draft == nil)
    }

    @Test func textStickersAndAttachmentsAreStagedAndSent() throws {
        let table = try Table()
        let conversation = try table.opened()
        let file = FileManager.default.temporaryDirectory
            .appending(path: "parley-host-\(UUID().uuidString).gif")
        try Data(Pictures.gif).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        conversation.insertText("hello")
        conversation.insertText("world")
        conversation.insertAttachment(file, withAlternateFilename: "cat.gif")
        let sticker = try MSSticker(contentsOfFileURL: file, localizedDescription: "a cat")
        conversation.insert(sticker)
        table.harness.settle()
        #expect(table.ann.text == "hello\nworld")
        #expect(table.ben.bubbles.isEmpty)
        try table.ann.send()
        let lines = Set(table.ben.bubbles.map(\.line))
        #expect(lines == ["hello\nworld", "cat.gif", "a cat"])
        #expect(table.ben.bubbles.compactMap(\.picture?.type) == ["image/gif", "image/gif"])
        let missing = Answers()
        conversation.sendAttachment(
            file.appendingPathExtension("none"),
            withAlternateFilename: nil,
            completionHandler: missing.handler
        )
        table.harness.settle()
        #expect(try missing.code == MSMessageErrorCode.fileNotFound.rawValue)
    }

    /// A completion handler may come back to the main queue, as apps do everywhere.
    @Test func completionsMayGoOnOnTheMainQueue() async throws {
        let table = try Table()
        let conversation = try table.opened()
        let app = try #require(table.ann.controller(Probe.self))
        conversation.insert(MSMessage("?a")) { _ in
            DispatchQueue.main.async { MainActor.assumeIsolated { app.dismiss() } }
        }
        await table.harness.finishMainQueue()
        #expect(table.ann.style == nil)
        #expect(table.ann.draft != nil)
    }
}
