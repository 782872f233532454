import Foundation
import Messages

/// A mood or a dish that somebody has chosen, as a message carries it.
struct Choice: Equatable {
    enum Thing: Equatable {
        case mood(Mood)
        case food(Food)
    }

    var thing: Thing
    var note = ""

    /// The longest note, in characters.
    static let noteMax = 120

    init(_ thing: Thing, note: String = "") {
        self.thing = thing
        self.note = Self.tidy(note)
    }

    /// A note, trimmed and cut to the longest length.
    static func tidy(_ note: String) -> String {
        String(note.trimmingCharacters(in: .whitespacesAndNewlines).prefix(noteMax))
    }

    var picture: UIImage? {
        switch thing {
        case .mood(let mood): mood.picture
        case .food(let food): food.picture
        }
    }

    /// The choice in a sentence, about `subject`.
    func sentence(_ subject: String) -> String {
        switch thing {
        case .mood(let mood): "\(subject) feels \(mood.rawValue)"
        case .food(let food): "\(subject) would like \(food.rawValue)"
        }
    }
}

// MARK: In a message

extension Choice {
    /// Reads the choice from a message; nil if the message has no known choice.
    init?(message: MSMessage?) {
        guard let url = message?.url,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        let note = value("Note") ?? ""
        if let mood = value("Mood").flatMap(Mood.init(rawValue:)) {
            self.init(.mood(mood), note: note)
        } else if let food = value("Food").flatMap(Food.init(rawValue:)) {
            self.init(.food(food), note: note)
        } else {
            return nil
        }
    }

    /// Makes a message: the choice in the URL, and a layout for people without the app.
    func message(in session: MSSession, from sender: UUID) -> MSMessage {
        var components = URLComponents()
        switch thing {
        case .mood(let mood): components.queryItems = [.init(name: "Mood", value: mood.rawValue)]
        case .food(let food): components.queryItems = [.init(name: "Food", value: food.rawValue)]
        }
        if !note.isEmpty { components.queryItems?.append(.init(name: "Note", value: note)) }

        let layout = MSMessageTemplateLayout()
        layout.image = picture
        layout.caption = sentence("$\(sender.uuidString)")
        layout.subcaption = note.isEmpty ? nil : note

        let message = MSMessage(session: session)
        message.url = components.url
        message.layout = layout
        message.summaryText = sentence("$\(sender.uuidString)")
        message.accessibilityLabel = sentence("Somebody") + (note.isEmpty ? "" : ": \(note)")
        return message
    }
}
