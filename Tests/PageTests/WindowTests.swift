import Foundation
import Glibc
import PageSupport
import ParleyAPI
import ParleyCommand
import TestSupport
import Testing
import WebDriver

/// Several pages in one browser, the panel in its window, and the way from a card to a web page.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct WindowTests {
    /// A browser sends a cookie to all ports of a host, so the pages of two nodes get both.
    @Test func twoNodesAndTwoTabsDoNotDisturbEachOther() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let browser = pair.alicesPage
        let first = try browser.tab
        try await browser.find("textbox", "Message").type("from the first tab")
        let page = try browser.run("return location.href").text ?? ""
        let path = try browser.run("return location.pathname").text ?? ""

        let second = try browser.openTab()
        try browser.open(page)
        try await browser.waitForConnection()
        try await browser.find("textbox", "Message").type("from the second tab\u{E007}")
        _ = try await browser.find("article", "from the second tab")

        try browser.openTab()
        let answer = try await pair.bob.run("page")
        try browser.open(try JSON.decode(PageLinkDocument.self, from: answer).link)
        try await browser.waitForConnection()
        #expect(try browser.run("return location.href").text?.hasPrefix(page) == false)
        try browser.go(to: path)
        try await browser.waitForConnection()
        _ = try await browser.find("article", "from the second tab")
        try await browser.find("textbox", "Message").type("from bob\u{E007}")

        // Neither is signed out, and what was typed stays.
        for tab in [second, first] {
            try browser.choose(tab: tab)
            _ = try await browser.find("article", "from bob")
            #expect(try browser.run("return location.href").text == page)
        }
        let typed = "return document.querySelector('textarea').value"
        #expect(try browser.run(typed).text == "from the first tab")
        try await browser.find("button", "Send").click()
        _ = try await pair.bobsPage.find("article", "from the first tab")
    }

    /// The page is in the executable, which needs no file beside it.
    @Test func aCopiedExecutableServesThePageFromAnotherFolder() async throws {
        let browser = try #require(PagePair.current).alicesPage
        let elsewhere = try TestDirectory()
        let node = try await PageNode("carol", copiedTo: elsewhere.url)
        let before = try browser.tab
        try browser.openTab()
        try browser.open(try #require(node.ready.page))
        // The script has started, and the style sheet is there.
        try await browser.waitForConnection()
        let look = "return getComputedStyle(document.querySelector('.page')).display"
        #expect(try browser.run(look) == "grid")
        await #expect(node.end() == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: elsewhere.url.path)
        #expect(left == ["parley"])
        try browser.choose(tab: before)
    }

    /// The file that the opener of a desktop gets signs the browser in, though it is of no site.
    @Test func theFileOfTheDesktopOpensThePage() async throws {
        let browser = try #require(PagePair.current).alicesPage
        let folder = try TestDirectory()
        let opener = try folder.write("xdg-open", Data("#!/bin/sh\nexit 0\n".utf8))
        try #require(chmod(opener, 0o755) == 0)
        let desktop = try #require(
            DesktopBrowser(environment: ["DISPLAY": ":0", "PATH": folder.url.path])
        )
        let node = try await PageNode("dora")
        _ = try await node.run("conversation", "create", "club & co")
        let made = try await node.run("page", "--conversation", "club & co")
        let link = try JSON.decode(PageLinkDocument.self, from: made).link
        #expect(desktop.open(link, through: folder.url))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let file = try #require(names.first { $0.hasSuffix(".html") })
        let before = try browser.tab
        try browser.openTab()
        try browser.open("file://" + folder.path(file))
        try await eventually("the page") {
            try browser.run("return location.pathname").text == "/c/club%20%26%20co"
        }
        try await browser.waitForConnection()
        await node.end()
        try browser.choose(tab: before)
    }

    /// Dragged upwards the panel expands, downwards it collapses and then closes.
    @Test(arguments: [Pointer.mouse, .touch])
    func theHandleOfAPanelIsDragged(with pointer: Pointer) async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let page = pair.bobsPage
        try await page.openApp("Tic-tac-toe")
        let panel = try await page.find("region", "Tic-tac-toe")
        for (way, style) in [(-200.0, "expanded"), (200, "compact")] {
            try page.drag(from: try handle(on: page), by: way, with: pointer)
            try await eventually("the style \(style)") {
                try panel.attribute("data-style") == style
            }
        }
        // A touch that moves little is no drag.
        try page.drag(from: try handle(on: page), by: -8, with: pointer)
        #expect(try panel.attribute("data-style") == "compact")
        try page.drag(from: try handle(on: page), by: 200, with: pointer)
        try await eventually("the end of the panel") {
            try page.present("region", "Tic-tac-toe") == nil
        }
    }

    /// The message at hand is seen above the panel, also if it is an old one.
    @Test func theTranscriptScrollsToTheMessageAtHand() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let page = pair.bobsPage
        func write(_ numbers: ClosedRange<Int>) async throws {
            let lines = numbers.map { "{\"caption\": \"line \($0)\"}\n" }.joined()
            _ = try await pair.alice.run("send", "-c", name, "--batch", "-", input: lines)
            _ = try await page.find("article", "line \(numbers.upperBound)")
        }
        try await write(1...12)
        try await pair.alicesPage.openApp("Tic-tac-toe")
        try await pair.alicesPage.find("button", "Square 1, free").click()
        try await pair.alicesPage.sendDraft()
        let card = try await page.find("article", from: "Tic-tac-toe: 1 X")
        try await write(13...30)
        // The card is at the lower edge of the transcript, where the panel is going to be.
        let open = try await page.find("button", "Open", in: card)
        _ = try page.run("arguments[0].scrollIntoView({ block: 'end' })", card.reference)
        try open.click()
        let panel = try await page.find("region", "Tic-tac-toe")
        try await page.find("button", "Collapse", in: panel).click()
        _ = try await page.find("button", "Expand", in: panel)
        try await eventually("the message above the panel") {
            let script = """
                const [box, log] = [arguments[0], document.querySelector(".log")]
                    .map((element) => element.getBoundingClientRect());
                return box.top >= log.top - 1 && box.bottom <= log.bottom + 1;
                """
            return try page.run(script, card.reference) == true
        }
        try page.picture("message-at-hand")
    }

    /// A message of an app that is not there leads to its web page, and says where that is.
    @Test func aCardOfAnAppThatIsMissingLeadsToItsPage() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let address = "https://shop.example/icons?id=rocket"
        _ = try await pair.alice.run(
            ["send", "-c", name, "--app", "example.shop", "--caption", "Rocket", "--url", address]
        )
        let page = pair.bobsPage
        let card = try await page.find("article", "Rocket")
        let link = try await page.find("link", "Open shop.example", in: card)
        #expect(try link.attribute("href") == address)
        #expect(try link.attribute("target") == "_blank")
        #expect(try link.attribute("rel") == "noopener noreferrer")
        #expect(try card.text.contains("Rocket"))
        try await page.inspect("missing-app", sizes: [(390, 844)])
    }

    /// Regression: the card of a message without a layout was empty where its app is missing.
    @Test func aCardWithoutALayoutShowsItsURL() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        _ = try await pair.alice.run(
            ["send", "-c", name, "--app", "example.chess", "--url", "?move=e4"]
        )
        let card = try await pair.bobsPage.find("article", "?move=e4")
        #expect(try card.text.contains("?move=e4"))
        #expect(try card.text.contains("not on this device"))
        try await pair.bobsPage.inspect("missing-app-url", sizes: [(390, 844)])
    }

    /// The middle of the handle, in points.
    private func handle(on page: Browser) throws -> (x: Double, y: Double) {
        let script = """
            const box = document.querySelector(".handle").getBoundingClientRect();
            return [box.left + box.width / 2, box.top + 8];
            """
        let numbers = try page.run(script).array?.compactMap(\.number) ?? []
        try #require(numbers.count == 2)
        return (numbers[0], numbers[1])
    }
}
