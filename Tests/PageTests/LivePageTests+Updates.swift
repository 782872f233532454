import PageSupport
import TestSupport
import Testing
import WebDriver

/// Unfinished texts and drawings in an app survive everything that happens meanwhile.
extension LivePageTests {
    @Test func typingAndDrawingGoOnDuringAnUpdate() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        for page in [alice, bob] { try await page.openApp("Board") }
        let panel = try await alice.find("region", "Board")
        let field = try await alice.find("textbox", "Words", in: panel)
        try field.type("half a ")
        _ = try alice.run("arguments[0].setSelectionRange(4, 4)", field.reference)
        try await move(on: bob, seenAs: 1, in: panel)
        #expect(try alice.isFocused(field))
        let caret = "return arguments[0].selectionStart"
        #expect(try alice.run(caret, field.reference).number == 4)
        // Actions of keys go on where the caret is.
        try alice.write("-")
        #expect(try field.property("value") == "half- a ")

        // The pen is down while the update comes, and the line is one.
        let board = try await alice.find("application", "Board", in: panel)
        try board.beginLine((0.1, 0.5), (0.3, 0.5))
        try await move(on: bob, seenAs: 2, in: panel)
        try board.endLine((0.6, 0.5), (0.9, 0.5))
        try await eventually("one stroke with all its points") {
            try panel.text.contains(#/Strokes: \[[4-9]\]/#)
        }
        #expect(try field.property("value") == "half- a ")
    }

    private func move(on page: Browser, seenAs count: Int, in panel: Element) async throws {
        try await page.find("button", "Move").click()
        try await eventually("move \(count)") { try panel.text.contains("Moves: \(count)") }
    }

    /// The label is in a child controller, in which the bug was elsewhere.
    @Test(arguments: [[1_440, 900], [390, 844]])
    func aLabelPinnedToTheTopOfAChildStaysThere(size: [Int]) async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let page = pair.alicesPage
        try page.resize(width: size[0], height: size[1])
        try await page.expectPinnedLabel(of: "Board")
        let inside = "return document.querySelector('.view-controller h3.view-text') !== null"
        #expect(try page.run(inside) == true)
    }
}
