import Foundation
import MessagesHost
import ParleyAPI
import ParleyNode

extension StickerDocument {
    /// Makes the document of a sticker whose picture is at that path.
    init(_ sticker: PlacedSticker, src: String) {
        self.init(
            id: sticker.id.description,
            src: src,
            description: sticker.description,
            x: sticker.placement.horizontal,
            y: sticker.placement.vertical,
            mine: sticker.isMine ? true : nil
        )
    }
}

extension StagedStickerDocument {
    /// Makes the document of a sticker in the input field of `panel`.
    @MainActor
    init(_ sticker: StagedSticker, in panel: AppPanel) {
        self.init(
            id: sticker.id.description,
            src: PicturePath(panel).sticker(sticker.id),
            description: sticker.description
        )
    }
}

extension PlacementDocument {
    init(_ placement: Placement) {
        self.init(
            message: placement.message.description,
            x: placement.horizontal,
            y: placement.vertical
        )
    }
}

extension Placement {
    /// The position from the left edge of the bubble (0) to the right one (1).
    var horizontal: Double { Double(x) / Double(Self.unit) }

    /// The position from the upper edge of the bubble (0) to the lower one (1).
    var vertical: Double { Double(y) / Double(Self.unit) }

    /// The placement that a request asks for.
    ///
    /// - Throws: a `Problem` if the position is not on the bubble or the message ID is malformed.
    init(_ document: PlaceDocument) throws {
        guard let message = MessageID(document.message) else {
            throw Problem.badInput("\(document.message.quoted) is not the ID of a message.")
        }
        let whole = 0.0...1.0
        guard whole.contains(document.x), whole.contains(document.y) else {
            throw Problem.badInput("x and y are numbers from 0 to 1.")
        }
        let parts = [document.x, document.y].map { Int(($0 * Double(Self.unit)).rounded()) }
        guard let placement = Placement(on: message, x: parts[0], y: parts[1]) else {
            throw Problem.badInput("x and y are numbers from 0 to 1.")
        }
        self = placement
    }
}
