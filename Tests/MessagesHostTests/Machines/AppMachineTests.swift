import MessagesHost
import TestSupport
import Testing

/// The states of an app, its draft and its selection, against every event.
@Suite struct AppMachineTests {
    /// Every state, by a way that leads there.
    static let ways: [[AppEvent]] =
        [
            [],
            [.opened(.compact), .staged(.d), .closed],
        ]
        + AppStyle.allCases.flatMap { style -> [[AppEvent]] in
            let tap: [AppEvent] = [.opened(style), .tapped(.m), .styleWanted(style)]
            return [
                [.opened(style)],
                tap,
                [.staged(.d), .opened(style)],
                [.opened(style), .staged(.d)],
                [.opened(style), .staged(.d), .tapped(.m), .styleWanted(style)],
            ]
        }

    static let events: [AppEvent] = [
        .opened(.compact), .opened(.expanded), .opened(.compact, selecting: .m), .tapped(.m),
        .tapped(.n), .tapped(.d),
        .received(.n), .styleWanted(.compact), .styleWanted(.expanded), .closed, .staged(.e),
        .sendTapped, .sent(.d), .refused(.d), .draftDeleted, .unstaged,
    ]

    static func machine(_ way: [AppEvent], _ context: AppContext = .messages) -> AppMachine {
        var machine = AppMachine(context: context)
        for event in way { _ = machine.handle(event) }
        return machine
    }

    static func row(_ machine: AppMachine, _ event: AppEvent) -> String {
        var machine = machine
        let before = machine.word
        let steps = machine.handle(event).map(\.word).joined(separator: " ")
        return "\(before) | \(event.word) | \(steps) | \(machine.word)"
    }

    @Test func everyStateAnswersEveryEventAsTheTableSays() {
        let rows = Self.ways.flatMap { way in
            Self.events.map { Self.row(Self.machine(way), $0) }
        }
        #expect(Set(rows).count == 12 * Self.events.count)
        let expected = AppMachineTable.rows
        #expect(rows.count == expected.count)
        for (row, expected) in zip(rows, expected) { #expect(row == expected) }
    }

    /// Among stickers there are no messages: none is tapped, staged or told of.
    @Test func theMediaContextKnowsNoMessages() {
        for style in AppStyle.allCases {
            for event in Self.events {
                var machine = Self.machine([.opened(style)], .media)
                let steps = machine.handle(event)
                #expect(machine.selection == nil)
                #expect(machine.field == .empty)
                for step in steps {
                    switch step {
                    case .select, .stage, .unstage, .send, .willSelect, .didSelect, .didReceive,
                        .didStartSending, .didCancelSending:
                        Issue.record("\(event.word): \(step.word)")
                    default: break
                    }
                }
            }
        }
    }

    /// After any sequence of events: calls come in pairs, only while the app is open, and the
    /// selection follows from the steps.
    @Test(arguments: 0..<UInt64(200))
    func anyHistoryKeepsTheOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var machine = AppMachine()
        var witness = CallWitness()
        for _ in 0..<100 {
            guard let event = Self.events.randomElement(using: &random) else { return }
            for step in machine.handle(event) { witness.see(step) }
            #expect(witness.problems.isEmpty, "seed \(seed)")
            #expect(witness.selection == machine.selection, "seed \(seed)")
            #expect(witness.isActive == machine.isOpen, "seed \(seed)")
        }
    }
}

/// Checks the promises about calls from the point of view of the app.
private struct CallWitness {
    var isActive = false
    var selection: MessageKey?
    var style: AppStyle?
    var problems: [String] = []

    mutating func see(_ step: AppStep) {
        switch step {
        case .activate:
            if isActive { problems.append("activated twice") }
            isActive = true
        case .deactivate:
            if !isActive { problems.append("deactivated twice") }
            isActive = false
            selection = nil
        case .select(let key): selection = key
        case .setStyle(let new): style = new
        case .stage, .unstage, .send, .settle: break
        case .didSelect(let key):
            called(step)
            if selection != key { problems.append("didSelect without the selection") }
        case .willTransition(let new):
            called(step)
            if style == new { problems.append("transition to the present style") }
        case .didTransition(let new):
            called(step)
            if style != new { problems.append("didTransition in the old style") }
        default: called(step)
        }
    }

    private mutating func called(_ step: AppStep) {
        if !isActive { problems.append("\(step.word) of a closed app") }
    }
}
