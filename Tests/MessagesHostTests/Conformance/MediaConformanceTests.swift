import Foundation
import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, line 12: the table of section 4, ".media context"; Apple's page
/// `MSMessagesAppPresentationContext.media`.
///
/// `ArrivalConformanceTests` checks that nothing is received.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MediaConformanceTests {
    private static let unavailable =
        MSMessageErrorCode.apiUnavailableInPresentationContext.rawValue

    /// A file that goes with the test.
    private final class File {
        let url: URL

        init(_ bytes: [UInt8], _ fileExtension: String) throws {
            url = FileManager.default.temporaryDirectory
                .appending(path: "parley-host-\(UUID().uuidString).\(fileExtension)")
            try Data(bytes).write(to: url)
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private func opened() throws -> (Table, MSConversation) {
        var settings = HostSettings()
        settings.context = .media
        let table = try Table(settings: settings)
        return (table, try table.opened())
    }

    /// "`insert(_: MSMessage)`, `insertText` and all four `send` variants fail".
    @Test func whatIsNoStickerFails() throws {
        let (table, conversation) = try opened()
        #expect(table.ann.controller(Probe.self)?.presentationContext == .media)
        let file = try File(Pictures.gif, "gif")
        let sticker = try MSSticker(contentsOfFileURL: file.url, localizedDescription: "a cat")
        let answers = (0..<6).map { _ in Answers() }
        conversation.insert(MSMessage("?a"), completionHandler: answers[0].handler)
        conversation.insertText("a", completionHandler: answers[1].handler)
        conversation.send(MSMessage("?a"), completionHandler: answers[2].handler)
        conversation.send(sticker, completionHandler: answers[3].handler)
        conversation.sendText("a", completionHandler: answers[4].handler)
        conversation.sendAttachment(
            file.url,
            withAlternateFilename: nil,
            completionHandler: answers[5].handler
        )
        table.harness.settle()
        for answer in answers { #expect(try answer.code == Self.unavailable) }
        #expect(table.ann.text.isEmpty && table.ann.draft == nil)
        #expect(table.ben.bubbles.isEmpty)
        #expect(throws: HarnessError.host(.nothingThere)) { try table.ann.send() }
    }

    /// "Only `insert(_: MSSticker)` and image attachments of sticker-compatible type work".
    @Test func stickersAndPicturesAreStaged() throws {
        let (table, conversation) = try opened()
        let file = try File(Pictures.gif, "gif")
        let sticker = try MSSticker(contentsOfFileURL: file.url, localizedDescription: "a cat")
        let answers = (0..<2).map { _ in Answers() }
        conversation.insert(sticker, completionHandler: answers[0].handler)
        conversation.insertAttachment(
            file.url,
            withAlternateFilename: "cat.gif",
            completionHandler: answers[1].handler
        )
        table.harness.settle()
        for answer in answers { #expect(try answer.code == nil) }
        #expect(table.ben.bubbles.isEmpty)
        try table.ann.send()
        #expect(Set(table.ben.bubbles.map(\.line)) == ["a cat", "cat.gif"])
        #expect(Probe.take() == [], "nothing is told of sending")
    }

    /// The same clause: an attachment that is no sticker's picture is refused.
    @Test(arguments: ["txt", "svg", "webp"])
    func otherAttachmentsAreRefused(type: String) throws {
        let (table, conversation) = try opened()
        let bytes: [UInt8] =
            switch type {
            case "svg": Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)
            case "webp": Pictures.webp
            default: Array("text".utf8)
            }
        let file = try File(bytes, type)
        let answers = Answers()
        conversation.insertAttachment(
            file.url,
            withAlternateFilename: nil,
            completionHandler: answers.handler
        )
        table.harness.settle()
        #expect(try answers.code == MSMessageErrorCode.improperFileType.rawValue)
    }
}
