import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Drawing with finger, pen and keyboard.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct CanvasTests {
    /// Once the ink had run out, a finger moved what lies under the paper, and in the end the
    /// browser back to the page before.
    @Test func aFingerAndAPenDrawAndMoveNothingElse() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let page = pair.bobsPage
        _ = try await page.beginDrawing(with: pair.alicesPage)
        let script = """
            window.pointers = [];
            document.addEventListener("pointerdown", (event) =>
                window.pointers.push(event.pointerType), true);
            """
        _ = try page.run(script)
        let panel = try await page.find("region", "Draw and guess")
        let paper = try await page.find("application", "Paper", in: panel)
        for pointer in [Pointer.touch, .pen] {
            try paper.draw(with: pointer, (0.2, 0.2), (0.5, 0.3), (0.8, 0.2))
            _ = try await page.usedInk()
            let seen = try page.run("return window.pointers.at(-1)").text
            #expect(seen == pointer.rawValue)
            try await page.find("button", "Undo", in: panel).click()
            _ = try await page.find("image", "Ink: 100 % left")
        }
        let found = try page.violations()
        #expect(found.isEmpty, "\(found)")
        // The window is so low that the panel can be scrolled.
        try page.resize(width: 390, height: 420)
        _ = try page.run("document.querySelector('.view-canvas').scrollIntoView()")
        let before = try scrolled(page)
        for row in [0.2, 0.4, 0.6] {
            try paper.draw(with: .touch, (0.05, row), (0.95, row), (0.05, row + 0.1))
        }
        _ = try await page.find("image", "Ink: 0 % left")
        try await eventually("a dry pen") { try panel.text.contains("Out of ink") }
        #expect(try page.present("application", "Paper") != nil)
        for way in [0.2, 0.8] {
            try paper.draw(with: .touch, (0.5, way), (0.5, 1 - way))
            try paper.draw(with: .touch, (way, 0.5), (1 - way, 0.5))
        }
        #expect(try scrolled(page) == before)
        // A finger that slips off the paper does not turn the page either.
        let style = "return getComputedStyle(document.documentElement).overscrollBehaviorX"
        #expect(try page.run(style) == "none")
        // The words beside the bottle stay on one line.
        let lines = """
            const text = [...document.querySelectorAll(".view-text")]
                .find(({ textContent }) => textContent === "Out of ink");
            return text.getClientRects()[0].height / parseFloat(getComputedStyle(text).fontSize);
            """
        #expect(try #require(page.run(lines).number) < 2)
        // The title of the page speaks of the turn until the match is over.
        try await page.find("button", "Give up").click()
        try await page.find("button", "Yes, give up").click()
        _ = try await page.find("button", "Rematch")
        // Regression: the next text in the place of the clock was overwritten each second.
        let clocks = "[...document.querySelectorAll('.panel p')].some(({ until }) => until)"
        #expect(try page.run("return \(clocks)") == .bool(false))
    }

    /// Space puts the pen down and lifts it, the arrow keys move it, and Escape drops the line.
    ///
    /// Close, Escape and another app lead away from the drawing, and the app leads back to it. The
    /// turn follows from the match, whatever is said after a move.
    @Test func aLineIsDrawnByKeyboardAndFoundAgain() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let (page, bob) = (pair.alicesPage, pair.bobsPage)
        let word = try await page.beginDrawing(with: bob).lowercased()
        let panel = try await page.find("region", "Draw and guess")
        let paper = try await page.find("application", "Paper", in: panel)
        let (space, escape, left, right) = (" ", "\u{E00C}", "\u{E012}", "\u{E014}")
        try paper.type(space + right + right + escape + left)
        try paper.type(space + left + left + left + space)
        let ink = try await page.usedInk()
        #expect(try page.isFocused(paper))
        // One line, of three steps: what was dropped has used no ink.
        let script = "return document.querySelector('.view-canvas').ink.node.strokes"
        let strokes = try page.run(script).array ?? []
        #expect(strokes.count == 1)
        #expect(strokes.first?["points"]?.array?.count == 4)
        #expect(ink != "Ink: 0 % left")

        for way in ["Close", "Escape", "Tic-tac-toe"] {
            switch way {
            case "Close": try await page.find("button", "Close").click()
            case "Escape": try page.press(.escape)
            default:
                try await page.openApp(way)
                try await page.find("button", "Close").click()
            }
            try await eventually("the end of the panel") {
                try ["Draw and guess", "Tic-tac-toe"].allSatisfy {
                    try page.present("region", $0) == nil
                }
            }
            try await page.openApp("Draw and guess")
            try await eventually("the same word") {
                let panel = try await page.find("region", "Draw and guess")
                return try panel.text.lowercased().contains("draw “\(word)”")
            }
            #expect(try await page.find("image", from: "Ink: ").name == ink)
        }
        try await expectTurn(of: page, and: bob, in: name)
    }

    /// Regression: an app was closed late because another one had been opened, and so was gone if
    /// somebody had opened it again meanwhile.
    @Test func anAppThatIsOpenedAgainStaysOpen() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let page = pair.alicesPage
        try await page.openApp("Draw and guess")
        let held = """
            const fetched = window.fetch;
            window.asked = [];
            window.fetch = async (path, init) => {
                if (!path.includes("/panel")) return fetched(path, init);
                const isFirst = asked.push(`${path} ${init.body}`) === 1;
                const answer = await fetched(path, init);
                if (isFirst) await new Promise((release) => (window.release = release));
                return answer;
            };
            """
        try page.run(held)
        try await page.openApp("Tic-tac-toe")
        try await page.openApp("Draw and guess")
        try page.run("release()")
        try await page.find("button", "Close").click()
        try await eventually("the end of the panel") {
            try page.present("region", "Draw and guess") == nil
        }
        let closes = "asked.filter((each) => /draw.*\"close\"/.test(each)).length"
        #expect(try page.run("return \(closes)").number == 1)
    }

    /// A text after a move hides no turn, neither in the title nor in the list.
    private func expectTurn(of page: Browser, and bob: Browser, in name: String) async throws {
        try await bob.find("button", "Close").click()
        try await bob.find("textbox", "Message").type("What could that be?\u{E007}")
        _ = try await page.find("article", "What could that be?")
        try await eventually("alice's turn") { try page.title == "Your turn – \(name)" }
        #expect(try bob.title.hasPrefix("Your turn") == false)
        let list = try await page.find("navigation", "Conversations")
        let link = try await page.find("link", name, in: list)
        #expect(try link.attribute("title") == "Your turn")
        #expect(try link.text.contains("Your turn"))
        try await page.find("button", "Pass on").click()
        try await eventually("bob's turn") { try bob.title == "Your turn – \(name)" }
        try await eventually("the end of alice's turn") {
            try page.title.hasPrefix("Your turn") == false
        }
    }

    /// How far anything in the page is scrolled down.
    private func scrolled(_ page: Browser) throws -> Double {
        let script = """
            return [...document.querySelectorAll("*")].reduce((sum, { scrollTop, scrollLeft }) =>
                sum + scrollTop + scrollLeft, 0);
            """
        return try #require(try page.run(script).number)
    }
}
