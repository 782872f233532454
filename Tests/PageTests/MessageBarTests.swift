import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// The bar of a message comes with each device that people point with, and is never in the way.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct MessageBarTests {
    private let alice: Browser
    private let bob: Browser

    init() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
    }

    private func gone(from page: Browser) async throws {
        try await eventually("the end of the bar") { try page.present("toolbar", "Actions") == nil }
    }

    @Test func itComesUnderTheMouseAndCopies() async throws {
        try await bob.say("Copy <b>this</b>,\u{E008}\u{E007}\u{E000}two lines")
        let article = try await alice.find("article", from: "Copy <b>this</b>")
        try alice.rest(on: article)
        let bar = try await alice.find("toolbar", "Actions")
        // WebDriver takes what is still appearing for hidden.
        try await eventually("the time") {
            try bar.text.wholeMatch(of: /[0-9]{1,2}:[0-9]{2}.*/) != nil
        }
        try await alice.find("button", "Copy", in: bar).click()
        try await eventually("that it was copied") { try alice.seen.contains("Copied.") }
        try await gone(from: alice)
        let field = try await alice.find("textbox", "Message")
        try field.type("\u{E009}v")
        try await eventually("the text in the field") {
            try field.property("value") == "Copy <b>this</b>,\ntwo lines"
        }
        try field.type("\u{E009}a\u{E000}\u{E017}")

        try alice.rest(on: article)
        _ = try await alice.find("toolbar", "Actions")
        try alice.rest(on: nil)
        try await gone(from: alice)
        try alice.rest(on: article)
        _ = try await alice.find("toolbar", "Actions")
        try alice.press(.escape)
        try await gone(from: alice)
    }

    @Test func aLongPressOpensItAndAMoveDoesNot() async throws {
        try await alice.say("See https://example.org/ and more")
        let article = try await bob.find("article", from: "See https")
        let link = try await bob.find("link", "https://example.org/", in: article)
        try bob.hold(article, for: 700, movingBy: 30)
        #expect(try bob.present("toolbar", "Actions") == nil)
        let before = try bob.tabCount
        try bob.hold(link, for: 700)
        _ = try await bob.find("toolbar", "Actions")
        #expect(try bob.tabCount == before, "the end of the press is no tap on the link")
        try await bob.inspect("message-bar", sizes: [(320, 568), (390, 844)])
        try await bob.find("textbox", "Message").click()
        try await gone(from: bob)
    }

    @Test func itIsReachedByKeysAndGivesTheFocusBack() async throws {
        try await bob.say("the first one")
        try await bob.say("the last one")
        _ = try await alice.find("article", "the last one")
        try await alice.go(by: .up, to: "article", "the last one")
        let first = try await alice.find("article", "the first one")
        #expect(try alice.isFocused(first))
        try alice.press(.enter)
        let bar = try await alice.find("toolbar", "Actions")
        let react = try await alice.find("button", "React", in: bar)
        try await eventually("the focus in the bar") { try alice.isFocused(react) }
        try await alice.inspect("message-bar-keys", sizes: [(1_440, 900)])
        try alice.press(.escape)
        try await gone(from: alice)
        #expect(try alice.isFocused(first))
        // The browser remembers which of the messages had the focus.
        try alice.press(.down)
        try alice.press(.down)
        #expect(try alice.active()?.name == "the last one")
        let other = try await alice.find("toolbar", "Actions")
        try await eventually("the time, with the focus") { try other.text.contains(":") }
        try alice.press(.enter)
        try await eventually("the focus in the bar") { try alice.active()?.name == "React" }
        try alice.press(.tab)
        try await gone(from: alice)
    }

    /// The message is the only thing in sight, in a small window, and it is longer than that.
    @Test(arguments: ["short", String(repeating: "long words of a message ", count: 40)])
    func itNeverCoversTheMessage(_ text: String) async throws {
        try bob.resize(width: 320, height: 568)
        for (page, name) in [(alice, "theirs"), (bob, "mine")] {
            try await page.say("\(name) \(text)")
            let article = try await bob.find("article", from: name)
            try bob.hold(article, for: 700)
            _ = try await bob.find("toolbar", "Actions")
            let script = """
                const bar = document.querySelector(".toolbar");
                const [own, text, log] = [bar, bar.parentNode.firstChild, bar.closest(".log")]
                    .map((element) => element.getBoundingClientRect());
                const isBeside = own.bottom <= text.top || own.top >= text.bottom
                    || own.right <= text.left || own.left >= text.right;
                return [isBeside, own.left >= 0 && own.right <= innerWidth,
                    own.top >= log.top - 1 && own.bottom <= log.bottom + 1];
                """
            #expect(try bob.run(script) == [true, true, true], "\(name)")
            try bob.picture("message-bar-\(name)-\(text.count)")
            try bob.press(.escape)
            try await gone(from: bob)
        }
    }

    @Test func aFileIsSavedUnderItsName() async throws {
        let folder = try TestDirectory()
        let path = try folder.write("rules.txt", Data("no phones\n".utf8))
        try bob.first("input[type=file]").type(path)
        _ = try await bob.find("button", "Remove rules.txt")
        try await bob.find("button", "Send").click()
        let article = try await alice.find("article", "rules.txt")
        try alice.rest(on: article)
        let save = try await alice.find("link", "Save")
        #expect(try save.attribute("download") == "rules.txt")
        #expect(try alice.present("button", "Copy") == nil)
        let script = """
            const [link, done] = arguments;
            fetch(link.href).then((answer) => answer.text()).then(done);
            """
        #expect(try alice.runLater(script, save.reference) == "no phones\n")
    }
}
