import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Ice cream and Draw and guess between two nodes, on their pages.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct SampleGameTests {
    /// A sundae in turns, and its sticker, sent and put on a message.
    @Test func aSundaeInTurnsBecomesASticker() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        try await alice.openApp("Ice cream")
        try await alice.find("button", "Add a sundae").click()
        try await alice.find("button", "Waffle bowl").click()
        try await alice.sendDraft()

        let card = try await bob.find("article", "A sundae to build on: Waffle bowl")
        try await bob.find("button", "Open", in: card).click()
        _ = try await bob.find("image", "The sundae: Waffle bowl")
        try await bob.inspect("sundae-parts", sizes: [(390, 844)])
        try await bob.find("button", "Berry patch").click()
        try await bob.sendDraft()

        // Send has led both to the transcript, and the card leads to the sundae again.
        let second = try await alice.find(
            "article",
            "A sundae to build on: Waffle bowl, Berry patch"
        )
        try await alice.find("button", "Open", in: second).click()
        try await alice.find("button", "Fresh fruit").click()
        try await alice.sendDraft()
        let parts = "Waffle bowl, Berry patch, Fresh fruit"
        let third = try await bob.find("article", "A finished sundae: \(parts)")
        try await bob.find("button", "Open", in: third).click()
        _ = try await bob.find("image", "The sundae: \(parts)")
        try await bob.inspect("sundae-finished", sizes: [(390, 844)])
        try await bob.find("button", "Send it as a sticker").click()
        try await bob.sendDraft()
        // The sticker is a picture in alice's transcript, and the sundae is on her shelf.
        let panel = try await alice.find("region", "Ice cream")
        let sticker = try await alice.find("article", "A sundae: \(parts)")
        try await eventually("the picture of the sticker") {
            let width = try alice.run(
                "return document.querySelector('.log article:last-of-type img')?.naturalWidth ?? 0"
            )
            return width.number == 300
        }
        #expect(try sticker.role == "article")
        _ = try await alice.find("button", "A sundae: \(parts)", in: panel)
        try await alice.inspect("sundae-shelf", sizes: [(1_440, 900)])
        try await put("A sundae: \(parts)", from: panel, on: "Thank you!", alice, bob)
    }

    /// Writes a text, puts a sticker of the panel on it with the keyboard, and expects that the
    /// other one sees it there.
    private func put(
        _ sticker: String,
        from panel: Element,
        on text: String,
        _ page: Browser,
        _ other: Browser
    ) async throws {
        let enter = "\u{E007}"
        try await page.find("textbox", "Message").type(text + enter)
        try await page.find("button", sticker, in: panel).click()
        try await page.find("button", "Close", in: panel).click()
        try await page.find("button", "Place on a message").type(enter)
        let target = try await page.find("button", "Put the sticker on \(text)")
        try await eventually("the focus") { try page.isFocused(target) }
        try target.type(enter)
        try await eventually("the place") {
            let script = "return document.querySelector('.composer').textContent"
            return try page.run(script).text?.contains("50 % from the left") == true
        }
        try target.type(enter)
        try await other.find("button", "Close").click()
        for page in [page, other] {
            let article = try await page.find("article", text)
            _ = try await page.find("image", sticker, in: article)
            try await eventually("the picture of the sticker") {
                let script = "return document.querySelector('.placed img')?.naturalWidth"
                return try page.run(script).number == 300
            }
        }
        try other.picture("sundae-on-a-message")
    }

    /// A drawing that grows while it is guessed, a wrong guess, more ink, and a right guess.
    @Test func aDrawingIsGuessed() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        let word = try await alice.beginDrawing(with: bob).lowercased()
        let panel = try await alice.find("region", "Draw and guess")
        let bobs = try await bob.find("region", "Draw and guess")
        let paper = try await alice.find("application", "Paper", in: panel)
        try paper.draw((0.2, 0.2), (0.8, 0.2), (0.5, 0.8))
        _ = try await alice.usedInk()
        try await alice.inspect("drawing-paper", sizes: [(1_440, 900)])
        _ = try await bob.find("image", "The drawing")
        try await bob.inspect("drawing-guess", sizes: [(390, 844)])
        let strokes = "return document.querySelector('.view-canvas').ink.node.strokes.length"
        try await eventually("the stroke") { try bob.run(strokes).number == 1 }
        let field = try await bob.find("textbox", "Your guess")
        try field.click()
        try await bob.find("button", "Guess", in: bobs).click()
        try await eventually("a hint") { try bobs.text.contains("Write what you think it is") }
        try await eventually("the focus in the field") { try bob.isFocused(field) }
        for (width, height) in [(1_280, 640), (320, 568), (844, 390)] {
            #expect(try alice.seesBoard(width, height), "\(width) × \(height)")
            #expect(try bob.seesBoard(width, height), "\(width) × \(height)")
        }
        let first = try bob.timer()
        try await eventually("the clock goes on") { try bob.timer() < first }
        #expect(try abs(alice.timer() - bob.timer()) <= 2)
        // What is half typed stays while alice goes on drawing.
        try field.type("a spo")
        try paper.draw((0.4, 0.5), (0.6, 0.5))
        try await eventually("one stroke more") { try bob.run(strokes).number == 2 }
        let ink = try await alice.usedInk()
        #expect(try field.property("value") == "a spo")
        #expect(try bob.isFocused(field))
        try field.type("on\u{E007}")
        for page in [alice, bob] {
            try await eventually("the wrong guess") {
                try await page.find("region", "Draw and guess").text
                    .replacing(/[\u{2068}\u{2069}]/, with: "").contains("bob: not “a spoon”")
            }
        }
        try await eventually("the news, spoken") { try alice.news().contains("not “a spoon”") }
        // The wrong guess gives more ink.
        try await eventually("more ink") { try await alice.usedInk() != ink }
        try await eventually("an empty field") { try field.property("value") == "" }
        try field.type("\(word)\u{E007}")
        for (page, line) in [
            (bob, "You guessed it: “\(word)”."), (alice, "bob guessed it: “\(word)”."),
        ] {
            try await eventually("the end of the turn") {
                try await page.find("region", "Draw and guess").text
                    .replacing(/[\u{2068}\u{2069}]/, with: "").contains(line)
            }
            // A line that was ended with Return is not told to the next screen once more.
            let text = try await page.find("region", "Draw and guess").text
            #expect(!text.contains("nothing was done"))
        }
        try await bob.inspect("drawing-words", sizes: [(390, 844)])
        try await chat(pair)
    }

    /// Regression: an edit that came after the guess brought the guess back into the field.
    @Test func aSlowEditBringsNoGuessBack() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        _ = try await alice.beginDrawing(with: bob)
        let field = try await bob.find("textbox", "Your guess")
        let slow = """
            const ask = window.fetch;
            window.edits = 0;
            window.fetch = async (path, ...more) => {
                const isEdit = String(more[0]?.body).includes('"edit"');
                if (isEdit) await new Promise((done) => setTimeout(done, 1_000));
                const answer = await ask(path, ...more);
                if (isEdit) window.edits += 1;
                return answer;
            };
            """
        _ = try bob.run(slow)
        try field.type("a f")
        try await eventually("edits") { try bob.run("return window.edits").number ?? 0 > 1 }
        _ = try bob.run("window.edits = 0")
        try field.type("ork\u{E007}")
        try await eventually("the wrong guess") {
            try await alice.find("region", "Draw and guess").text.contains("a fork")
        }
        try await eventually("the edit") { try bob.run("return window.edits").number ?? 0 > 0 }
        try await eventually("an empty field", within: .seconds(5)) {
            try field.property("value") == ""
        }
    }

    /// Regression: what was typed while a guess was on its way was not told to the app.
    @Test func whatIsTypedDuringAGuessIsGuessedNext() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        _ = try await alice.beginDrawing(with: bob)
        let field = try await bob.find("textbox", "Your guess")
        let slow = """
            const ask = window.fetch;
            window.fetch = async (path, ...more) => {
                const isGuess = String(more[0]?.body).includes('"submit"');
                if (isGuess) await new Promise((done) => setTimeout(done, 1_000));
                return ask(path, ...more);
            };
            """
        _ = try bob.run(slow)
        try field.type("a fork\u{E007}")
        try field.type("\u{E009}a\u{E000}a knife")
        try await eventually("the first guess") {
            try await alice.find("region", "Draw and guess").text.contains("a fork")
        }
        try await bob.find("button", "Guess").click()
        try await eventually("the second guess") {
            try await alice.find("region", "Draw and guess").text.contains("a knife")
        }
    }

    /// What somebody writes is seen over the game of another one, and leads to the transcript.
    private func chat(_ pair: PagePair) async throws {
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        let panel = try await alice.find("region", "Draw and guess")
        try await bob.find("textbox", "Message").type("Well drawn!\u{E007}")
        let note = try await alice.find("button", from: "bob Well drawn!")
        _ = try await alice.find("button", "1 new message")
        try await alice.inspect("drawing-aside", sizes: [(390, 844)])
        try note.click()
        try await eventually("the transcript") { try panel.attribute("data-style") == "compact" }
        #expect(try alice.present("button", "1 new message") == nil)
    }
}

extension Browser {
    /// The seconds that the countdown shows.
    fileprivate func timer() throws -> Int {
        let shown = try run("return document.querySelector('.panel [role=timer]').textContent").text
        let found = try #require(shown?.wholeMatch(of: /(\d+):(\d\d) left/))
        return try #require(Int(found.1)) * 60 + #require(Int(found.2))
    }

    /// Whether the whole board and the row of tools below it are in a window of that size.
    fileprivate func seesBoard(_ width: Int, _ height: Int) throws -> Bool {
        try resize(width: width, height: height)
        let script = """
            const body = document.querySelector(".panel-body").getBoundingClientRect();
            const parts = [...document.querySelectorAll(".view-canvas, .view-canvas ~ .view-row")];
            return parts.length > 1 && parts.slice(0, 2).every((part) => {
                const box = part.getBoundingClientRect();
                return box.height > 40 && box.top >= body.top && box.bottom <= body.bottom;
            });
            """
        return try run(script) == .bool(true)
    }
}
