import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// The page on a phone: on its side, on a small one, on the home screen, and after it has slept.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedPair
)
struct PhoneTests {
    private let pair: PagePair
    private let page: Browser

    init() throws {
        pair = try #require(PagePair.current)
        page = pair.bobsPage
    }

    @Test func onItsSideTheAppIsBesideTheTranscript() async throws {
        try await pair.begin()
        try page.resize(width: 844, height: 390)
        try await page.openApp("Tic-tac-toe")
        let script = """
            const [log, panel] = [".log", ".panel"].map((each) =>
                document.querySelector(each).getBoundingClientRect());
            return [log.right <= panel.left + 1, log.width, log.height, panel.width, panel.height];
            """
        try await eventually("both side by side") {
            let found = try page.run(script).array ?? []
            guard found.first == true else { return false }
            return found.dropFirst().allSatisfy { ($0.number ?? 0) >= 200 }
        }
        try await page.inspect("on-its-side", sizes: [(844, 390)])
        // An app that is expanded covers both.
        try page.resize(width: 844, height: 390)
        try await page.find("button", "Expand").click()
        try await eventually("the whole width") {
            try page.run("return document.querySelector('.panel').offsetWidth").number == 844
        }
        try page.picture("on-its-side-expanded")
    }

    /// A board fits its window, and is as large as that allows.
    @Test func boardsScaleWithTheWindow() async throws {
        try await pair.begin()
        try await page.openApp("Tic-tac-toe")
        try await page.find("button", "Expand").click()
        let script = """
            const [grid, body] = [".view-grid", ".panel-body"].map((each) =>
                document.querySelector(each).getBoundingClientRect());
            return grid.bottom <= body.bottom && grid.right <= body.right
                ? grid.width / Math.min(body.width, body.height) : 0;
            """
        for (width, height) in [(320, 640), (390, 844), (844, 390), (1_440, 900)] {
            try page.resize(width: width, height: height)
            try await eventually("a large board at \(width)") {
                (try page.run(script).number ?? 0) > 0.55
            }
        }
    }

    /// On the smallest phones, no word of the page or an app is broken.
    @Test func noWordIsBroken() async throws {
        let name = try await pair.begin()
        try page.resize(width: 320, height: 640)
        try await expectWholeWords("no-messages")
        _ = try await pair.alice.run("send", "-c", name, "--text", "Shall we play this evening?")
        for (button, dialog) in [("Invite", "Invite"), ("People", "People")] {
            try await page.find("button", button).click()
            try await expectWholeWords(dialog.lowercased())
            let close = dialog == "People" ? "Close people" : "Close"
            try await page.find("button", close).click()
        }
        let apps = ["Tic-tac-toe", "Icon store", "Ice cream", "Draw and guess", "Mood and food"]
        for app in apps {
            try await page.openApp(app)
            try await expectWholeWords(app)
            try await page.find("button", "Expand").click()
            try await eventually("the whole app") {
                try page.run("return document.querySelector('.panel').dataset.style") == "expanded"
            }
            try await expectWholeWords("\(app), expanded")
            try await page.find("button", "Close").click()
        }
    }

    private func expectWholeWords(_ screen: String) async throws {
        let script = """
            const broken = [];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const node = walker.currentNode;
                if (node.parentElement.closest(".unseen, .notices, noscript, [inert], textarea")) {
                    continue;
                }
                for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
                    const range = document.createRange();
                    range.setStart(node, index);
                    range.setEnd(node, index + word.length);
                    const tops = [...range.getClientRects()].filter(({ width }) => width)
                        .map(({ top }) => top);
                    if (Math.max(...tops) - Math.min(...tops) > 4) broken.push(word);
                }
            }
            return broken;
            """
        let broken = try page.run(script).array?.compactMap(\.text)
        #expect(broken == [], "\(screen)")
        try page.picture("small-\(screen.lowercased().filter(\.isLetter))")
    }

    /// The browser reads the manifest, and finds no fault in it.
    @Test func thePageCanBeOnTheHomeScreen() async throws {
        try await pair.begin()
        let found = try page.devTools("Page.getAppManifest")
        #expect(found["errors"]?.array?.isEmpty == true, "\(found)")
        #expect(found["url"]?.text?.hasSuffix("/assets/manifest.json") == true)
        #expect(found["data"]?.text?.contains("\"display\": \"standalone\"") == true)
        let sizes = """
            const done = arguments[arguments.length - 1];
            const image = new Image();
            image.onload = () => done(image.naturalWidth);
            image.onerror = () => done(0);
            image.src = document.querySelector("link[rel=apple-touch-icon]").href;
            """
        #expect(try page.runLater(sizes).number == 192)
    }

    /// Over http the page says how to keep it on the home screen, until that is closed.
    @Test func aHintLeadsToTheHomeScreen() async throws {
        let name = try await pair.begin()
        let phone = """
            Object.defineProperty(window, "isSecureContext", { value: false });
            const before = window.matchMedia.bind(window);
            window.matchMedia = (query) => query === "(pointer: coarse)"
                ? { matches: true } : before(query);
            """
        let added = try page.devTools(
            "Page.addScriptToEvaluateOnNewDocument",
            ["source": .text(phone)]
        )
        defer {
            _ = try? page.devTools("Page.removeScriptToEvaluateOnNewDocument", added)
        }
        try page.go(to: "/")
        try await page.waitForConnection()
        let hint = "return document.querySelector('.home-hint')?.textContent ?? ''"
        try await eventually("the hint") {
            try page.run(hint).text?.contains("Home screen") == true
        }
        try await page.inspect("home-hint", sizes: [(390, 844)])
        try await page.find("button", "Close the hint").click()
        try await eventually("the end of the hint") { try page.run(hint).text == "" }
        try page.go(to: "/c/\(name)")
        try await page.waitForConnection()
        try await page.find("button", "People").click()
        #expect(try page.run(hint).text == "")
        _ = try page.run("localStorage.removeItem('home hint seen')")
    }

    /// A phone that wakes or finds its network again opens the stream at once.
    @Test func thePageWorksAgainWhenThePhoneWakes() async throws {
        let name = try await pair.begin()
        _ = try page.run(
            """
            window.opened = 0;
            const Before = EventSource;
            window.EventSource = class extends Before {
                constructor(...all) { super(...all); window.opened += 1; }
            };
            """
        )
        func opened() throws -> Double { try page.run("return opened").number ?? -1 }
        _ = try page.run("document.dispatchEvent(new Event('visibilitychange'))")
        #expect(try opened() == 0, "the stream is alive")
        _ = try page.run("window.dispatchEvent(new Event('online'))")
        #expect(try opened() == 1)
        try await page.waitForConnection()
        // The clock of the day goes on while a phone sleeps, and that of the page stands.
        _ = try page.run(
            """
            const { now } = Date;
            Date.now = () => now() + 60_000;
            document.dispatchEvent(new Event("visibilitychange"));
            """
        )
        #expect(try opened() == 2)
        try await page.waitForConnection()
        _ = try await pair.alice.run("send", "-c", name, "--text", "Good morning")
        _ = try await page.find("article", "Good morning")
    }
}
