import Foundation
import Messages
import MessagesHost
import ParleyNode
import Testing

/// The messages of peers that are stickers on messages, whatever programs have written them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct PlacementTests {
    nonisolated private static let ann = person(1, "ann")
    nonisolated private static let ben = person(2, "ben")
    nonisolated private static let png = Data(Pictures.png(width: 9, height: 9))

    nonisolated private static func person(_ number: UInt8, _ name: String) -> Participant {
        let id = UUID(uuid: (number, 2, 3, 4, 5, 6, 0x87, 8, 0x99, 1, 1, 1, 1, 1, 1, 1))
        return Participant(id: id, device: name.uppercased(), name: name)
    }

    /// A session of a sticker that ann has placed.
    nonisolated private static func session(_ number: UInt8 = 0) -> SessionID {
        SessionID(UUID(uuid: (1, 2, 3, 4, 5, 6, 0x87, 8, 0x80, 7, 7, 7, 7, 7, 7, number)))
    }

    private static func id(_ number: Int) throws -> MessageID {
        try #require(MessageID(String(repeating: "b", count: 32) + "-\(number)"))
    }

    /// A message on which stickers are put.
    private static func target() throws -> Message {
        var content = MessageContent()
        content.layout = ContentLayout()
        content.layout?.caption = "target"
        // The session of ann's mark, which is none of a sticker.
        return Message(
            session: SessionID(ann.id),
            id: try id(1),
            revision: 1,
            sender: ben,
            sentAt: Date(timeIntervalSince1970: 1),
            content: content
        )
    }

    private static func sticker(
        by sender: Participant = ann,
        number: Int = 2,
        in session: SessionID = session(),
        on target: Int = 1,
        type: String = "image/png",
        bytes: Int = png.count,
        isHere: Bool = true,
        isEnd: Bool = false,
        isConflict: Bool = false
    ) throws -> Message {
        var content = MessageContent()
        content.app = OutgoingMessage.stickerApp
        content.accessibilityLabel = "a star"
        content.layout = ContentLayout()
        if !isEnd { content.placement = Placement(on: try id(target), x: 1, y: 2) }
        let picture = PictureInfo(sha256: "\(number)", type: type, bytes: bytes, isHere: isHere)
        return Message(
            session: session,
            id: try id(number),
            // The first message of a session that ends it is a mark.
            revision: isEnd ? 2 : 1,
            sender: sender,
            sentAt: Date(timeIntervalSince1970: Double(number)),
            content: content,
            isConflict: isConflict,
            isEnd: isEnd,
            picture: isEnd ? nil : picture
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether the sticker is on the message.
        let isOn: Bool
        /// Whether the message is an entry of its own.
        var isListed = false
        /// The heads of the session, the shown one first.
        let heads: @MainActor @Sendable () throws -> [Message]
    }

    nonisolated static let cases: [Case] = [
        Case(testDescription: "a sticker", isOn: true) { [try sticker()] },
        Case(testDescription: "the largest one", isOn: true) {
            [try sticker(bytes: StickerFile.bytesMax)]
        },
        Case(testDescription: "larger", isOn: false) {
            [try sticker(bytes: StickerFile.bytesMax + 1)]
        },
        Case(testDescription: "SVG", isOn: false) { [try sticker(type: "image/svg+xml")] },
        Case(testDescription: "HTML", isOn: false) { [try sticker(type: "text/html")] },
        Case(testDescription: "WebP", isOn: false) { [try sticker(type: "image/webp")] },
        Case(testDescription: "on a message that is not here", isOn: false) {
            [try sticker(on: 99)]
        },
        Case(testDescription: "on itself", isOn: false) { [try sticker(on: 2)] },
        Case(testDescription: "peeled off", isOn: false) { [try sticker(isEnd: true)] },
        Case(testDescription: "in another's session", isOn: false, isListed: true) {
            [try sticker(by: ben)]
        },
        Case(testDescription: "in a session of nobody's", isOn: false, isListed: true) {
            [try sticker(in: SessionID())]
        },
        Case(testDescription: "another's end beside it", isOn: true, isListed: true) {
            [
                try sticker(by: ben, number: 3, isEnd: true, isConflict: true),
                try sticker(isConflict: true),
            ]
        },
        Case(testDescription: "another's placement beside the end", isOn: false, isListed: true) {
            [
                try sticker(by: ben, number: 3, isConflict: true),
                try sticker(isEnd: true, isConflict: true),
            ]
        },
    ]

    @Test(arguments: cases)
    func onlyStickersOfTheirOwnersAreOnMessages(_ one: Case) async throws {
        let node = DeskNode([Self.ann, Self.ben])
        node.show(try Self.target())
        let heads = try one.heads()
        let shown = try #require(heads.first)
        node.show(shown)
        node.others[shown.session] = Array(heads.dropFirst())
        let host = AppHost(apps: [], node: node)
        host.start()
        let bubbles = try await host.bubbles(of: "table")
        #expect(bubbles.first?.stickers.count == (one.isOn ? 1 : 0))
        #expect(bubbles.contains { $0.id == shown.id } == one.isListed)
        // The same when it arrives while the transcript is open.
        let later = DeskNode([Self.ann, Self.ben])
        later.show(try Self.target())
        let second = AppHost(apps: [], node: later)
        second.start()
        _ = try await second.bubbles(of: "table")
        later.show(shown)
        later.others[shown.session] = Array(heads.dropFirst())
        later.emit(.happened(.shown(conversation: "table", shown)))
        if heads.count > 1 {
            later.emit(
                .happened(
                    .conflict(
                        conversation: "table",
                        session: shown.session,
                        heads: heads.map(\.id)
                    )
                )
            )
        }
        #expect(try await second.bubbles(of: "table") == bubbles)
    }

    /// A host with thirty stickers on one message.
    private func manyStickers() throws -> AppHost {
        let node = DeskNode([Self.ann, Self.ben])
        node.show(try Self.target())
        for number in 0..<UInt8(30) {
            node.show(try Self.sticker(number: 2 + Int(number), in: Self.session(number)))
        }
        let host = AppHost(apps: [], node: node)
        host.start()
        return host
    }

    @Test func ofTooManyTheLatestAreShown() async throws {
        let host = try manyStickers()
        let stickers = try await host.bubbles(of: "table").first?.stickers ?? []
        #expect(stickers.map(\.picture.sha256) == (8..<32).map { "\($0)" })
        #expect(stickers.count == PlacedSticker.countMax)
    }

    /// A page asks for the last entries, and stickers on messages are none.
    @Test func entriesBehindManyStickersAreFound() async throws {
        let host = try manyStickers()
        #expect(try await host.bubbles(of: "table", last: 1).map(\.line) == ["target"])
        #expect(try await host.bubbles(of: "table", last: 2).map(\.line) == ["target"])
    }

    @Test func aPictureThatArrivesLaterIsShown() async throws {
        let node = DeskNode([Self.ann, Self.ben])
        node.show(try Self.target())
        node.show(try Self.sticker(isHere: false))
        let host = AppHost(apps: [], node: node)
        host.start()
        #expect(
            try await host.bubbles(of: "table").first?.stickers.map(\.picture.isHere) == [false]
        )
        var changed: [MessageID] = []
        host.stickerObserver = { changed += $1 }
        node.show(try Self.sticker())
        node.emit(.happened(.pictureArrived(conversation: "table", session: Self.session())))
        let target = try Self.id(1)
        #expect(changed == [target])
        #expect(
            try await host.bubbles(of: "table").first?.stickers.map(\.picture.isHere) == [true]
        )
    }

    @Test(arguments: [[-1, 0], [0, -1], [10_001, 0], [0, 10_001]])
    func positionsAreOnTheBubble(at position: [Int]) throws {
        #expect(Placement(on: try Self.id(1), x: position[0], y: position[1]) == nil)
    }

    /// Regression: a position a little outside of the bubble was rounded onto it.
    @Test(arguments: [(-0.00001, 0.5), (0.5, 1.00001), (.nan, 0), (0, .infinity)])
    func positionsOutsideAreNotRounded(_ horizontal: Double, _ vertical: Double) throws {
        let id = try Self.id(1)
        #expect(Placement(on: id, horizontal: horizontal, vertical: vertical) == nil)
        #expect(Placement(on: id, horizontal: 1, vertical: 0) != nil)
    }

    /// Regression: the text of a message ID could have a number that no message has.
    @Test func numbersOfMessagesEndWhereSequencesEnd() {
        let writer = String(repeating: "b", count: 32)
        let last = (UInt64(1) << 48) - 1
        #expect(MessageID("\(writer)-\(last)") != nil)
        #expect(MessageID("\(writer)-\(last + 1)") == nil)
    }
}
