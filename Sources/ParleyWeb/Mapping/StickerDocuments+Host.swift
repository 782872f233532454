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

extension Placement {
    /// The placement that a request asks for.
    ///
    /// - Throws: a `Problem` if the position is not on the bubble or the message ID is malformed.
    init(_ document: PlaceDocument) throws {
        guard let message = MessageID(document.message) else {
            throw Problem.badInput("\(document.message.quoted) is not the ID of a message.")
        }
        let (x, y) = (document.x, document.y)
        guard let placement = Placement(on: message, horizontal: x, vertical: y) else {
            throw Problem.badInput("x and y are numbers from 0 to 1.")
        }
        self = placement
    }
}
