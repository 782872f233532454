import Foundation
import Messages
import SampleIconCatalogue

/// An item as a message carries it: in the URL of a web page, for people without the app.
struct Offer: Equatable {
    let id: String
    let name: String
    let words: String
    /// The picture; nil for an item of another edition of the store.
    var picture: UIImage?

    private static let page = "https://example.com/icons"
    /// The longest text that is taken from a URL, in characters.
    private static let textMax = 200
}

// MARK: In a message

extension Offer {
    init(_ item: Item) {
        self.init(
            id: item.id,
            name: item.name,
            words: item.words,
            picture: UIImage(data: Data(item.svg(side: 260).utf8))
        )
    }

    /// Reads the offer of a message; nil if the message holds none.
    ///
    /// An item that this catalogue has is taken from there; any other item of the store is shown
    /// with the texts of the URL and the picture of the message.
    init?(message: MSMessage?) {
        guard let url = message?.url, url.absoluteString.hasPrefix(Self.page + "?"),
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        func text(_ name: String) -> String {
            String((items.first { $0.name == name }?.value ?? "").prefix(Self.textMax))
        }
        guard !text("Item").isEmpty else { return nil }
        if let item = Catalogue.item(text("Item")) {
            self.init(item)
            return
        }
        guard !text("Name").isEmpty else { return nil }
        self.init(
            id: text("Item"),
            name: text("Name"),
            words: text("Words"),
            picture: (message?.layout as? MSMessageTemplateLayout)?.image
        )
    }

    /// Makes a message: a web page as the URL, and a layout for people without the app.
    func message(in session: MSSession) -> MSMessage {
        var components = URLComponents(string: Self.page)
        components?.queryItems = [
            URLQueryItem(name: "Item", value: id), URLQueryItem(name: "Name", value: name),
            URLQueryItem(name: "Words", value: words),
        ]
        let layout = MSMessageTemplateLayout()
        // A card has round corners of its own.
        let square = Catalogue.item(id).map { Data($0.svg(side: 300, isRound: false).utf8) }
        layout.image = square.flatMap(UIImage.init(data:)) ?? picture
        layout.caption = name
        layout.subcaption = words

        let message = MSMessage(session: session)
        message.url = components?.url
        message.layout = layout
        message.summaryText = name
        message.accessibilityLabel = "From the icon store: \(name)"
        return message
    }
}
