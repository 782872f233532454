import Foundation

/// Everything that an app puts into a message, as a value that may cross threads.
package struct MessageContents: Hashable, Codable, Sendable {
    /// The session, or nil if the message belongs to none.
    package var session: UUID?
    /// The URL byte for byte; empty for the URL of empty `URLComponents`.
    package var urlString: String?
    package var layout: LayoutContents?
    package var summaryText: String?
    package var accessibilityLabel: String?
    package var shouldExpire = false

    package init() {}

    /// The current contents of `message`.
    package init(_ message: MSMessage) {
        session = message.session?.identifier
        urlString = message.url?.absoluteString
        layout = message.layout.flatMap(LayoutContents.init)
        summaryText = message.summaryText
        accessibilityLabel = message.accessibilityLabel
        shouldExpire = message.shouldExpire
    }

    /// The URL of `urlString`, or nil if `urlString` is nil or is not exactly the text of a URL.
    package var url: URL? { urlString.flatMap(Self.url) }

    /// Whether a message can carry all of these contents: `urlString` is nil or a URL.
    package var isWhole: Bool { urlString == nil || url != nil }

    /// The URL whose absolute string is exactly `text`, or nil; Foundation's repairs are not
    /// accepted.
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
    /// The app draws the message; where the app is missing, the alternate is shown.
    case live(alternate: TemplateContents)

    /// Returns nil if `layout` is neither a template nor a live layout.
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

    /// The template that is shown where the app does not draw the message.
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
    /// The picture; if there is one, `mediaFileURL` is ignored.
    package var image: EncodedImage?
    /// A file on this machine.
    package var mediaFileURL: URL?

    package init() {}

    /// The current values of `layout`.
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
