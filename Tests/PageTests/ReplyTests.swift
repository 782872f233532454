import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Texts reply to messages, whose quotes lead to them.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct ReplyTests {
    private let pair: PagePair
    private let name: String
    private let alice: Browser
    private let bob: Browser

    init() async throws {
        pair = try #require(PagePair.current)
        name = try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
    }

    private func beginReply(to article: String) async throws {
        try alice.rest(on: try await alice.find("article", article))
        try await alice.find("button", "Reply").click()
        _ = try await alice.find("group", "Reply")
    }

    private func ended() async throws {
        try await eventually("the end of the reply") { try alice.present("group", "Reply") == nil }
    }

    /// Follows the quote, and waits for the frame around its message, which is there for a moment.
    ///
    /// Regression: the whole page was scrolled too, out of the window.
    private func follow(_ quote: String, to message: String) async throws {
        let watch = """
            const { animate } = Element.prototype;
            const isWatched = window.framed;
            window.framed = [];
            if (isWatched) return;
            Element.prototype.animate = function (frames, options) {
                const article = this.closest(".stuck") && this.closest("article");
                if (article) window.framed.push(article.getAttribute("aria-label"));
                return animate.call(this, frames, options);
            };
            """
        try alice.run(watch)
        try await alice.find("button", quote).click()
        try await eventually("the frame") {
            try alice.run("return window.framed").array?.compactMap(\.text) == [message]
        }
        #expect(try alice.run("return document.body.scrollTop + scrollY") == 0)
    }

    @Test func messagesOfAllConversationsAreFound() async throws {
        try await bob.say("Meet at the Café?")
        try await bob.say("At eight")
        _ = try await alice.find("article", "At eight")
        try await pair.begin()
        try await alice.find("searchbox", "Search all messages").type("meet CAFE")
        let hits = try await alice.find("region", "Found")
        let hit = try await alice.find("button", from: "\u{2068}bob\u{2069} in \(name)")
        try await eventually("one hit") { try hits.text.hasSuffix("1 found") }
        try await alice.inspect("search", sizes: [(1_440, 900)])
        try hit.click()
        _ = try await alice.find("article", "Meet at the Café?")
        _ = try await alice.find("heading", name)
        try await alice.find("searchbox", "Search all messages").type(" don't:\u{E007}")
        try await eventually("nothing") { try hits.text == "Nothing was found." }
        try await alice.find("searchbox", "Search all messages").type("\u{E00C}")
        try await eventually("the list") { try alice.present("region", "Found") == nil }
    }

    @Test func aReplyQuotesItsMessage() async throws {
        try await bob.say("Which game?")
        try await beginReply(to: "Which game?")
        #expect(try alice.active()?.name == "Message")
        try alice.press(.escape)
        try await ended()
        try await beginReply(to: "Which game?")
        try await alice.find("button", "Cancel reply").click()
        try await ended()
        try await beginReply(to: "Which game?")
        try await alice.inspect("reply", sizes: [(320, 568), (1_440, 900)])
        try await alice.say("Tic-tac-toe")
        try await ended()
        let quote = "Reply to \u{2068}You\u{2069}: Which game?"
        let said = try await bob.find("button", quote)
        #expect(try said.text == "You\nWhich game?")
        try await alice.inspect("quote", sizes: [(320, 568), (1_440, 900)])
        try await alice.say("no reply")
        let last = try await bob.find("article", "no reply")
        #expect(try last.text.contains("Which game?") == false)
        // The quote is that of the edited text.
        try await bob.find("textbox", "Message").type("\u{E013}")
        _ = try await bob.find("group", "Edit")
        try await bob.find("textbox", "Message").type("\u{E009}a\u{E000}Which app?\u{E007}")
        _ = try await alice.find("button", "Reply to \u{2068}bob\u{2069}: Which app?")
    }

    @Test func theQuoteLeadsToTheMessageAndLoadsIt() async throws {
        try await bob.say("the old one")
        try await beginReply(to: "the old one")
        try await alice.say("the reply")
        let quote = "Reply to \u{2068}bob\u{2069}: the old one"
        try await follow(quote, to: "the old one")
        #expect(try alice.active()?.name == "the old one")
        // A reply far below, in a transcript of which only the end is loaded.
        try await beginReply(to: "the old one")
        let lines = (1...300).map { "{\"caption\": \"line \($0)\"}\n" }
        _ = try await pair.alice.run("send", "-c", name, "--batch", "-", input: lines.joined())
        try await alice.say("the far reply")
        _ = try await alice.find("article", "the far reply")
        try alice.go(to: "/c/\(name.replacing(" ", with: "%20"))")
        try await alice.waitForConnection()
        _ = try await alice.find("article", "the far reply")
        #expect(try alice.present("article", "the old one") == nil)
        try await follow("Reply to an earlier message", to: "the old one")
        let script = """
            const [box, log] = [arguments[0], document.querySelector(".log")].map((element) =>
                element.getBoundingClientRect());
            return box.top >= log.top && box.bottom <= log.bottom;
            """
        let old = try await alice.find("article", "the old one")
        #expect(try alice.run(script, old.reference) == true)
        try await alice.find("button", "To the newest").click()
        // A message at the very end cannot come into the middle.
        try await beginReply(to: "the far reply")
        try await alice.say("the last one")
        try await follow("Reply to \u{2068}You\u{2069}: the far reply", to: "the far reply")
    }
}
