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
    /// A sundae in turns, and its sticker.
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
        try await bob.find("button", "Berry patch").click()
        try await bob.sendDraft()

        try await alice.find("button", "Fresh fruit").click()
        try await alice.sendDraft()
        let parts = "Waffle bowl, Berry patch, Fresh fruit"
        _ = try await bob.find("image", "The sundae: \(parts)")
        try bob.picture("sundae-bob")
        try await bob.find("button", "Send it as a sticker").click()
        try await bob.sendDraft()
        // The sticker is a picture in alice's transcript, and the sundae is on her shelf.
        let panel = try await alice.find("region", "Ice cream")
        try await alice.find("button", "Collapse", in: panel).click()
        let sticker = try await alice.find("article", "A sundae: \(parts)")
        try await eventually("the picture of the sticker") {
            let width = try alice.run(
                "return document.querySelector('.log article:last-of-type img')?.naturalWidth ?? 0"
            )
            return width.number == 300
        }
        #expect(try sticker.role == "article")
        _ = try await alice.find("button", "A sundae: \(parts)", in: panel)
        try alice.picture("sundae-alice")
    }

    /// A drawing, a wrong guess, more ink, and a right guess.
    @Test func aDrawingIsGuessed() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        try await alice.openApp("Draw and guess")
        let panel = try await alice.find("region", "Draw and guess")
        try await alice.find("button", "New drawing", in: panel).click()
        let word = try await eventually("a word to choose") {
            let choice = "document.querySelector('.panel [data-node$=\"#word1\"]')"
            return try alice.run("return \(choice)?.textContent").text
        }
        try await alice.find("button", word, in: panel).click()
        let paper = try await alice.find("application", "Paper", in: panel)
        try paper.draw((0.2, 0.2), (0.8, 0.2), (0.5, 0.8))
        let ink = try await alice.find("image", from: "Ink: ")
        try await eventually("ink that is used") { try ink.name != "Ink: 100 % left" }
        try await alice.find("button", "Done", in: panel).click()
        try await alice.sendDraft()

        let card = try await bob.find("article", "Draw and guess: What is it?")
        try await bob.find("button", "Open", in: card).click()
        _ = try await bob.find("image", "The drawing")
        try await bob.find("textbox", "Your guess").type("a spoon\u{E007}")
        try await bob.sendDraft()

        // The wrong guess gives more ink.
        try await eventually("the wrong guess") { try panel.text.contains("Not “a spoon”") }
        let more = try await alice.find("application", "Paper", in: panel)
        try more.draw((0.4, 0.5), (0.6, 0.5))
        try await eventually("the stroke") {
            try alice.present("button", "Done")?.attribute("aria-disabled") == nil
        }
        try await alice.find("button", "Done", in: panel).click()
        try await alice.sendDraft()

        try await bob.find("textbox", "Your guess").type("\(word)\u{E007}")
        try await bob.sendDraft()
        for (name, page) in [("alice", alice), ("bob", bob)] {
            try await eventually("the end of the round") {
                try await page.find("region", "Draw and guess").text.contains("Well guessed!")
            }
            // A line that was ended with Return is not told to the next screen once more.
            let text = try await page.find("region", "Draw and guess").text
            #expect(!text.contains("nothing was done"))
            try page.picture("drawing-\(name)")
        }
    }
}
