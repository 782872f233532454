public import Foundation
import Messages
public import ParleyNode

/// A sticker that somebody has placed on a message.
public struct PlacedSticker: Hashable, Sendable, Identifiable {
    /// The session of the sticker, which nobody but the sender can continue.
    public let id: SessionID
    /// The message that has the picture of the sticker.
    public let message: MessageID
    /// The participant who placed it.
    public let sender: Participant
    /// Whether the sender is this device, which alone can peel the sticker off.
    public let isMine: Bool
    /// The time of placing, by the sender's clock.
    public let sentAt: Date
    /// The text that a screen reader speaks.
    public let description: String
    /// The message that the sticker is on, and the position there.
    public let placement: Placement
    /// The picture, whose bytes may still be on their way to the node.
    public internal(set) var picture: PictureInfo
}

extension PlacedSticker {
    /// The most stickers on one message that are shown; the latest win.
    public static let countMax = 24

    /// The media types of stickers.
    private static let types = Set(StickerFile.formats.map(\.mediaType))

    /// Reads the sticker of a session.
    ///
    /// Only messages of the participant in the session's name count. The highest of these messages
    /// either places the sticker or peels it off.
    ///
    /// - Returns: nil if the session has no sticker, if the sticker was peeled off, or if the type
    ///   or size of its picture is not a sticker's.
    init?(_ session: SessionID, heads: [Message], me: UUID) {
        let own = heads.first { SessionMapping.isOwn(session, of: $0.sender.id) }
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
    /// Whether the entry is shown by itself, unlike stickers on messages and their summaries.
    package var isListed: Bool {
        switch self {
        case .message(let message): message.isListed
        case .summary(let summary):
            !SessionMapping.isOwn(summary.session, of: summary.sender.id)
        }
    }
}

extension Message {
    /// Whether the message is an entry of its own in a transcript.
    ///
    /// No entries are: placing or peeling off a sticker, additions to other sessions, and the rest
    /// of a message that was taken back.
    package var isListed: Bool {
        !SessionMapping.isOwn(session, of: sender.id)
            || !isEnd && content?.placement == nil && content?.addition == nil
    }

    /// Whether the message is what is left of a text or a file that its author took back.
    package var isTakenBack: Bool {
        let kinds: [String?] = [OutgoingMessage.textApp, OutgoingMessage.attachmentApp]
        return isEnd && !isListed && kinds.contains(content?.app)
    }
}
