import MessagesHost
import TestSupport
import Testing

/// The way through an app: menu M, Food (needs expanded), Mood (takes either), Tip (prefers
/// compact).
@Suite struct NavigationMachineTests {
    enum Screen: Hashable, Sendable { case food, mood, tip }
    typealias Machine = NavigationMachine<Screen>

    /// Every state, by a way that leads there.
    static let ways: [(style: Machine.Style, events: [Machine.Event])] = [
        (.compact, []),
        (.expanded, []),
        (.compact, [.open(.food, .needsExpanded)]),
        (.expanded, [.open(.food, .needsExpanded)]),
        (.compact, [.open(.mood, .either)]),
        (.expanded, [.open(.mood, .either)]),
        (.compact, [.open(.food, .needsExpanded), .open(.mood, .either)]),
        (.compact, [.open(.tip, .prefersCompact)]),
        (.compact, [.open(.tip, .prefersCompact), .expand]),
        (.compact, [.dismiss]),
        (.expanded, [.dismiss]),
    ]

    static let events: [Machine.Event] = [
        .expand, .collapse, .open(.food, .needsExpanded), .open(.mood, .either),
        .open(.tip, .prefersCompact), .back, .dismiss,
    ]

    static let table = """
        M compact | expand | request(expanded) | M expanded
        M compact | collapse |  | M compact
        M compact | open(food) | request(expanded) show(food) | food! expanded
        M compact | open(mood) | show(mood) | mood compact
        M compact | open(tip) | show(tip) | tip compact
        M compact | back |  | M compact
        M compact | dismiss | dismiss | closed compact
        M expanded | expand |  | M expanded
        M expanded | collapse | request(compact) | M compact
        M expanded | open(food) | show(food) | food expanded
        M expanded | open(mood) | show(mood) | mood expanded
        M expanded | open(tip) | request(compact) show(tip) | tip compact
        M expanded | back |  | M expanded
        M expanded | dismiss | dismiss | closed expanded
        food! expanded | expand |  | food! expanded
        food! expanded | collapse | request(compact) show(M) | M compact
        food! expanded | open(food) | show(food) | food! expanded
        food! expanded | open(mood) | show(mood) | mood! expanded
        food! expanded | open(tip) | request(compact) show(tip) | tip compact
        food! expanded | back | request(compact) show(M) | M compact
        food! expanded | dismiss | dismiss | closed expanded
        food expanded | expand |  | food expanded
        food expanded | collapse | request(compact) show(M) | M compact
        food expanded | open(food) | show(food) | food expanded
        food expanded | open(mood) | show(mood) | mood expanded
        food expanded | open(tip) | request(compact) show(tip) | tip compact
        food expanded | back | show(M) | M expanded
        food expanded | dismiss | dismiss | closed expanded
        mood compact | expand | request(expanded) | mood expanded
        mood compact | collapse |  | mood compact
        mood compact | open(food) | request(expanded) show(food) | food! expanded
        mood compact | open(mood) | show(mood) | mood compact
        mood compact | open(tip) | show(tip) | tip compact
        mood compact | back | show(M) | M compact
        mood compact | dismiss | dismiss | closed compact
        mood expanded | expand |  | mood expanded
        mood expanded | collapse | request(compact) | mood compact
        mood expanded | open(food) | show(food) | food expanded
        mood expanded | open(mood) | show(mood) | mood expanded
        mood expanded | open(tip) | request(compact) show(tip) | tip compact
        mood expanded | back | show(M) | M expanded
        mood expanded | dismiss | dismiss | closed expanded
        mood! expanded | expand |  | mood! expanded
        mood! expanded | collapse | request(compact) | mood! compact
        mood! expanded | open(food) | show(food) | food! expanded
        mood! expanded | open(mood) | show(mood) | mood! expanded
        mood! expanded | open(tip) | request(compact) show(tip) | tip compact
        mood! expanded | back | request(compact) show(M) | M compact
        mood! expanded | dismiss | dismiss | closed expanded
        tip compact | expand | request(expanded) | tip expanded
        tip compact | collapse |  | tip compact
        tip compact | open(food) | request(expanded) show(food) | food! expanded
        tip compact | open(mood) | show(mood) | mood compact
        tip compact | open(tip) | show(tip) | tip compact
        tip compact | back | show(M) | M compact
        tip compact | dismiss | dismiss | closed compact
        tip expanded | expand |  | tip expanded
        tip expanded | collapse | request(compact) | tip compact
        tip expanded | open(food) | show(food) | food expanded
        tip expanded | open(mood) | show(mood) | mood expanded
        tip expanded | open(tip) | request(compact) show(tip) | tip compact
        tip expanded | back | show(M) | M expanded
        tip expanded | dismiss | dismiss | closed expanded
        closed compact | expand |  | closed compact
        closed compact | collapse |  | closed compact
        closed compact | open(food) |  | closed compact
        closed compact | open(mood) |  | closed compact
        closed compact | open(tip) |  | closed compact
        closed compact | back |  | closed compact
        closed compact | dismiss |  | closed compact
        closed expanded | expand |  | closed expanded
        closed expanded | collapse |  | closed expanded
        closed expanded | open(food) |  | closed expanded
        closed expanded | open(mood) |  | closed expanded
        closed expanded | open(tip) |  | closed expanded
        closed expanded | back |  | closed expanded
        closed expanded | dismiss |  | closed expanded
        """

    @Test func everyStateAnswersEveryEventAsTheTableSays() {
        let rows = Self.ways.flatMap { way in
            Self.events.map { event -> String in
                var machine = Machine(style: way.style)
                for event in way.events { _ = machine.handle(event) }
                let before = machine.word
                let steps = machine.handle(event).map(\.word).joined(separator: " ")
                return "\(before) | \(event.word) | \(steps) | \(machine.word)"
            }
        }
        let expected = Self.table.split(separator: "\n").map(String.init)
        #expect(rows.count == expected.count)
        for (row, expected) in zip(rows, expected) { #expect(row == expected) }
    }

    /// There is always exactly one child, the shown one, until the app closes.
    @Test(arguments: 0..<UInt64(200))
    func anyWayShowsOneChild(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var machine = Machine(style: .compact)
        var shown = Machine.Place.menu
        var style = Machine.Style.compact
        for _ in 0..<50 {
            guard let event = Self.events.randomElement(using: &random) else { return }
            for step in machine.handle(event) {
                switch step {
                case .show(let place): shown = place
                case .request(let wanted):
                    #expect(wanted != style, "seed \(seed): asks for the present style")
                    style = wanted
                case .dismiss: shown = .closed
                }
            }
            #expect(shown == machine.place, "seed \(seed)")
            #expect(style == machine.style, "seed \(seed)")
            if case .screen(_, .needsExpanded, _) = machine.place {
                #expect(machine.style == .expanded, "seed \(seed)")
            }
        }
    }
}

extension NavigationMachineTests.Machine {
    fileprivate var word: String { "\(place.word) \(style)" }
}

extension NavigationMachineTests.Machine.Place {
    fileprivate var word: String {
        switch self {
        case .menu: "M"
        case .screen(let screen, _, let isForced): "\(screen)\(isForced ? "!" : "")"
        case .closed: "closed"
        }
    }
}

extension NavigationMachineTests.Machine.Event {
    fileprivate var word: String {
        if case .open(let screen, _) = self { "open(\(screen))" } else { "\(self)" }
    }
}

extension NavigationMachineTests.Machine.Step {
    fileprivate var word: String {
        switch self {
        case .show(.menu): "show(M)"
        case .show(.screen(let screen, _, _)): "show(\(screen))"
        case .show(.closed): "show(nothing)"
        case .request(let style): "request(\(style))"
        case .dismiss: "dismiss"
        }
    }
}
