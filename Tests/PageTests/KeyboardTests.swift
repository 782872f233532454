import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// A game from the link to its end with nothing but keys.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedPair
)
struct KeyboardTests {
    @Test func aGameIsPlayedToItsEndByKeyboard() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        for page in [alice, bob] {
            try page.go(to: "/")
            try await page.waitForConnection()
            try await page.go(by: .enter, to: "link", name)
            _ = try await page.find("textbox", "Message")
        }
        try await alice.go(by: .enter, to: "button", "Apps")
        try await alice.go(by: .enter, to: "button", "Tic-tac-toe")
        for (move, square) in [1, 5, 2, 9, 3].enumerated() {
            let (page, other) = move.isMultiple(of: 2) ? (alice, bob) : (bob, alice)
            try await page.go(by: .enter, to: "button", "Square \(square), free")
            _ = try await page.find("region", "Draft")
            try await page.go(by: .enter, to: "button", "Send")
            if move == 0 {
                _ = try await other.find("article", from: "Tic-tac-toe: 1 X")
                try await other.go(by: .enter, to: "button", "Open")
            }
            let mark = move.isMultiple(of: 2) ? "X" : "O"
            _ = try await other.find("button", "Square \(square), \(mark)")
        }
        try await eventually("the end of the game") {
            try await bob.find("region", "Tic-tac-toe").text.contains("alice wins")
        }
        // Escape closes what opened last: first the large panel becomes small, then it closes.
        try await bob.go(by: .enter, to: "button", "Expand")
        try await eventually("the large panel") {
            try await bob.find("region", "Tic-tac-toe").attribute("data-style") == "expanded"
        }
        try bob.press(.escape)
        try await eventually("the small panel") {
            try await bob.find("region", "Tic-tac-toe").attribute("data-style") == "compact"
        }
        try bob.press(.escape)
        try await eventually("the end of the panel") {
            try bob.present("region", "Tic-tac-toe") == nil
        }
    }

    /// A thing that opens takes the focus, and gives it back to its button when it closes.
    @Test func theFocusGoesInAndComesBack() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        for page in [pair.alicesPage, pair.bobsPage] {
            try await page.go(by: .enter, to: "button", "Apps")
            let drawer = try await page.find("region", "Apps")
            try await eventually("the focus in the drawer") {
                let inside = "return arguments[0].contains(document.activeElement)"
                return try page.run(inside, drawer.reference) == true
            }
            try page.press(.escape)
            try await expect("Apps", on: page)
            #expect(try page.present("region", "Apps") == nil)
        }
        // On a small screen People covers the transcript.
        let phone = pair.bobsPage
        for way in ["Escape", "Close people"] {
            try await phone.go(by: .enter, to: "button", "People")
            try await expect("Close people", on: phone)
            try phone.press(way == "Escape" ? .escape : .enter)
            try await expect("People", on: phone)
            #expect(try phone.present("complementary", "People") == nil)
        }
        // Where the focus is elsewhere, it stays.
        try await phone.go(by: .enter, to: "button", "Apps")
        let field = try await phone.find("textbox", "Message")
        try field.type("half a word")
        try phone.press(.escape)
        try await eventually("the end of the drawer") {
            try phone.present("region", "Apps") == nil
        }
        #expect(try phone.isFocused(field))
    }

    private func expect(_ name: String, on page: Browser) async throws {
        // One step, as an element that has the focus may be gone in the next moment.
        let script = "return document.activeElement?.getAttribute('aria-label')"
        try await eventually("the focus on \(name)") { try page.run(script).text == name }
    }
}
