import Messages
import MessagesTesting
import ModeFive
import Testing

/// Alerts and presented controllers of apps, as a person uses them.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DialogTests {
    let ann: Player
    private let table: Harness

    init() throws {
        table = Harness(apps: [NotesViewController.self], participants: ["ann", "ben"])
        ann = try table["ann"]
        try ann.open()
    }

    private var app: NotesViewController { get throws { try #require(ann.controller()) } }

    @Test func anAlertAsksForTexts() throws {
        try ann.tap("Add")
        #expect(try app.heard == ["asked"])
        #expect(ann.screen.contains("New note"))
        #expect(ann.screen.contains("<Tag: fun>"))
        try ann.type("Milk", into: "Note")
        // The button of the alert, as the one of the app lies under it.
        let tree = try #require(ann.tree)
        try ann.choose(try #require(tree.usable.last { $0.takes == [.press] }?.id), in: tree)
        #expect(ann.screen.contains("Milk#fun") == false, "the last choice is Cancel")
        #expect(ann.tree?.dialogs.isEmpty == true)
        #expect(try app.notes.isEmpty)

        try ann.tap("Add")
        try ann.type("Milk", into: "Note")
        let add = try #require(ann.tree?.usable.first { $0.content.isPreferred })
        try ann.choose(add.id, in: try #require(ann.tree))
        #expect(try app.notes == ["Milk#fun"])
    }

    @Test func whatLiesUnderADialogCannotBePressed() throws {
        try ann.tap("Delete all")
        #expect(throws: HarnessError.action(.disabled)) { try ann.tap("Sort") }
        // The text that was being typed when the dialog came up is not lost.
        try ann.type("mi", into: "Search")
        #expect(try app.heard == ["mi"])
        #expect(ann.tree?.dialogs.count == 1)
    }

    @Test func anAnswerToADialogIsNeverAnAnswerToTheNextOne() throws {
        try ann.tap("Delete all")
        let first = try #require(ann.tree)
        let delete = try #require(first.usable.first).id
        try ann.choose(delete, in: first)
        #expect(ann.screen.contains("Really?"))
        #expect(throws: HarnessError.action(.notFound)) { try ann.choose(delete, in: first) }
        #expect(ann.screen.contains("Really?"))
        try ann.tap("Delete")
        #expect(ann.tree?.dialogs.isEmpty == true)
    }

    @Test func anActionSheetHasNoTextFieldsAndADisabledChoice() throws {
        try ann.tap("Sort")
        let dialog = try #require(ann.tree?.dialogs.last)
        #expect(dialog.content == .dialog(.actionSheet))
        #expect(dialog.children.count == 2)
        #expect(throws: HarnessError.action(.disabled)) { try ann.tap("At random") }
        try ann.tap("By name")
        #expect(ann.tree?.dialogs.isEmpty == true)
    }

    @Test func aPresentedControllerIsDismissedByItselfOrByThePerson() throws {
        try ann.tap("About")
        #expect(ann.tree?.dialogs.last?.accessibilityLabel == "About notes")
        try ann.tap("Thanks")
        #expect(ann.tree?.dialogs.isEmpty == true)
        try ann.tap("About")
        try ann.tap("Close")
        #expect(ann.tree?.dialogs.isEmpty == true)
    }

    @Test func aDialogEndsWithItsApp() throws {
        try ann.tap("Add")
        ann.closeApp()
        try ann.open()
        #expect(ann.tree?.dialogs.isEmpty == true)
    }
}

extension ParleyView.Content {
    fileprivate var isPreferred: Bool {
        if case .choice(_, _, let isPreferred) = self { isPreferred } else { false }
    }
}
