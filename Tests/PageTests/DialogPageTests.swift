import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Dialogs of an app in its panel on the page.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedPair(program: "page-apps")
)
struct DialogPageTests {
    private let page: Browser

    init() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        page = pair.alicesPage
    }

    private func open(_ app: String) async throws {
        try await page.find("button", "Apps").click()
        try await page.find("button", app, in: try await page.find("region", "Apps")).click()
        _ = try await page.find("region", app)
    }

    @Test func anAlertIsAnsweredByKeyboard() async throws {
        try await open("Notes")
        try await page.find("button", "Add").click()
        let alert = try await page.find("alertdialog", "New note")
        let note = try await page.find("textbox", "Note", in: alert)
        #expect(try page.focused() == note.id)
        #expect(try await page.find("textbox", "Tag", in: alert).property("value") == "fun")
        try await page.inspect("alert", sizes: [(390, 844), (1_440, 900)])
        // The views of the app lie below, and the rest of the page is there as before.
        #expect(try page.present("button", "Sort") == nil)
        _ = try await page.find("button", "Close")
        try note.type("Milk\u{E007}")
        try await eventually("the note") {
            try await page.find("region", "Notes").text.contains("Milk#fun")
        }
        let add = try await page.find("button", "Add")
        try await eventually("the focus where it was") { try page.focused() == add.id }
    }

    @Test func escapeCancelsAndAStaleAnswerIsRefused() async throws {
        try await open("Notes")
        try await page.find("button", "Add").click()
        let note = try await page.find("textbox", "Note")
        try note.type("Milk\u{E00C}")
        try await eventually("the end of the dialog") {
            try page.present("alertdialog", "New note") == nil
        }
        // Escape ended the dialog only.
        let panel = try await page.find("region", "Notes")
        #expect(try panel.text.contains("Milk") == false)

        try await page.find("button", "Delete all").click()
        let first = try await page.find("alertdialog", "Delete all notes?")
        let delete = try await page.find("button", "Delete", in: first)
        // Two presses in one go: the second one was meant for the first question as well.
        _ = try page.run("const b = arguments[0]; b.click(); b.click();", delete.reference)
        _ = try await page.find("alertdialog", "Really?")
        try await eventually("why nothing was done") {
            try await page.find("region", "Notes").text.contains("changed a moment ago")
        }
        try page.picture("stale-action")
    }

    @Test func aWebPageIsALink() async throws {
        try await open("Notes")
        try await page.find("button", "Website").click()
        let dialog = try await page.find("alertdialog", "Web page")
        let link = try await page.find("link", "https://notes.example/help", in: dialog)
        #expect(try link.property("href") == "https://notes.example/help")
        #expect(try link.property("rel") == "noopener noreferrer")
        try await page.find("button", "Close", in: dialog).click()
        try await eventually("the end of the dialog") {
            try page.present("alertdialog", "Web page") == nil
        }
    }

    @Test func aPresentedControllerCanBeClosed() async throws {
        try await open("Notes")
        try await page.find("button", "About").click()
        let dialog = try await page.find("dialog", "About notes")
        try await page.inspect("controller", sizes: [(390, 844)])
        try await page.find("button", "Close", in: dialog).click()
        try await eventually("the end of the dialog") {
            try page.present("dialog", "About notes") == nil
        }
        try await page.find("button", "Sort").click()
        _ = try await page.find("button", "By name")
        try await page.inspect("action-sheet", sizes: [(390, 844)])
    }
}
