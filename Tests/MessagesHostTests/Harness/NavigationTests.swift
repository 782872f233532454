import Messages
import MessagesHost
import MessagesTesting
import TestSupport
import Testing

/// The navigation table of the design, through a real app: menu M in compact (CM) and expanded (EM)
/// form, Food needs expanded, Mood takes either.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NavigationTests {
    private let harness: Harness
    private let ann: Player

    init() throws {
        harness = Harness(apps: [MoodAndFood.self], participants: ["ann"])
        ann = try harness["ann"]
    }

    private func expect(
        _ title: String,
        _ style: AppStyle,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(ann.style == style, sourceLocation: location)
        let titles = ["Menu", "Food list", "Your mood"].filter { ann.screen.contains($0) }
        #expect(titles == [title], sourceLocation: location)
        #expect(ann.controller(MoodAndFood.self)?.children.count == 1, sourceLocation: location)
    }

    @Test func theMenuFollowsTheStyle() throws {
        try ann.open()
        expect("Menu", .compact)
        ann.expand()
        expect("Menu", .expanded)
        ann.collapse()
        expect("Menu", .compact)
    }

    @Test func foodForcesExpansionAndBackUndoesIt() throws {
        try ann.open()
        try ann.tap("Food")
        expect("Food list", .expanded)
        try ann.tap("Back")
        expect("Menu", .compact)
    }

    @Test func collapsingLeavesFoodForTheCompactMenu() throws {
        for style in [AppStyle.compact, .expanded] {
            try ann.open(nil, style)
            try ann.tap("Food")
            ann.collapse()
            expect("Menu", .compact)
            // The forced style was undone already, so the next change of style is kept.
            ann.expand()
            expect("Menu", .expanded)
            ann.closeApp()
        }
    }

    @Test func foodFromTheExpandedMenuGoesBackThere() throws {
        try ann.open(nil, .expanded)
        try ann.tap("Food")
        expect("Food list", .expanded)
        try ann.tap("Back")
        expect("Menu", .expanded)
    }

    @Test func moodTakesTheStyleAndBackKeepsThePresentOne() throws {
        try ann.open()
        try ann.tap("Mood")
        expect("Your mood", .compact)
        ann.expand()
        expect("Your mood", .expanded)
        try ann.tap("Back")
        expect("Menu", .expanded)
        try ann.tap("Mood")
        expect("Your mood", .expanded)
        ann.collapse()
        expect("Your mood", .compact)
        try ann.tap("Back")
        expect("Menu", .compact)
    }

    @Test func dismissingClosesFromAnywhere() throws {
        try ann.open()
        try ann.tap("Close")
        #expect(ann.style == nil)
        #expect(ann.screen.isEmpty)
        #expect(throws: HarnessError.appIsClosed) { try ann.tap("Food") }
        // Opened anew, it begins with the menu.
        try ann.open()
        expect("Menu", .compact)
    }

    /// Wherever somebody goes, nothing that was typed or drawn is lost, there is always one child,
    /// and the panel is never blank.
    @Test(arguments: 0..<UInt64(20))
    func nothingIsLostOnTheWay(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try ann.open()
        var typed: [String: String] = [:]
        var strokes: [String: Int] = [:]
        let titles = ["Menu", "Food list", "Your mood"]
        for step in 0..<60 {
            let title = try #require(titles.first { ann.screen.contains($0) })
            switch Int.random(in: 0..<5, using: &random) {
            case 0: ann.expand()
            case 1: ann.collapse()
            case 2:
                typed[title] = "\(title) \(step)"
                try ann.type("\(title) \(step)", into: "Note")
            case 3:
                strokes[title, default: 0] += 1
                try ann.draw(ParleyView.Stroke(points: [.zero, CGPoint(x: 9, y: 9)]), on: "Sketch")
            default:
                let ways = title == "Menu" ? ["Food", "Mood"] : ["Back"]
                try ann.tap(try #require(ways.randomElement(using: &random)))
            }
            let now = titles.filter { ann.screen.contains("# " + $0) }
            #expect(now.count == 1, "seed \(seed), step \(step)")
            let shown = try #require(now.first)
            #expect(
                ann.screen.contains("<Note: \(typed[shown] ?? "")>"),
                "seed \(seed), step \(step)"
            )
            #expect(
                ann.screen.contains("(drawing of \(strokes[shown] ?? 0) strokes)"),
                "seed \(seed), step \(step)"
            )
            #expect(shown != "Food list" || ann.style == .expanded, "seed \(seed), step \(step)")
            #expect(ann.controller(MoodAndFood.self)?.children.count == 1)
        }
    }
}
