import Foundation

/// All that an app puts into a message, as a value that may cross threads.
package struct MessageContents: Hashable, Codable, Sendable {
    /// The session, or nil outside of any.
    package var session: UUID?
    /// The URL byte for byte; empty for the URL of empty `URLComponents`.
    package var urlString: String?
    package var layout: LayoutContents?
    package var summaryText: String?
    package var accessibilityLabel: String?
    package var shouldExpire = false

    package init() {}

    /// What `message` holds now.
    package init(_ message: MSMessage) {
        session = message.session?.identifier
        urlString = message.url?.absoluteString
        layout = message.layout.flatMap(LayoutContents.init)
        summaryText = message.summaryText
        accessibilityLabel = message.accessibilityLabel
        shouldExpire = message.shouldExpire
    }

    /// The URL of `urlString`, or nil if there is none or no URL reads exactly so.
    package var url: URL? { urlString.flatMap(Self.url) }

    /// Whether a message made of this has all of it: `urlString`, if there is one, is a URL.
    package var isWhole: Bool { urlString == nil || url != nil }

    /// The URL that reads exactly as `text`, or nil: nothing is repaired on the way.
    package static func url(_ text: String) -> URL? {
        let url = text.isEmpty ? URLComponents().url : URL(string: text)
        return url?.absoluteString == text ? url : nil
    }

    /// Refuses a URL of more than `charactersMax` characters as Apple does.
    /// - Throws: an error of `MSMessagesErrorDomain` with the code `urlExceedsMaxSize`.
    package func checkURL(charactersMax: Int = Self.urlCharactersMax) throws(MessagesFailure) {
        guard let count = urlString?.count, count > charactersMax else { return }
        throw MessagesFailure(
            .urlExceedsMaxSize,
            "The URL has \(count) characters, at most \(charactersMax) are possible."
        )
    }

    /// The longest URL, in characters, that Apple's framework sends.
    package static let urlCharactersMax = 5_000
}

/// A layout as a value.
package enum LayoutContents: Hashable, Codable, Sendable {
    case template(TemplateContents)
    /// Drawn by the app; the alternate stands in where the app is missing.
    case live(alternate: TemplateContents)

    /// Nil for a layout of no kind that is known.
    package init?(_ layout: MSMessageLayout) {
        switch layout {
        case let layout as MSMessageTemplateLayout: self = .template(TemplateContents(layout))
        case let layout as MSMessageLiveLayout:
            self = .live(alternate: TemplateContents(layout.alternateLayout))
        default: return nil
        }
    }

    /// A layout object with these values.
    package func makeLayout() -> MSMessageLayout {
        switch self {
        case .template(let contents): contents.makeLayout()
        case .live(let alternate): MSMessageLiveLayout(alternateLayout: alternate.makeLayout())
        }
    }

    /// What is drawn where the app is not.
    package var template: TemplateContents {
        switch self {
        case .template(let contents), .live(let contents): contents
        }
    }
}

/// A template layout as a value.
package struct TemplateContents: Hashable, Codable, Sendable {
    package var caption: String?
    package var subcaption: String?
    package var trailingCaption: String?
    package var trailingSubcaption: String?
    package var imageTitle: String?
    package var imageSubtitle: String?
    /// The picture, which wins over `mediaFileURL`.
    package var image: EncodedImage?
    /// A file on this machine.
    package var mediaFileURL: URL?

    package init() {}

    /// What `layout` holds now.
    package init(_ layout: MSMessageTemplateLayout) {
        caption = layout.caption
        subcaption = layout.subcaption
        trailingCaption = layout.trailingCaption
        trailingSubcaption = layout.trailingSubcaption
        imageTitle = layout.imageTitle
        imageSubtitle = layout.imageSubtitle
        image = layout.image?.encoded
        mediaFileURL = layout.mediaFileURL
    }

    /// A layout object with these values.
    package func makeLayout() -> MSMessageTemplateLayout {
        let layout = MSMessageTemplateLayout()
        layout.caption = caption
        layout.subcaption = subcaption
        layout.trailingCaption = trailingCaption
        layout.trailingSubcaption = trailingSubcaption
        layout.imageTitle = imageTitle
        layout.imageSubtitle = imageSubtitle
        layout.image = image.map(UIImage.init)
        layout.mediaFileURL = mediaFileURL
        return layout
    }
}
