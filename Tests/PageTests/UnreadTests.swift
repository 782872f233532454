import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// People find where they have stopped reading, and when a message was written.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct UnreadTests {
    private let pair: PagePair
    private let name: String
    private let alice: Browser
    private let bob: Browser

    init() async throws {
        pair = try #require(PagePair.current)
        name = try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
    }

    /// Whether the line of the unread is there, and the message below it.
    private func below() throws -> String? {
        let script = """
            const line = document.querySelector(".unread-line");
            return line?.nextElementSibling.getAttribute("aria-label");
            """
        return try alice.run(script).text
    }

    private func row(_ title: String) async throws -> Element {
        let link = try await alice.find("link", name)
        try await eventually(title) { try link.attribute("title") == title }
        return link
    }

    @Test func theLineStaysUntilTheConversationIsLeft() async throws {
        try await bob.say("read one")
        _ = try await alice.find("article", "read one")
        #expect(try below() == nil)
        try await alice.find("button", "New conversation").click()
        try await alice.find("textbox", "Name").type("elsewhere of \(name)\u{E007}")
        _ = try await alice.find("heading", "elsewhere of \(name)")
        try await bob.say("unread one")
        try await bob.say("unread two")
        let link = try await row("2 new")
        let weight = """
            return getComputedStyle(arguments[0].querySelector(".conversation-name")).fontWeight;
            """
        #expect(try alice.run(weight, link.reference) == "700")
        try await alice.inspect("unread-list", sizes: [(1_440, 900)])
        try link.click()
        _ = try await alice.find("separator", "New")
        #expect(try below() == "unread one")
        try await alice.say("an answer")
        try await bob.say("unread three")
        _ = try await alice.find("article", "unread three")
        #expect(try below() == "unread one")
        try await alice.inspect("unread", sizes: [(390, 844), (1_440, 900)])
        try alice.resize(width: 1_440, height: 900)
        try await alice.find("link", "elsewhere of \(name)").click()
        _ = try await alice.find("heading", "elsewhere of \(name)")
        try await alice.find("link", name).click()
        _ = try await alice.find("article", "unread three")
        #expect(try below() == nil)
    }

    @Test func whatCameWhileThePageWasClosedIsCounted() async throws {
        try await bob.say("before")
        _ = try await alice.find("article", "before")
        let address = try alice.run("return location.origin").text ?? ""
        try alice.open("about:blank")
        for number in 1...3 { try await bob.say("missed \(number)") }
        try await eventually("all on the other node") {
            let said = try await pair.alice.run("transcript", "-c", name)
            return String(decoding: said, as: UTF8.self).contains("missed 3")
        }
        try alice.open(address)
        try await alice.waitForConnection()
        let link = try await row("3 new")
        #expect(try alice.title.hasPrefix("(3) "))
        try link.click()
        _ = try await alice.find("article", "missed 3")
        #expect(try below() == "missed 1")
    }

    /// The days are those of the browser, in its language.
    @Test(arguments: [
        ("en-US", 0, "Today"), ("en-US", 1, "Yesterday"), ("de-DE", 0, "Heute"),
        ("de-DE", 1, "Gestern"), ("en-US", 3, "[A-Z][a-z]+day, .+"),
        ("en-US", 400, ".+day, .+ 20.."),
    ])
    func aDayHasItsName(language: String, later days: Int, heading: String) async throws {
        try await bob.say("of this day")
        _ = try await alice.find("article", "of this day")
        try alice.devTools("Emulation.setLocaleOverride", ["locale": .text(language)])
        let shift = """
            const way = \(days) * 86400000;
            window.Date = class extends Date {
                constructor(...parts) {
                    if (parts.length) super(...parts);
                    else super(Date.now() + way);
                }
            };
            """
        let made = try alice.devTools(
            "Page.addScriptToEvaluateOnNewDocument",
            ["source": .text(shift)]
        )
        _ = try alice.run("location.reload()")
        try await alice.waitForConnection()
        _ = try await alice.find("article", "of this day")
        let heads = "return [...document.querySelectorAll('.day')].map((each) => each.textContent)"
        let names = try alice.run(heads).array?.compactMap(\.text) ?? []
        #expect(names.count == 1)
        #expect(try names.first?.wholeMatch(of: Regex(heading)) != nil, "\(names)")
        try alice.devTools(
            "Page.removeScriptToEvaluateOnNewDocument",
            ["identifier": made["identifier"] ?? ""]
        )
        try alice.devTools("Emulation.setLocaleOverride", ["locale": ""])
    }
}
