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
        try bob.press(.escape)
        try await eventually("the small panel") {
            try await bob.find("region", "Tic-tac-toe").attribute("data-style") == "compact"
        }
        try bob.press(.escape)
        try await eventually("the end of the panel") {
            try bob.present("region", "Tic-tac-toe") == nil
        }
    }
}
