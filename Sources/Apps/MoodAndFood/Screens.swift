import Foundation
import Messages

/// The menu: the latest choice, and the way to the other screens.
final class MenuScreen: UIViewController {
    private weak var app: MoodAndFood?

    init(_ app: MoodAndFood) {
        self.app = app
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var body: ParleyView {
        .column {
            ParleyView.row {
                ParleyView.text("How are you today?", style: .title)
                ParleyView.spacer
                ParleyView.button("Done") { self.app?.handle(.dismiss) }.id("done")
            }
            ParleyView.spacer
            ParleyView.grid(columns: 2) {
                ParleyView.button("Mood", action: { self.app?.handle(.openMood) }) {
                    if let picture = Mood.happy.icon { ParleyView.image(picture) }
                }
                ParleyView.button("Food", action: { self.app?.handle(.openFood) }) {
                    if let picture = Food.ramen.icon { ParleyView.image(picture) }
                }
            }.id("screens")
            if let latest = app?.latest, let speaker = app?.speaker {
                ParleyView.text(latest.sentence("$\(speaker.uuidString)") + ".", style: .caption)
                if !latest.note.isEmpty { ParleyView.text("“\(latest.note)”", style: .caption) }
            }
            ParleyView.spacer
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

    override var body: ParleyView {
        .column {
            ParleyView.row {
                ParleyView.text("Your mood", style: .title)
                ParleyView.spacer
                ParleyView.button("Back") { self.app?.handle(.back) }.id("back")
            }
            if app?.isWaitingForSend == true { ParleyView.text("Press Send to tell the others.") }
            ParleyView.textField("Why? (a few words)", text: note, edited: { self.note = $0 })
                .id("note").accessibilityLabel("Why do you feel so?")
            ParleyView.spacer
            ParleyView.grid(columns: 3) {
                for mood in Mood.allCases {
                    ParleyView.button(mood.rawValue.capitalized) {
                        self.app?.choose(Choice(.mood(mood), note: self.note))
                    } label: {
                        if let picture = mood.icon { ParleyView.image(picture) }
                    }
                    .id(mood.rawValue)
                }
            }.id("moods")
            ParleyView.spacer
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

    override var body: ParleyView {
        .column {
            ParleyView.row {
                ParleyView.text("What would you like?", style: .title)
                ParleyView.spacer
                ParleyView.button("Back") { self.app?.handle(.back) }.id("back")
            }
            if app?.isWaitingForSend == true { ParleyView.text("Press Send to tell the others.") }
            ParleyView.textField("Search", text: wanted, edited: { self.wanted = $0 })
                .id("search").accessibilityLabel("Search the dishes")
            if found.isEmpty { ParleyView.text("Nothing like that today.", style: .caption) }
            ParleyView.list {
                for food in found {
                    ParleyView.row {
                        if let picture = food.thumbnail {
                            ParleyView.image(picture)
                        }
                        ParleyView.column {
                            ParleyView.text(food.rawValue.capitalized, style: .headline)
                            ParleyView.text(food.words, style: .caption)
                        }
                        ParleyView.button("Choose") { self.app?.choose(Choice(.food(food))) }
                            .accessibilityLabel("Choose \(food.rawValue)")
                    }
                    .id(food.rawValue)
                }
            }.id("dishes")
        }
    }
}
