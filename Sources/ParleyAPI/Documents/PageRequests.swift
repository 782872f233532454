/// A link that opens the page in one browser, once.
package struct PageLinkDocument: Codable, Hashable, Sendable {
    package var link: String

    package init(link: String) {
        self.link = link
    }
}

/// The text of a QR code that a page wants to show.
package struct CodeRequest: Codable, Hashable, Sendable {
    package var text: String
}
