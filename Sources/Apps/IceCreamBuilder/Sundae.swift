import Foundation
import Messages

/// A sundae as far as it is built: a base, then scoops, then a topping.
struct Sundae: Hashable {
    var base: Base?
    var scoops: Scoops?
    var topping: Topping?

    /// The kinds of parts, in the order in which they are chosen.
    enum Step: String, CaseIterable {
        case base = "Base"
        case scoops = "Scoops"
        case topping = "Topping"

        /// The invitation to choose this part.
        var invitation: String {
            switch self {
            case .base: "Choose a base"
            case .scoops: "Choose the scoops"
            case .topping: "Choose a topping"
            }
        }

        /// The sundaes that `sundae` can become by this step.
        func choices(for sundae: Sundae) -> [Sundae] {
            switch self {
            case .base: Base.allCases.map { Sundae(base: $0) }
            case .scoops: Scoops.allCases.map { Sundae(base: sundae.base, scoops: $0) }
            case .topping:
                Topping.allCases.map {
                    Sundae(base: sundae.base, scoops: sundae.scoops, topping: $0)
                }
            }
        }
    }

    /// The part to choose next; nil if the sundae is finished.
    var nextStep: Step? {
        if base == nil { return .base }
        if scoops == nil { return .scoops }
        return topping == nil ? .topping : nil
    }

    var isFinished: Bool { nextStep == nil }

    /// The names of the parts that are chosen, for example "Waffle bowl".
    var parts: [String] { [base?.name, scoops?.name, topping?.name].compactMap(\.self) }

    /// The parts in a sentence, for a screen reader.
    var spoken: String {
        parts.isEmpty ? "Nothing yet" : parts.joined(separator: ", ")
    }
}

// MARK: In a message

extension Sundae {
    /// The parts as they stand in a URL: `?Base=cone&Scoops=forest`.
    var queryItems: [URLQueryItem] {
        let values = [base?.rawValue, scoops?.rawValue, topping?.rawValue]
        return zip(Step.allCases, values).compactMap { step, value in
            value.map { URLQueryItem(name: step.rawValue, value: $0) }
        }
    }

    /// Reads the parts of a URL; nil without parts, or with an unknown part or one before its turn.
    init?(queryItems: [URLQueryItem]) {
        for item in queryItems {
            let value = item.value ?? ""
            switch Step(rawValue: item.name) {
            case .base: base = Base(rawValue: value)
            case .scoops: scoops = Scoops(rawValue: value)
            case .topping: topping = Topping(rawValue: value)
            case nil: continue
            }
        }
        let named = queryItems.filter { Step(rawValue: $0.name) != nil }
        guard !named.isEmpty, self.queryItems.count == named.count,
            scoops == nil || base != nil, topping == nil || scoops != nil
        else { return nil }
    }

    /// Reads the sundae of a message; nil if the message holds none that this app knows.
    init?(message: MSMessage?) {
        guard let url = message?.url,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        self.init(queryItems: items)
    }

    /// Makes a message: the parts in the URL, and a layout for people without the app.
    func message(in session: MSSession, from sender: UUID) -> MSMessage {
        var components = URLComponents()
        components.queryItems = queryItems
        let added = parts.last ?? ""

        let layout = MSMessageTemplateLayout()
        layout.image = picture
        layout.caption = nextStep?.invitation ?? "A sundae is ready!"
        layout.subcaption = "$\(sender.uuidString) added: \(added)"
        layout.trailingSubcaption = "\(parts.count) of \(Step.allCases.count)"

        let message = MSMessage(session: session)
        message.url = components.url
        message.layout = layout
        message.summaryText = "$\(sender.uuidString) added: \(added)"
        message.accessibilityLabel =
            (isFinished ? "A finished sundae: " : "A sundae to build on: ") + spoken
        return message
    }
}
