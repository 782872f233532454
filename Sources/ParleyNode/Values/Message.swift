public import Foundation

/// The identity of a session: messages of one session replace one another.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// The UUID that apps see.
    public let uuid: UUID

    /// Makes the ID with the given UUID, or a new one.
    public init(_ uuid: UUID = UUID()) {
        self.uuid = uuid
    }

    /// The UUID in upper-case hexadecimal with hyphens.
    public var description: String { uuid.uuidString }
}

/// The identity of a message: 32 hexadecimal digits, a hyphen, and a decimal number.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The text form, which is the same on every node.
    public let description: String

    init(description: String) {
        self.description = description
    }
}

/// A device as the members of one conversation see it.
public struct Participant: Hashable, Sendable {
    /// A UUID that is the same on every node of the conversation and differs between conversations.
    public let id: UUID
    /// The device ID in its text form with check characters.
    public let device: String
    /// The name of the device for people, if this node knows it.
    public let name: String?

    package init(id: UUID, device: String, name: String?) {
        self.id = id
        self.device = device
        self.name = name
    }
}

/// A message: a head of its session.
public struct Message: Hashable, Sendable {
    /// The session of the message.
    public let session: SessionID
    /// The identity of the message.
    public let id: MessageID
    /// The revision: 1 for the first message of a session, and one more for each replacement.
    public let revision: UInt64
    /// The participant who wrote the message.
    public let sender: Participant
    /// The time of sending by the sender's clock; for display only.
    public let sentAt: Date
    /// The content; nil if this node cannot open the message.
    public let content: MessageContent?
    /// The participants who may replace the message; empty means anybody.
    public let next: [UUID]
    /// Whether the session has other heads beside this one.
    public let isConflict: Bool
    /// Whether the message ends its session.
    public let isEnd: Bool
    /// The picture of the layout.
    public let picture: PictureInfo?

    package init(
        session: SessionID,
        id: MessageID,
        revision: UInt64,
        sender: Participant,
        sentAt: Date,
        content: MessageContent?,
        next: [UUID] = [],
        isConflict: Bool = false,
        isEnd: Bool = false,
        picture: PictureInfo? = nil
    ) {
        self.session = session
        self.id = id
        self.revision = revision
        self.sender = sender
        self.sentAt = sentAt
        self.content = content
        self.next = next
        self.isConflict = isConflict
        self.isEnd = isEnd
        self.picture = picture
    }
}

/// The content of a message: the app's data and the layout.
public struct MessageContent: Hashable, Sendable {
    /// The app's data, at most 5,000 characters, which are transmitted unchanged.
    public var url: String?
    /// The app that interprets the URL, as a reverse domain name.
    public var app: String?
    /// The summary that stays in the transcript when the message is replaced; at most 256 bytes.
    public var summaryText: String?
    /// The text for screen readers.
    public var accessibilityLabel: String?
    /// Whether the message should disappear after it was read.
    public var shouldExpire = false
    /// The layout.
    public var layout: ContentLayout?
    /// Where the picture is placed, if this is a sticker on another message.
    public var placement: Placement?

    /// Makes an empty content.
    public init() {}
}

/// The layout of the standard bubble.
public struct ContentLayout: Hashable, Sendable {
    /// The first line under the picture.
    public var caption: String?
    /// The second line.
    public var subcaption: String?
    /// The text at the right end of the first line.
    public var trailingCaption: String?
    /// The text at the right end of the second line.
    public var trailingSubcaption: String?
    /// The title over the picture.
    public var imageTitle: String?
    /// The subtitle over the picture, below the title.
    public var imageSubtitle: String?
    /// Whether the app draws the bubble itself; in that case this layout is the fallback for
    /// devices without the app.
    public var isLive = false

    /// Makes a layout without text.
    public init() {}
}

/// A picture to send.
public struct Picture: Hashable, Sendable {
    /// The media type, such as `image/png`.
    public var type: String
    /// The bytes of the file, at most 4 MiB less 28 bytes.
    public var bytes: Data

    /// Makes a picture.
    public init(type: String, bytes: Data) {
        self.type = type
        self.bytes = bytes
    }
}

/// The picture of a message as the message describes it.
public struct PictureInfo: Hashable, Sendable {
    /// SHA-256 of the bytes, 64 hexadecimal digits.
    public let sha256: String
    /// The media type.
    public let type: String
    /// The length in bytes.
    public let bytes: Int
    /// Whether this node has the bytes.
    public let isHere: Bool

    package init(sha256: String, type: String, bytes: Int, isHere: Bool) {
        self.sha256 = sha256
        self.type = type
        self.bytes = bytes
        self.isHere = isHere
    }
}
