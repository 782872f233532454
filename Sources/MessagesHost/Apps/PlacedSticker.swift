public import Foundation
import Messages
public import ParleyNode

/// A sticker that somebody has placed on a message.
public struct PlacedSticker: Hashable, Sendable, Identifiable {
    /// The session of the sticker, which only who placed it continues.
    public let id: SessionID
    /// The message that has the picture of the sticker.
    public let message: MessageID
    /// The participant who placed it.
    public let sender: Participant
    /// Whether this device placed it, and can peel it off.
    public let isMine: Bool
    /// The time by the clock of who placed it.
    public let sentAt: Date
    /// The text that a screen reader speaks.
    public let description: String
    /// The message that the sticker is on, and the position there.
    public let placement: Placement
    /// The picture, whose bytes may still be on their way to the node.
    public internal(set) var picture: PictureInfo
}

extension PlacedSticker {
    /// The most stickers that are shown on one message: the latest ones.
    public static let countMax = 24

    /// The media types of stickers.
    private static let types = Set(StickerFile.formats.map(\.mediaType))

    /// Reads the sticker that a session consists of.
    ///
    /// Only messages of the participant whom the session names count, whatever others have written
    /// there: the highest of them is a placement, or the end of it.
    ///
    /// - Returns: nil if the session is not one of a sticker, if the sticker was peeled off, or if
    ///   its picture is of a kind or size that a sticker cannot have.
    init?(_ session: SessionID, heads: [Message], me: UUID) {
        let own = heads.first { SessionMapping.isSticker(session, of: $0.sender.id) }
        guard let own, !own.isEnd, let content = own.content, let placement = content.placement,
            let picture = own.picture, Self.types.contains(picture.type.lowercased()),
            picture.bytes <= StickerFile.bytesMax
        else { return nil }
        self.init(
            id: session,
            message: own.id,
            sender: own.sender,
            isMine: own.sender.id == me,
            sentAt: own.sentAt,
            description: content.accessibilityLabel ?? "Sticker",
            placement: placement,
            picture: picture
        )
    }
}

extension TranscriptEntry {
    /// Whether the entry is shown by itself: stickers on messages are not, nor is what is left of
    /// them.
    package var isListed: Bool {
        switch self {
        case .message(let message): message.isListed
        case .summary(let summary):
            !SessionMapping.isSticker(summary.session, of: summary.sender.id)
        }
    }
}

extension Message {
    /// Whether the message is an entry of its own in a transcript: one that puts a sticker on
    /// another message, or peels it off, is not.
    package var isListed: Bool {
        !SessionMapping.isSticker(session, of: sender.id)
            || !isEnd && content?.placement == nil
    }
}
