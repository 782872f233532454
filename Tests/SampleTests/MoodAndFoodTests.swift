import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleMoodAndFood
import Testing

/// The navigation table of the sample, driven through the app, and what it sends.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MoodAndFoodTests {
    /// A screen with the style in which it is shown.
    struct Place: Equatable, CustomStringConvertible, Sendable {
        var screen: String
        var style: AppStyle?

        var description: String { "\(screen) \(style.map { "\($0)" } ?? "closed")" }

        static let compactMenu = Place(screen: "How are you today?", style: .compact)
        static let expandedMenu = Place(screen: "How are you today?", style: .expanded)
        static let food = Place(screen: "What would you like?", style: .expanded)
        static let compactMood = Place(screen: "Your mood", style: .compact)
        static let expandedMood = Place(screen: "Your mood", style: .expanded)
        static let closed = Place(screen: "", style: nil)
    }

    enum Event: String, Sendable {
        case expand, collapse
        case food = "Food"
        case mood = "Mood"
        case back = "Back"
        case done = "Done"
    }

    /// One way through the app: where it was opened, what was done, and where that led.
    struct Row: Sendable, CustomStringConvertible {
        var style: AppStyle
        var events: [Event]
        var end: Place

        init(_ style: AppStyle, _ events: Event..., leadTo end: Place) {
            self.style = style
            self.events = events
            self.end = end
        }

        var description: String {
            "\(style), \(events.map(\.rawValue).joined(separator: ", ")): \(end)"
        }
    }

    nonisolated static let table = [
        Row(.compact, leadTo: .compactMenu),
        Row(.compact, .collapse, leadTo: .compactMenu),
        Row(.compact, .expand, leadTo: .expandedMenu),
        Row(.expanded, leadTo: .expandedMenu),
        Row(.expanded, .expand, leadTo: .expandedMenu),
        Row(.expanded, .collapse, leadTo: .compactMenu),
        // Food needs expanded style; going back undoes that, and collapsing leaves it.
        Row(.compact, .food, leadTo: .food),
        Row(.compact, .food, .expand, leadTo: .food),
        Row(.compact, .food, .back, leadTo: .compactMenu),
        Row(.compact, .food, .collapse, leadTo: .compactMenu),
        Row(.compact, .food, .collapse, .expand, leadTo: .expandedMenu),
        Row(.expanded, .food, leadTo: .food),
        Row(.expanded, .food, .expand, leadTo: .food),
        Row(.expanded, .food, .back, leadTo: .expandedMenu),
        Row(.expanded, .food, .collapse, leadTo: .compactMenu),
        // Mood takes either style, and going back keeps the present one.
        Row(.compact, .mood, leadTo: .compactMood),
        Row(.compact, .mood, .collapse, leadTo: .compactMood),
        Row(.compact, .mood, .back, leadTo: .compactMenu),
        Row(.compact, .mood, .expand, leadTo: .expandedMood),
        Row(.compact, .mood, .expand, .back, leadTo: .expandedMenu),
        Row(.expanded, .mood, leadTo: .expandedMood),
        Row(.expanded, .mood, .expand, leadTo: .expandedMood),
        Row(.expanded, .mood, .back, leadTo: .expandedMenu),
        Row(.expanded, .mood, .collapse, leadTo: .compactMood),
        Row(.expanded, .mood, .collapse, .back, leadTo: .compactMenu),
        Row(.compact, .done, leadTo: .closed),
        Row(.expanded, .done, leadTo: .closed),
        Row(.compact, .food, .back, .done, leadTo: .closed),
        Row(.expanded, .mood, .back, .done, leadTo: .closed),
    ]

    private let table: Harness
    private let ann: Player
    private let ben: Player

    init() throws {
        table = Harness(apps: [MoodAndFood.self], participants: ["ann", "ben"])
        ann = try table["ann"]
        ben = try table["ben"]
    }

    @Test(arguments: table)
    func everyEventLeadsWhereTheTableSays(row: Row) throws {
        try ann.open(nil, row.style)
        for event in row.events {
            switch event {
            case .expand: ann.expand()
            case .collapse: ann.collapse()
            case .food, .mood, .back, .done: try ann.tap(event.rawValue)
            }
            // Never two children, never a blank panel.
            if event != .done {
                #expect(ann.controller(MoodAndFood.self)?.children.count == 1)
                #expect(ann.tree?.usable.isEmpty == false)
            }
        }
        #expect(ann.style == row.end.style)
        #expect(ann.screen.isEmpty ? row.end.screen.isEmpty : ann.screen.contains(row.end.screen))
    }

    @Test func closingByHandBeginsAnew() throws {
        try ann.open()
        try ann.tap("Food")
        ann.closeApp()
        try ann.open()
        #expect(ann.style == .compact)
        #expect(ann.screen.contains("How are you today?"))
    }

    /// The typed text is there after every way through the app.
    @Test func typedTextSurvives() throws {
        try ann.open()
        try ann.tap("Mood")
        try ann.type("the sun is out", into: "Why do you feel so?")
        ann.expand()
        #expect(ann.screen.contains("the sun is out"))
        try ann.tap("Back")
        try ann.tap("Food")
        try ann.type("noodles", into: "Search the dishes")
        #expect(!ann.screen.contains("Pizza"))
        ann.collapse()
        try ann.tap("Mood")
        #expect(ann.screen.contains("the sun is out"))
        try ann.tap("Back")
        try ann.tap("Food")
        #expect(ann.screen.contains("noodles"))
        #expect(ann.screen.contains("Ramen"))
    }

    @Test func aChoiceIsSentAndSeen() throws {
        try ann.open()
        try ann.tap("Mood")
        try ann.type("the sun is out", into: "Why do you feel so?")
        try ann.tap("Happy")
        #expect(ann.screen.contains("Press Send"))
        #expect(ann.draft?.url?.absoluteString == "?Mood=happy&Note=the%20sun%20is%20out")
        ann.deleteDraft()
        #expect(!ann.screen.contains("Press Send"))
        try ann.tap("Happy")
        try ann.send()
        #expect(ben.transcript == ["ann: ann feels happy"])
        #expect(ben.bubbles.last?.layout?.subcaption == "the sun is out")

        try ben.tapBubble()
        #expect(ben.style == .expanded)
        #expect(ben.screen.contains("ann feels happy."))
        #expect(ben.screen.contains("the sun is out"))
        // An answer to the message takes its place.
        try ben.tap("Food")
        try ben.tap("Choose pizza")
        try ben.send()
        #expect(ann.transcript == ["ann: (ann feels happy)", "ben: ben would like pizza"])
        try ann.tap("Back")
        #expect(ann.screen.contains("ben would like pizza."))
    }

    /// Words that were being written are there again, until they are sent.
    @Test func aNoteOutlastsClosing() throws {
        try ann.open()
        try ann.tap("Mood")
        try ann.type("the sun is out ", into: "Why do you feel so?")
        ann.goAway()
        ann.comeBack()
        try ann.open()
        try ann.tap("Mood")
        #expect(ann.screen.contains("the sun is out"))
        try ann.tap("Happy")
        try ann.send()
        #expect(!ann.screen.contains("the sun is out"))
        ann.closeApp()
        try ann.open()
        try ann.tap("Mood")
        #expect(!ann.screen.contains("the sun is out"))
    }

    @Test(arguments: [
        "?", "?Mood=", "?Mood=none", "?Food=happy", "?Mood", "?Note=x", "data:,x",
        "?Mood=happy&Mood=none&Note=" + String(repeating: "%F0%9F%8D%A6", count: 400),
    ])
    func aChoiceOfAnotherProgramIsNoHarm(url: String) throws {
        try ann.open()
        try ben.open()
        ann.conversation?.send(MSMessage(url))
        table.settle()
        #expect(ben.screen.contains("How are you today?"))
        try ben.tapBubble()
        #expect(ben.screen.contains("How are you today?"))
        let isChoice = url.contains("Mood=happy")
        #expect(ben.screen.contains("ann feels happy.") == isChoice)
        #expect(ben.screen.count < 1_000)
    }
}
