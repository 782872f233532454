import Messages
import UIKit

enum Flavour: String, CaseIterable {
    case vanilla, walnut, sorrel

    var price: Decimal {
        switch self {
        case .vanilla: return 2
        case .walnut: return Decimal(string: "2.50") ?? 0
        case .sorrel: return 3
        }
    }

    var image: UIImage? {
        if self == .sorrel { return UIImage(named: rawValue) }
        let start = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 30 40'>"
        let svg = start + "<title>\(rawValue)</title></svg>"
        return UIImage(data: Data(svg.utf8))
    }
}

/// A wish of a customer, with a web page for people without the app.
struct Order {
    let flavour: Flavour
    let scoops: Int

    init(flavour: Flavour, scoops: Int) {
        self.flavour = flavour
        self.scoops = scoops
    }

    init?(_ message: MSMessage) {
        guard
            let url = message.url,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems,
            let flavour = items.first(where: { $0.name == "flavour" })?.value.flatMap(Flavour.init),
            let scoops = items.first(where: { $0.name == "scoops" })?.value.flatMap({ Int($0) })
        else { return nil }
        self.init(flavour: flavour, scoops: scoops)
    }

    func compose(with session: MSSession?) -> MSMessage {
        var components = URLComponents(string: "www.parlour.example/order")
        components?.queryItems = [
            URLQueryItem(name: "flavour", value: flavour.rawValue),
            URLQueryItem(name: "scoops", value: "\(scoops)"),
        ]
        let layout = MSMessageTemplateLayout()
        layout.image = flavour.image
        layout.caption = flavour.rawValue.capitalized
        layout.subcaption = "\(flavour.price * Decimal(scoops))"
        let message = MSMessage(session: session ?? MSSession())
        message.url = components?.url
        message.layout = layout
        message.summaryText = "\(scoops) × \(flavour.rawValue)"
        message.accessibilityLabel = message.summaryText
        return message
    }
}
