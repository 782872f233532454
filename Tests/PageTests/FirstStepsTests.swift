import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// The words and offers of the page for somebody who has just come.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct FirstStepsTests {
    private let pair: PagePair
    private let page: Browser

    init() throws {
        pair = try #require(PagePair.current)
        page = pair.bobsPage
    }

    /// The page does not claim that nobody is there while it looks for them, also after a restart
    /// of the node, and says that a node without discovery does not look.
    @Test func whoHasJoinedLooksForTheOthers() async throws {
        let carol = try await PageNode("carol")
        _ = try await pair.alice.run("conversation", "create", "club")
        let invite = try await pair.alice.run("invite", "club")
        let link = try JSON.decode(Invite.self, from: invite).link
        _ = try await carol.run("join", "-", input: link)
        _ = try await carol.run("conversation", "create", "own")
        try await carol.restart {}
        let made = try await carol.run("page", "--conversation", "club")
        let driver = try await BrowserDriver()
        let page = try driver.browser(width: 1_440, height: 900)
        try page.open(try JSON.decode(PageLinkDocument.self, from: made).link)
        try await page.waitForConnection()
        _ = try await page.find("log", "Transcript")
        // The page may not know yet how the node looks for others.
        let text = try await eventually("where the others are looked for") {
            let text = try page.run("return document.querySelector('main').innerText").text ?? ""
            return text.contains("without --no-discovery") ? text : nil
        }
        #expect(text.contains("The others were not found yet"))
        #expect(!text.contains("Nobody else"))
        #expect(!text.contains("Only you"))
        try await page.inspect("joining", sizes: [(390, 844), (1_440, 900)])

        try await page.find("button", "Nearby").click()
        let dialog = try await page.find("dialog", "Nearby")
        #expect(try dialog.text.contains("without --no-discovery"))
        try await page.find("button", "Close", in: dialog).click()

        try await page.find("link", "own").click()
        try await eventually("the invitation of the conversation that carol has made") {
            try page.seen.contains("Nobody else is here yet")
        }
        await carol.end()
    }

    /// The line with the time stays when the message below it shrinks to its summary.
    @Test func theTimeOfAReplacedMessageStays() async throws {
        try await pair.begin()
        try await pair.alicesPage.openApp("Tic-tac-toe")
        try await pair.alicesPage.find("button", "Square 1, free").click()
        try await pair.alicesPage.sendDraft()
        let card = try await page.find("article", from: "Tic-tac-toe: 1 X")
        let log = try await page.find("log", "Transcript")
        #expect(try log.text.contains(#/\d\d:\d\d/#))
        try await page.find("button", "Open", in: card).click()
        try await page.find("button", "Square 2, free").click()
        try await page.sendDraft()
        try await eventually("the summary of the first move") {
            try log.text.contains("alice played X")
        }
        #expect(try log.text.contains(#/\d\d:\d\d/#))
    }

    /// A phone shows the apps in two columns, and all of a small app in its panel.
    @Test func aPhoneHasRoomForTheApps() async throws {
        try await pair.begin()
        let tiles = """
            const tiles = [...document.querySelectorAll(".tile")].map((tile) =>
                tile.getBoundingClientRect());
            const bars = [...document.querySelectorAll("main *")].filter((element) =>
                element.offsetWidth - element.clientWidth > 8 && element.clientWidth > 200
                    && getComputedStyle(element).overflowY !== "visible");
            return [new Set(tiles.map(({ left }) => left)).size,
                Math.max(...tiles.map(({ bottom }) => bottom)), bars.length];
            """
        let numbers = try page.run(tiles).array?.compactMap(\.number) ?? []
        try #require(numbers.count == 3)
        #expect(numbers[0] >= 2, "columns")
        #expect(numbers[1] < 844, "all tiles are seen")
        #expect(numbers[2] == 0, "nothing has a bar to scroll")

        try await page.openApp("Tic-tac-toe")
        try await page.find("button", "Square 5, free").click()
        try await page.sendDraft()
        let button = try await page.find("button", "New game")
        let inside = """
            const panel = arguments[0].closest(".panel-body").getBoundingClientRect();
            return arguments[0].getBoundingClientRect().bottom <= panel.bottom;
            """
        #expect(try page.run(inside, button.reference) == true, "all of the app is seen")
        try page.picture("panel-compact-390x844-light")
    }
}

extension Browser {
    /// The text that is seen on the whole page.
    var seen: String {
        get throws { try run("return document.body.innerText").text ?? "" }
    }
}
