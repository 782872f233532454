import Foundation
import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// A long transcript, of which only what is near the window is in the document.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5))
)
struct TranscriptTests {
    private static let count = 1_000
    /// The most entries that are in the document at once.
    private static let countAtOnce = 150

    /// The Home key once stood still at the first entry in the document: more entries were put
    /// there above the window, and no scrolling was left that would have asked for others.
    @Test func allOfALongTranscriptIsReachedByKeyboard() async throws {
        let (node, page) = try await open(Self.count)
        #expect(try page.present("button", "To the newest") == nil)

        try await page.go(by: .home, to: "log", "Transcript")
        // Ten pages of entries, each of which the browser lays out.
        try await eventually("the first entry", within: .seconds(240)) {
            try page.press(.home)
            return try numbers(on: page).contains(1)
        }
        let found = try page.violations()
        #expect(found.isEmpty, "\(found)")
        try await eventually("the first entry in sight") {
            try page.press(.home)
            return try isInSight(1, on: page)
        }
        try await page.find("button", "To the newest").click()
        try await eventually("the last entry in sight") {
            try isInSight(Self.count, on: page)
        }
        #expect(try numbers(on: page).contains(Self.count))
        #expect(try page.present("button", "To the newest") == nil)
        await #expect(node.end() == 0)
    }

    /// Scrolling in a frame in which the page draws as well once did not count as a person's: after
    /// eight such frames nothing asked for the entries above the window any more, which then stood
    /// at its upper edge in the middle of the transcript.
    @Test func scrollingInFramesInWhichThePageDrawsGoesOn() async throws {
        let count = 600
        let (node, page) = try await open(count)
        // Entries that are in memory are not asked for, so nothing but scrolling brings them.
        try await eventually("earlier entries") {
            try page.run("document.querySelector('.log').scrollTop = 0")
            return try numbers(on: page).contains(1)
        }
        try await page.find("button", "To the newest").click()
        try await eventually("the last entry in sight") { try isInSight(count, on: page) }
        let script = """
            const [done] = arguments;
            const log = document.querySelector(".log");
            const frames = (count, run, then) => requestAnimationFrame(() => {
                run();
                if (count > 1) frames(count - 1, run, then);
                else then?.();
            });
            const scroll = () => { log.scrollTop = 0; };
            scroll();
            // After these the page knows that a person has left the end.
            frames(3, () => {}, () => {
                // In each frame: scrolling, the page's own drawing, and what makes it draw again.
                frames(40, scroll);
                frames(40, () => document.dispatchEvent(new Event("visibilitychange")), done);
            });
            """
        try page.runLater(script)
        try await eventually("entries above the window") {
            let top = try page.run("return document.querySelector('.log').scrollTop").number
            return try #require(top) > 0 || numbers(on: page).contains(1)
        }
        await #expect(node.end() == 0)
    }

    /// A message out of sight moves nothing: in the conversation a pill says that it is there, and
    /// elsewhere the list and the title.
    @Test func newMessagesOutOfSightAreCounted() async throws {
        let (node, page) = try await open(40)
        _ = try await node.run("conversation", "create", "other")
        let log = try await page.find("log", "Transcript")
        try await eventually("the first entry in sight") {
            try page.run("arguments[0].scrollTop = 0", log.reference)
            return try isInSight(1, on: page)
        }
        let bob = try await PageNode("bob", peers: [try #require(node.ready.addresses.first)])
        let invite = try await node.run("invite", "long")
        let link = try JSON.decode(Invite.self, from: invite).link
        _ = try await bob.run("join", "-", input: link)
        for number in 41...42 {
            _ = try await bob.run("send", "-c", "long", "--caption", "message \(number)")
            let name = "\(number - 40) new"
            _ = try await page.find("button", name)
            #expect(try isInSight(1, on: page))
        }
        let found = try page.violations()
        #expect(found.isEmpty, "\(found)")
        try page.picture("two-new")
        try await page.find("button", "2 new").click()
        try await eventually("the newest message in sight") { try isInSight(42, on: page) }
        #expect(try page.present("button", "2 new") == nil)

        try await page.find("link", "other").click()
        _ = try await page.find("textbox", "Message")
        _ = try await bob.run("send", "-c", "long", "--caption", "message 43")
        let row = try await page.find("link", "long")
        try await eventually("the badge") { try row.attribute("title") == "1 new" }
        #expect(try page.title == "(1) other – Parley")
        let badge = "return document.querySelector('.conversation .badge').textContent"
        #expect(try page.run(badge) == "1")
        try row.click()
        _ = try await page.find("article", "message 43")
        try await eventually("the end of the badge") { try row.attribute("title") == nil }
        #expect(try page.title == "long – Parley")
        await #expect(bob.end() == 0)
        await #expect(node.end() == 0)
    }

    /// The messages that scrolling loads, a button loads for people who do not scroll.
    ///
    /// While nothing comes it stays, as for whoever reads slowly.
    @Test func earlierMessagesAreShownByAButton() async throws {
        let (node, page) = try await open(60)
        try page.devTools("Network.enable")
        try page.devTools("Network.setBlockedURLs", ["urls": .array([.text("*before=*")])])
        try await eventually("the first of what is loaded") {
            try page.run("document.querySelector('.log').scrollTop = 0")
            return try numbers(on: page).first == 11
        }
        let button = try await page.find("button", "Show earlier messages")
        let found = try page.violations()
        #expect(found.isEmpty, "\(found)")
        try button.click()
        #expect(try page.run("return document.activeElement.role").text == "log")
        try page.devTools("Network.setBlockedURLs", ["urls": .array([])])
        // Messages that were asked for in vain are asked for by the next press.
        try await eventually("earlier messages") {
            try? page.present("button", "Show earlier messages")?.click()
            return try numbers(on: page).first.map { $0 < 11 } ?? false
        }
        try await eventually("the first message") {
            try page.run("document.querySelector('.log').scrollTop = 0")
            return try numbers(on: page).first == 1
        }
        try await eventually("the end of the button") {
            try page.present("button", "Show earlier messages") == nil
        }
        await #expect(node.end() == 0)
    }

    /// Starts a node with a conversation of that many entries, and opens it in a browser.
    private func open(_ count: Int) async throws -> (PageNode, Browser) {
        let node = try await PageNode("alice")
        _ = try await node.run("conversation", "create", "long")
        let lines = (1...count).map { "{\"caption\": \"message \($0)\"}\n" }
        _ = try await node.run("send", "-c", "long", "--batch", "-", input: lines.joined())
        let page = try await BrowserDriver().browser(width: 1_440, height: 900)
        try page.open(try #require(node.ready.page))
        try await page.waitForConnection()
        try await page.find("link", "long").click()
        _ = try await page.find("article", "message \(count)")
        return (node, page)
    }

    /// The numbers of the entries in the document, which are few, in order and without a gap.
    private func numbers(on page: Browser) throws -> [Int] {
        let script = """
            return [...document.querySelectorAll(".log article")]
                .map((article) => Number(article.getAttribute("aria-label").slice(8)))
            """
        let numbers = try page.run(script).array?.compactMap(\.number).map { Int($0) } ?? []
        let first = try #require(numbers.first)
        #expect(numbers == Array(first..<first + numbers.count))
        #expect(numbers.count <= Self.countAtOnce)
        return numbers
    }

    private func isInSight(_ number: Int, on page: Browser) throws -> Bool {
        let script = """
            const log = document.querySelector(".log").getBoundingClientRect();
            const article = document.querySelector(`article[aria-label="message ${arguments[0]}"]`);
            const box = article?.getBoundingClientRect();
            return Boolean(box) && box.top >= log.top && box.bottom <= log.bottom;
            """
        return try page.run(script, .number(Double(number))) == .bool(true)
    }
}
