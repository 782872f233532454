public import Foundation

/// The identity of a session: messages of one session replace one another.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// The UUID that apps see.
    public let uuid: UUID

    /// The session with that UUID; a new one without an argument.
    public init(_ uuid: UUID = UUID()) {
        self.uuid = uuid
    }

    /// Upper-case hexadecimal with hyphens.
    public var description: String { uuid.uuidString }
}

/// The unique name of one message: 32 hexadecimal digits, a hyphen, a decimal number.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The text form, which is the same on every node.
    public let description: String

    init(description: String) {
        self.description = description
    }
}

/// A device as the members of one conversation see it.
public struct Participant: Hashable, Sendable {
    /// The same on every node of the conversation, another one in every other conversation.
    public let id: UUID
    /// The device ID in its text form with check characters.
    public let device: String
    /// What people call the device, if this node has heard.
    public let name: String?

    package init(id: UUID, device: String, name: String?) {
        self.id = id
        self.device = device
        self.name = name
    }
}

/// A message that is shown, or was.
public struct Message: Hashable, Sendable {
    /// The session it belongs to.
    public let session: SessionID
    /// Its own name.
    public let id: MessageID
    /// 1 for the first message of a session; each replacement is one higher.
    public let revision: UInt64
    /// Who wrote it.
    public let sender: Participant
    /// By the sender's clock; for display only.
    public let sentAt: Date
    /// What an app and a person see; nil when it cannot be opened here.
    public let content: MessageContent?
    /// Who may replace it; empty: anybody.
    public let next: [UUID]
    /// Whether the session has other heads beside this one.
    public let isConflict: Bool
    /// Whether it ends its session.
    public let isEnd: Bool
    /// The picture of its layout.
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

/// What a message says: the app's data and the layout.
public struct MessageContent: Hashable, Sendable {
    /// The app's data, byte for byte as it was given; at most 5,000 characters.
    public var url: String?
    /// The app that understands the URL, as a reverse domain name.
    public var app: String?
    /// The line that stays when the message is replaced; at most 256 bytes.
    public var summaryText: String?
    /// What a screen reader says.
    public var accessibilityLabel: String?
    /// Whether the message should vanish after it was read.
    public var shouldExpire = false
    /// How it looks.
    public var layout: Layout?

    /// A message without anything in it.
    public init() {}
}

/// The standard bubble.
public struct Layout: Hashable, Sendable {
    /// The first line under the picture.
    public var caption: String?
    /// The second line.
    public var subcaption: String?
    /// At the right end of the first line.
    public var trailingCaption: String?
    /// At the right end of the second line.
    public var trailingSubcaption: String?
    /// Over the picture.
    public var imageTitle: String?
    /// Over the picture, below the title.
    public var imageSubtitle: String?
    /// Whether the app draws the bubble itself; this layout is then for those without the app.
    public var isLive = false

    /// A bubble without text.
    public init() {}
}

/// A picture to send.
public struct Picture: Hashable, Sendable {
    /// The media type, such as `image/png`.
    public var type: String
    /// The file as it is; at most 4 MiB less 28 bytes.
    public var bytes: Data

    /// A picture of that media type.
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
    /// The length.
    public let bytes: Int
    /// Whether the bytes are on this node.
    public let isHere: Bool

    package init(sha256: String, type: String, bytes: Int, isHere: Bool) {
        self.sha256 = sha256
        self.type = type
        self.bytes = bytes
        self.isHere = isHere
    }
}
