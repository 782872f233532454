public import Foundation

/// The content of a message: the app's data and the layout.
public struct MessageContent: Hashable, Sendable, Codable {
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
    /// The state of the game, if this is a message of a turn game.
    public var match: Match?
    /// What the message adds to another session; its own session follows from that.
    public var addition: Addition?
    /// The whole text if the caption holds only its beginning; at most 40,000 bytes.
    public var text: String?
    /// The session that the message replies to.
    public var reply: SessionID?
    /// The file that the author offers, which only `Node.offerFile` sends.
    public package(set) var file: FileInfo?

    private enum CodingKeys: CodingKey {
        case url, app, summaryText, accessibilityLabel, layout, placement, match, addition, text
        case reply, file
    }

    /// The app name of files, which are messages of no app.
    package static let attachmentApp = "parley.attachment"

    /// Makes an empty content.
    public init() {}
}

/// The layout of the standard bubble.
public struct ContentLayout: Hashable, Sendable, Codable {
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
    /// The picture of a message that has been sent.
    package var image: PictureInfo?
    private var live: Bool?

    /// Whether the app draws the bubble itself; in that case this layout is the fallback for
    /// devices without the app.
    public var isLive: Bool {
        get { live ?? false }
        set { live = newValue ? true : nil }
    }

    /// Makes a layout without text.
    public init() {}
}

extension ContentLayout {
    /// The texts, by their names in JSON.
    package static let texts: [(name: String, path: TextPath)] = [
        ("caption", \.caption), ("subcaption", \.subcaption),
        ("trailingCaption", \.trailingCaption), ("trailingSubcaption", \.trailingSubcaption),
        ("imageTitle", \.imageTitle), ("imageSubtitle", \.imageSubtitle),
    ]

    package typealias TextPath = any WritableKeyPath<ContentLayout, String?> & Sendable

    /// The texts that are there.
    package var texts: [String] { Self.texts.compactMap { self[keyPath: $0.path] } }

    /// The layout with each text changed.
    package func mapTexts(_ change: (String) -> String) -> ContentLayout {
        var layout = self
        for (_, path) in Self.texts { layout[keyPath: path] = self[keyPath: path].map(change) }
        return layout
    }
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
public struct PictureInfo: Hashable, Sendable, Codable {
    /// SHA-256 of the bytes, 64 hexadecimal digits.
    public let sha256: String
    /// The media type.
    public let type: String
    /// The length in bytes.
    public let bytes: Int
    /// Whether this node has the bytes.
    public let isHere: Bool

    private enum CodingKeys: String, CodingKey {
        case sha256, type, bytes
        case isHere = "here"
    }

    package init(sha256: String, type: String, bytes: Int, isHere: Bool) {
        self.sha256 = sha256
        self.type = type
        self.bytes = bytes
        self.isHere = isHere
    }
}
