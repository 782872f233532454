import Foundation
import Messages

/// The menu: what was said last, and the way to the other screens.
final class MenuScreen: UIViewController {
    private weak var app: MoodAndFood?

    init(_ app: MoodAndFood) {
        self.app = app
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var body: View {
        .column {
            View.row {
                View.text("How are you today?", style: .title)
                View.spacer
                View.button("Done") { self.app?.handle(.dismiss) }.id("done")
            }
            View.spacer
            View.grid(columns: 2) {
                View.button("Mood", action: { self.app?.handle(.openMood) }) {
                    if let picture = Mood.happy.icon { View.image(picture) }
                }
                View.button("Food", action: { self.app?.handle(.openFood) }) {
                    if let picture = Food.ramen.icon { View.image(picture) }
                }
            }.id("screens")
            if let latest = app?.latest, let speaker = app?.speaker {
                View.text(latest.sentence("$\(speaker.uuidString)") + ".", style: .caption)
                if !latest.note.isEmpty { View.text("“\(latest.note)”", style: .caption) }
            }
            View.spacer
        }
    }
}

/// The moods, in either style.
final class MoodScreen: UIViewController {
    private weak var app: MoodAndFood?
    /// The words that somebody is writing.
    var note = ""

    init(_ app: MoodAndFood) {
        self.app = app
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var body: View {
        .column {
            View.row {
                View.text("Your mood", style: .title)
                View.spacer
                View.button("Back") { self.app?.handle(.back) }.id("back")
            }
            if app?.isWaitingForSend == true { View.text("Press Send to tell the others.") }
            View.textField("Why? (a few words)", text: note, edited: { self.note = $0 })
                .id("note").accessibilityLabel("Why do you feel so?")
            View.spacer
            View.grid(columns: 3) {
                for mood in Mood.allCases {
                    View.button(mood.rawValue.capitalized) {
                        self.app?.choose(Choice(.mood(mood), note: self.note))
                    } label: {
                        if let picture = mood.icon { View.image(picture) }
                    }
                    .id(mood.rawValue)
                }
            }.id("moods")
            View.spacer
        }
    }
}

/// The dishes, which need the room of expanded style.
final class FoodScreen: UIViewController {
    private weak var app: MoodAndFood?
    private var wanted = ""

    init(_ app: MoodAndFood) {
        self.app = app
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    private var found: [Food] {
        let wanted = wanted.trimmingCharacters(in: .whitespaces).lowercased()
        guard !wanted.isEmpty else { return Food.allCases }
        return Food.allCases.filter { ($0.rawValue + $0.words).lowercased().contains(wanted) }
    }

    override var body: View {
        .column {
            View.row {
                View.text("What would you like?", style: .title)
                View.spacer
                View.button("Back") { self.app?.handle(.back) }.id("back")
            }
            if app?.isWaitingForSend == true { View.text("Press Send to tell the others.") }
            View.textField("Search", text: wanted, edited: { self.wanted = $0 })
                .id("search").accessibilityLabel("Search the dishes")
            if found.isEmpty { View.text("Nothing like that today.", style: .caption) }
            View.list {
                for food in found {
                    View.row {
                        if let picture = food.thumbnail {
                            View.image(picture)
                        }
                        View.column {
                            View.text(food.rawValue.capitalized, style: .headline)
                            View.text(food.words, style: .caption)
                        }
                        View.button("Choose") { self.app?.choose(Choice(.food(food))) }
                            .accessibilityLabel("Choose \(food.rawValue)")
                    }
                    .id(food.rawValue)
                }
            }.id("dishes")
        }
    }
}
