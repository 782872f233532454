import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Synchronization
import Testing

/// Rows of `docs/messages-api.md` that are marked "differs" and that no other test has: the host
/// does what the page says.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DifferenceTests {
    /// A text of a message: where it stands, and how many bytes it may have.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytesMax: Int
        let set: @Sendable (MSMessage, MSMessageTemplateLayout, String) -> Void
    }

    nonisolated static let places: [Place] = [
        Place(testDescription: "summary", bytesMax: 256) { $0.summaryText = $2 },
        Place(testDescription: "label", bytesMax: 1_024) { $0.accessibilityLabel = $2 },
        Place(testDescription: "caption", bytesMax: 1_024) { $1.caption = $2 },
        Place(testDescription: "subcaption", bytesMax: 1_024) { $1.subcaption = $2 },
        Place(testDescription: "trailing", bytesMax: 1_024) { $1.trailingCaption = $2 },
        Place(testDescription: "trailing sub", bytesMax: 1_024) { $1.trailingSubcaption = $2 },
        Place(testDescription: "image title", bytesMax: 1_024) { $1.imageTitle = $2 },
        Place(testDescription: "image subtitle", bytesMax: 1_024) { $1.imageSubtitle = $2 },
    ]

    /// Rows `summaryText`, `accessibilityLabel`, `caption` and its like, `error`.
    @Test(arguments: places)
    func textsHaveALimitInBytes(_ place: Place) throws {
        let table = try Table()
        let conversation = try table.opened()
        for (count, code) in [
            (place.bytesMax, nil), (place.bytesMax + 1, MSMessageErrorCode.unknown.rawValue),
        ] {
            let message = MSMessage("?\(count)")
            let layout = MSMessageTemplateLayout()
            let text = String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "e")
            place.set(message, layout, text)
            message.layout = layout
            let answers = Answers()
            conversation.insert(message, completionHandler: answers.handler)
            table.harness.settle()
            #expect(try answers.code == code)
            let reason = (message.error as NSError?)?.userInfo[NSUnderlyingErrorKey] as? HostError
            guard code != nil else {
                #expect(reason == nil)
                continue
            }
            guard case .tooLarge(_, size: count, limit: place.bytesMax)? = reason else {
                Issue.record("\(String(describing: reason))")
                continue
            }
        }
        #expect(table.ann.draft?.url?.absoluteString == "?\(place.bytesMax)")
    }

    /// Row `shouldExpire`: it travels, nothing goes because of it, and the author is told so once.
    @Test func nothingExpires() throws {
        let lines = Mutex<[String]>([])
        var settings = HostSettings()
        settings.log = { line in lines.withLock { $0.append(line) } }
        let table = try Table(settings: settings)
        let conversation = try table.opened()
        let message = MSMessage("?a")
        conversation.insert(message)
        table.harness.settle()
        #expect(lines.withLock { $0 }.isEmpty)
        message.shouldExpire = true
        conversation.insert(message)
        conversation.send(message)
        table.harness.settle()
        #expect(lines.withLock { $0.map { $0.contains("Probe sets shouldExpire") } } == [true])
        try table.ben.tapBubble()
        #expect(table.ben.conversation?.selectedMessage?.shouldExpire == true)
        table.ben.closeApp()
        table.harness.pass(seconds: 3_600)
        table.ben.goAway()
        table.ben.comeBack()
        #expect(table.ben.bubbles.map(\.url) == ["?a"])
        #expect(table.ann.bubbles.map(\.url) == ["?a"])
    }

    /// Rows `insertText`, `insert(_:)` of a sticker, and `insertAttachment`.
    @Test func theFieldIsBounded() throws {
        let table = try Table()
        let conversation = try table.opened()
        let file = FileManager.default.temporaryDirectory
            .appending(path: "parley-host-\(UUID().uuidString).gif")
        try Data(Pictures.gif).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let sticker = try MSSticker(contentsOfFileURL: file, localizedDescription: "a cat")
        let unknown = MSMessageErrorCode.unknown.rawValue
        let answers = (0..<12).map { _ in Answers() }
        for index in 0..<9 {
            let handler = answers[index].handler
            if index.isMultiple(of: 2) {
                conversation.insert(sticker, completionHandler: handler)
            } else {
                conversation.insertAttachment(
                    file,
                    withAlternateFilename: nil,
                    completionHandler: handler
                )
            }
        }
        let limit = MessageLimits.textCharacters
        conversation.insertText(
            String(repeating: "a", count: limit),
            completionHandler: answers[9].handler
        )
        conversation.insertText(
            String(repeating: "a", count: limit + 1),
            completionHandler: answers[10].handler
        )
        table.harness.settle()
        try Data(count: MessageLimits.pictureBytes + 1).write(to: file)
        conversation.sendAttachment(
            file,
            withAlternateFilename: nil,
            completionHandler: answers[11].handler
        )
        table.harness.settle()
        let codes = try answers.map { try $0.code }
        #expect(codes == Array(repeating: nil, count: 8) + [unknown, nil, unknown, unknown])
    }

    /// Row `image`: the bytes are the same, the scale stays behind.
    @Test func theScaleOfAPictureStaysBehind() throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        let layout = MSMessageTemplateLayout()
        let bytes = Data(Pictures.png(width: 8, height: 6))
        layout.image = UIImage(data: bytes, scale: 2)
        #expect(layout.image?.size == CGSize(width: 4, height: 3))
        let message = MSMessage("?a")
        message.layout = layout
        conversation.send(message)
        table.harness.settle()
        let arrived = try #require(Probe.received.first?.layout as? MSMessageTemplateLayout)
        #expect(arrived.image?.pngData() == bytes)
        #expect(arrived.image?.size == CGSize(width: 8, height: 6))
    }

    /// Row `localParticipantIdentifier`: another UUID in every conversation.
    @Test func participantsDifferFromConversationToConversation() throws {
        let first = Harness(apps: [Probe.self], participants: ["ann"], seed: 1)
        let second = Harness(apps: [Probe.self], participants: ["ann"], seed: 2)
        #expect(try first["ann"].participant != second["ann"].participant)
    }
}
