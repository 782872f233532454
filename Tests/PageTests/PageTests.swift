import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// The page in a real browser, of nodes that run; elements are found by role and name only.
///
/// Without root there may be no browser, and then the tests are skipped. With root there is, and
/// not to have it is a failure.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct PageTests {
    @Test func namesAreThoseOfTheContract() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let page = pair.alicesPage
        let list = try await page.find("navigation", "Conversations")
        let link = try await page.find("link", name, in: list)
        try await eventually("the mark of the current conversation") {
            try link.attribute("aria-current") == "page"
        }
        _ = try await page.find("log", "Transcript")
        for name in ["Send", "Attach", "Apps", "Invite", "People", "Nearby"] {
            _ = try await page.find("button", name)
        }
        _ = try await page.find("status", "Connection")

        try await openTicTacToe(on: page)
        let panel = try await page.find("region", "Tic-tac-toe")
        #expect(try panel.attribute("data-style") == "compact")
        _ = try await page.find("button", "Close", in: panel)
        try await page.find("button", "Expand", in: panel).click()
        _ = try await page.find("button", "Collapse", in: panel)
        #expect(try panel.attribute("data-style") == "expanded")
        try await page.find("button", "Square 1, free", in: panel).click()
        let draft = try await page.find("region", "Draft")
        try await page.find("button", "Remove draft", in: draft).click()
        try await eventually("the end of the draft") {
            try page.present("region", "Draft") == nil
        }
        try await page.find("button", "Close", in: panel).click()

        try await page.find("button", "Invite").click()
        let dialog = try await page.find("dialog", "Invite")
        let field = try await page.find("textbox", "Invite link", in: dialog)
        #expect(try field.property("value")?.hasPrefix("parley:") == true)
        _ = try await page.find("image", "QR code", in: dialog)
        _ = try await page.find("button", "Copy", in: dialog)
    }

    /// Somebody who has said nothing is there all the same.
    @Test func whoIsThereIsShown() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        // On a small screen the people are behind a button.
        try await pair.bobsPage.find("button", "People").click()
        for (page, other) in [(pair.alicesPage, "bob"), (pair.bobsPage, "alice")] {
            let people = try await page.find("complementary", "People")
            try await eventually("\(other) among the people") {
                try people.text.contains("\u{2068}\(other)\u{2069}\nhere")
            }
        }
        // The list of devices nearby says the same.
        try await pair.alicesPage.find("button", "Nearby").click()
        let nearby = try await pair.alicesPage.find("dialog", "Nearby")
        #expect(try nearby.text.contains("bob\nhere, in "))
    }

    @Test func aMessageIsSeenOnTheOtherPage() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let text = "Hello <b>bob</b> & \"all\""
        try await pair.alicesPage.find("textbox", "Message").type("\(text)\u{E007}")
        _ = try await pair.bobsPage.find("article", text)
        try await eventually("the empty field") {
            try await pair.alicesPage.find("textbox", "Message").property("value")?.isEmpty == true
        }
    }

    @Test func aGameIsPlayedToItsEnd() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        try await openTicTacToe(on: pair.alicesPage)
        for (move, square) in [1, 5, 2, 9, 3].enumerated() {
            let (page, other) =
                move.isMultiple(of: 2)
                ? (pair.alicesPage, pair.bobsPage) : (pair.bobsPage, pair.alicesPage)
            try await page.find("button", "Square \(square), free").click()
            _ = try await page.find("region", "Draft")
            try await page.find("button", "Send").click()
            if move == 0 {
                let card = try await other.find("article", from: "Tic-tac-toe: 1 X")
                try await other.find("button", "Open", in: card).click()
            }
            let mark = move.isMultiple(of: 2) ? "X" : "O"
            _ = try await other.find("button", "Square \(square), \(mark)")
        }
        for (page, line) in [(pair.alicesPage, "You win"), (pair.bobsPage, "alice wins")] {
            try await eventually(line) {
                try await page.find("region", "Tic-tac-toe").text.contains(line)
            }
        }
    }

    @Test(arguments: [[1_440, 900], [390, 844]])
    func aPinnedLabelStandsWhereItStoodBeforeExpanding(size: [Int]) async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let page = pair.alicesPage
        try page.resize(width: size[0], height: size[1])
        try await page.expectPinnedLabel(of: "Tic-tac-toe")
    }

    @Test func nothingIsLoadedFromElsewhereAndNothingIsRefused() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let page = pair.alicesPage
        try page.devTools("Network.clearBrowserCache")
        try page.go(to: "/")
        try await page.waitForConnection()
        try await page.find("link", name).click()
        try await page.find("button", "Invite").click()
        _ = try await page.find("image", "QR code")
        let script = """
            const all = performance.getEntriesByType("resource");
            const own = all.filter((entry) => entry.name.startsWith(location.origin + "/assets/"));
            const [page] = performance.getEntriesByType("navigation");
            const sent = own.reduce((sum, entry) => sum + entry.encodedBodySize, 0);
            return [all.filter((entry) => !entry.name.startsWith(location.origin)).length,
                own.length, page.encodedBodySize + sent];
            """
        let counts = try page.run(script).array?.compactMap(\.number) ?? []
        try #require(counts.count == 3)
        #expect(counts[0] == 0)
        #expect(counts[1] >= 2)
        #expect((1...65_000).contains(counts[2]))
        let refused = try page.consoleLines().filter { $0.contains("Content Security Policy") }
        #expect(refused.isEmpty, "\(refused)")
    }

    /// A conversation needs the page itself and its icons, which a browser asks for by itself, the
    /// stream of events, which is listed once it has ended, and what is listed here.
    @Test func aConversationNeedsEightRequests() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let page = pair.alicesPage
        try page.devTools("Network.clearBrowserCache")
        try page.go(to: "/c/\(name.replacing(" ", with: "%20"))")
        try await page.waitForConnection()
        _ = try await page.find("button", "Tic-tac-toe")
        try await eventually("the icons of the apps") {
            let script = """
                return [...document.querySelectorAll(".tile .app-icon")]
                    .filter(({ naturalWidth }) => naturalWidth > 0).length;
                """
            return try page.run(script).number == 6
        }
        let script = """
            return performance.getEntriesByType("resource").map(({ name }) => new URL(name))
                .filter(({ protocol }) => protocol === "http:").map(({ pathname }) => pathname);
            """
        let loaded = try page.run(script).array?.compactMap(\.text) ?? []
        let entries = "/v1/conversations/\(name.replacing(" ", with: "%20"))/entries"
        let needed = ["/assets/page.css", "/assets/page.js", "/proof", entries, "/v1/page"]
        let ofItself = ["/assets/icon.png", "/assets/home.png", "/assets/manifest.json"]
        #expect(loaded.filter { !ofItself.contains($0) }.sorted() == needed)
        let icon = "return document.querySelector('link[rel=icon]').getAttribute('href')"
        #expect(try page.run(icon) == "/assets/icon.png")
    }

    // MARK: Helpers

    private func openTicTacToe(on page: Browser) async throws {
        try await page.find("button", "Apps").click()
        let drawer = try await page.find("region", "Apps")
        try await page.find("button", "Tic-tac-toe", in: drawer).click()
        _ = try await page.find("region", "Tic-tac-toe")
    }
}
