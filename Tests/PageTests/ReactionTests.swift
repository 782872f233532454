import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// People put emoji on messages, which everybody sees.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct ReactionTests {
    private let alice: Browser
    private let bob: Browser

    init() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
    }

    /// Opens the choice of an emoji on a message.
    private func choose(_ emoji: String, on article: String, by page: Browser) async throws {
        try page.hold(try await page.find("article", article), for: 700)
        try await page.find("button", "React").click()
        let choice = try await page.find("dialog", "React")
        try await page.find("menuitemradio", emoji, in: choice).click()
        try await eventually("the end of the choice") { try page.present("dialog", "React") == nil }
    }

    private func isGone(_ chip: String, from page: Browser) async throws {
        try await eventually("no \(chip)") { try page.present("button", chip) == nil }
    }

    @Test func aReactionIsSeenByAllUntilItIsTakenOff() async throws {
        try await alice.say("Pizza tonight?")
        try await choose("👍", on: "Pizza tonight?", by: bob)
        _ = try await bob.find("button", "👍, you")
        try await alice.find("button", "👍, bob").click()
        let chip = try await alice.find("button", "👍, bob and you")
        #expect(try chip.text == "👍 2")
        #expect(try chip.attribute("title") == "bob and you")
        #expect(try chip.attribute("aria-pressed") == "true")
        _ = try await bob.find("button", "👍, alice and you")
        try await alice.inspect("reactions", sizes: [(320, 568), (1_440, 900)])

        // Everybody has one, so another one takes its place.
        try await choose("❤️", on: "Pizza tonight?", by: bob)
        _ = try await alice.find("button", "❤️, bob")
        try await isGone("👍, bob and you", from: alice)
        try bob.hold(try await bob.find("article", "Pizza tonight?"), for: 700)
        try await bob.find("button", "React").click()
        let own = try await bob.find("menuitemradio", "❤️")
        #expect(try own.attribute("aria-checked") == "true")
        try await bob.inspect("reaction-choice", sizes: [(320, 568), (390, 844)])
        try own.click()
        try await isGone("❤️, bob", from: alice)
        try await alice.find("button", "👍, you").click()
        try await isGone("👍, alice", from: bob)
        #expect(try bob.present("group", "Reactions") == nil)
    }

    private func focused(_ name: String) async throws {
        // One step, as an element that has the focus may be gone in the next moment.
        let script = """
            const { activeElement: active } = document;
            return active.getAttribute("aria-label") ?? active.textContent;
            """
        try await eventually("the focus on \(name)") { try alice.run(script).text == name }
    }

    @Test func itIsChosenByKeys() async throws {
        try await bob.say("by keys")
        _ = try await alice.find("article", "by keys")
        try await alice.go(by: .enter, to: "article", "by keys")
        try await focused("React")
        try alice.press(.enter)
        try await focused("👍")
        try alice.press(.escape)
        try await focused("by keys")
        #expect(try alice.present("dialog", "React") == nil)
        try alice.press(.enter)
        try await focused("React")
        try alice.press(.enter)
        try await focused("👍")
        try alice.press(.right)
        try alice.press(.right)
        try alice.press(.enter)
        _ = try await bob.find("button", "😂, alice")
        try await focused("by keys")
    }

    @Test func anyEmojiCanBeWritten() async throws {
        try await bob.say("another one")
        try alice.rest(on: try await alice.find("article", "another one"))
        try await alice.find("button", "React").click()
        let field = try await alice.find("textbox", "Another emoji")
        // The driver types no emoji.
        try alice.run("arguments[0].value = '👩‍👩‍👧'", field.reference)
        try field.type("\u{E007}")
        _ = try await bob.find("button", "👩‍👩‍👧, alice")
        try alice.rest(on: nil)
        try alice.rest(on: try await alice.find("article", "another one"))
        try await alice.find("button", "React").click()
        try await alice.find("textbox", "Another emoji").type("no")
        try alice.press(.enter)
        try await eventually("why not") {
            try alice.seen.contains("A reaction is one character, usually an emoji.")
        }
    }
}
