import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// Stickers that people put on messages: who sees them where, and who takes them off.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StickerTests {
    /// Ann has staged a sticker, and a message is there.
    private func begun() throws -> Table {
        let table = try Table()
        let conversation = try table.opened()
        conversation.send(MSMessage("?a", in: MSSession()))
        let file = FileManager.default.temporaryDirectory
            .appending(path: "parley-host-\(UUID().uuidString).gif")
        try Data(Pictures.gif).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        conversation.insert(
            try MSSticker(contentsOfFileURL: file, localizedDescription: "a cat")
        )
        table.harness.settle()
        #expect(table.ann.stickers.map(\.description) == ["a cat"])
        return table
    }

    @Test func isSeenByAllAtTheSamePlace() throws {
        let table = try begun()
        try table.ann.placeSticker(on: "?a", x: 2_500, y: 10_000)
        #expect(table.ann.stickers.isEmpty)
        for (player, isMine) in [(table.ann, true), (table.ben, false)] {
            // The sticker is no entry of its own.
            #expect(player.bubbles.map(\.url) == ["?a"])
            let sticker = try #require(player.bubbles.first?.stickers.first)
            #expect(sticker.description == "a cat")
            #expect(sticker.placement.x == 2_500)
            #expect(sticker.placement.y == 10_000)
            #expect(sticker.sender.id == table.ann.participant)
            #expect(sticker.isMine == isMine)
            #expect(sticker.picture.isHere)
        }
    }

    @Test func isPeeledOffForAllByWhoPlacedIt() throws {
        let table = try begun()
        try table.ann.placeSticker(on: "?a", x: 0, y: 0)
        let sticker = try #require(table.ben.bubbles.first?.stickers.first)
        #expect(
            throws: HarnessError.host(
                .refused(.unknown, "Only who placed a sticker can peel it off.")
            )
        ) { try table.ben.peelOff(sticker.id) }
        // Ben's node refuses it as well, whatever program asks for it.
        let owner = try #require(table.ann.participant)
        var end = Draft(session: sticker.id, content: MessageContent())
        end.isEnd = true
        #expect(throws: HarnessError.host(.node(.notYourTurn(next: [owner])))) {
            try table.ben.post(end)
        }
        #expect(table.ben.bubbles.first?.stickers.count == 1)
        try table.ann.peelOff(sticker.id)
        for player in [table.ann, table.ben] {
            #expect(player.bubbles.map(\.url) == ["?a"])
            #expect(player.bubbles.first?.stickers.isEmpty == true)
        }
        #expect(throws: HarnessError.host(.unknownMessage(sticker.id.description))) {
            try table.ann.peelOff(sticker.id)
        }
    }

    @Test func fallsWithTheMessageThatIsReplaced() throws {
        let table = try begun()
        try table.ann.placeSticker(on: "?a", x: 5_000, y: 5_000)
        let shown = try #require(table.ben.bubbles.first)
        var content = MessageContent()
        content.url = "?b"
        try table.ben.post(Draft(session: shown.session, content: content))
        for player in [table.ann, table.ben] {
            let messages = player.bubbles.filter { $0.kind == .message }
            #expect(messages.map(\.url) == ["?b"])
            #expect(player.bubbles.flatMap(\.stickers).isEmpty)
        }
    }

    @Test func staysOverARestart() throws {
        let table = try begun()
        try table.ann.placeSticker(on: "?a", x: 1, y: 2)
        table.ben.goAway()
        table.ben.comeBack()
        #expect(table.ben.bubbles.first?.stickers.map(\.placement.y) == [2])
    }

    @Test func goesBackIntoTheFieldIfItCannotBePlaced() throws {
        let table = try begun()
        #expect(throws: HarnessError.noSuchMessage("?z", transcript: table.ann.transcript)) {
            try table.ann.placeSticker(on: "?z", x: 0, y: 0)
        }
        #expect(table.ann.stickers.count == 1)
        try table.ann.send()
        #expect(table.ben.bubbles.map(\.accessibilityLabel) == [nil, "a cat"])
    }
}
