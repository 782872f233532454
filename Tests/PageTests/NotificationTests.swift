import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Notifications of the browser when it becomes one's turn.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair(.whole)
)
struct NotificationTests {
    private let pair: PagePair
    private let page: Browser

    init() throws {
        pair = try #require(PagePair.current)
        page = pair.alicesPage
    }

    /// Notes what the page asks for and shows; the browser shows it all the same.
    private static let watching = """
        window.asked = 0;
        window.notes = [];
        const ask = Notification.requestPermission.bind(Notification);
        Notification.requestPermission = () => { asked += 1; return ask(); };
        window.Notification = class extends Notification {
            constructor(title, options) {
                super(title, options);
                this.addEventListener("show", () => notes.push(`${title}: ${options.body}`));
                window.noteIcon = options.icon;
                this.addEventListener("error", () => notes.push("error"));
            }
        };
        """

    @Test func itIsMyTurnIsSaidOnceAndOnlyToWhoDoesNotLook() async throws {
        try page.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .text(Self.watching)])
        let name = try await pair.begin()
        try await page.find("button", "Notify me on my turn").click()
        try await eventually("the question for the permission") {
            try page.run("return asked").number == 1
        }
        try page.devTools(
            "Browser.grantPermissions",
            ["permissions": ["notifications"], "origin": try page.run("return location.origin")]
        )
        try page.go(to: try page.run("return location.pathname").text ?? "/")
        try await page.waitForConnection()
        #expect(try page.present("button", "Notify me on my turn") == nil)
        let people = try await page.find("complementary", "People")
        #expect(try people.text.contains("You are notified when it is your turn."))

        try page.minimize()
        #expect(try page.run("return document.hidden") == true)
        try await move(1, on: pair.bobsPage)
        try await eventually("the notification") {
            try notes() == ["Your turn – \(name): bob has moved"]
        }
        #expect(try page.title == "Your turn – \(name)")
        #expect(try page.run("return noteIcon") == "/assets/icon.png")

        // A person who looks at the page sees the move there.
        try page.restore()
        try await eventually("the page in front") {
            try page.run("return !document.hidden && document.hasFocus()") == true
        }
        let card = try await page.find("article", from: "Tic-tac-toe: 1 X")
        try await page.find("button", "Open", in: card).click()
        try await page.find("button", "Square 2, free").click()
        try await page.sendDraft()
        _ = try await pair.bobsPage.find("button", "Square 2, O")
        try await pair.bobsPage.find("button", "Square 3, free").click()
        try await pair.bobsPage.sendDraft()
        _ = try await page.find("button", "Square 3, X")
        try await eventually("the turn in the title") {
            try page.title == "Your turn – \(name)"
        }
        #expect(try notes().count == 1)
    }

    /// The bell is of one conversation, and what oneself writes or looks at rings no bell.
    @Test func theBellTellsOfEveryMessageOfItsConversation() async throws {
        try page.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .text(Self.watching)])
        let name = try await pair.begin()
        try page.devTools(
            "Browser.grantPermissions",
            ["permissions": ["notifications"], "origin": try page.run("return location.origin")]
        )
        _ = try page.run("location.reload()")
        try await page.waitForConnection()
        let bell = try await page.find("button", "Tell me of messages")
        #expect(try bell.attribute("aria-pressed") == "false")
        try page.minimize()
        try await pair.bobsPage.say("before the bell")
        let row = try await page.find("link", name)
        try await eventually("the message") { try row.attribute("title") == "1 new" }
        let icon = "return document.querySelector('link[rel=icon]').getAttribute('href')"
        try await eventually("the badge") { try page.run(icon).text?.hasPrefix("blob:") == true }
        try page.restore()
        try await eventually("the end of the badge") { try page.run(icon) == "/assets/icon.png" }
        #expect(try notes().isEmpty)
        // The message has come while nobody looked.
        _ = try await page.find("separator", "New")

        try bell.click()
        try await eventually("the bell") { try bell.attribute("aria-pressed") == "true" }
        try await page.inspect("bell", sizes: [(320, 568), (1_440, 900)])
        try page.resize(width: 1_440, height: 900)
        try await pair.bobsPage.say("while it is looked at")
        _ = try await page.find("article", "while it is looked at")
        try page.minimize()
        _ = try await pair.alice.run("send", "-c", name, "--text", "of oneself")
        try await pair.bobsPage.say("with the bell")
        try await eventually("the notification") {
            try notes() == ["bob – \(name): with the bell"]
        }
        try page.restore()
        try bell.click()
        try await eventually("no bell") { try bell.attribute("aria-pressed") == "false" }
        try page.minimize()
        try await pair.bobsPage.say("after the bell")
        try await eventually("the message") { try row.attribute("title") == "1 new" }
        #expect(try notes().count == 1)
        try page.restore()
    }

    /// Chrome on Android has notifications, but refuses to make one for a page: that was an error
    /// in the midst of taking the event.
    @Test func aBrowserThatMakesNoNotificationsIsNoError() async throws {
        let phone = pair.bobsPage
        let refusing = """
            window.Notification = class {
                static permission = "granted";
                constructor() { throw new TypeError("Illegal constructor"); }
            };
            navigator.vibrate = () => (window.hasBuzzed = true);
            window.EventSource = class extends EventSource {
                addEventListener(type, act) {
                    super.addEventListener(type, (event) => {
                        [window.stream, window.position] = [this, event.lastEventId];
                        act(event);
                    });
                }
            };
            """
        try phone.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .text(refusing)])
        let name = try await pair.begin()
        try await phone.find("button", "People").click()
        let people = try await phone.find("complementary", "People")
        #expect(try people.text.contains("You are notified when it is your turn."))
        try await phone.inspect("notified", sizes: [(390, 844)])
        try await phone.find("button", "Close people").click()
        _ = try phone.consoleLines()

        try phone.minimize()
        try await move(1, on: page)
        try await eventually("the turn in the title") {
            try phone.title == "Your turn – \(name)"
        }
        let lines = try phone.consoleLines()
        #expect(lines.isEmpty, "\(lines)")
        // A nudge is told by a note and a sound, without a bell.
        #expect(try phone.run("return window.hasBuzzed ?? false") == .bool(false))
        try phone.nudge(from: "alice", in: name)
        try await eventually("the note and the sound") {
            let note = "document.querySelector('.note')?.textContent"
            let told = try phone.run("return window.hasBuzzed && \(note)")
            return told == "alice waits for your move."
        }
        try phone.restore()
    }

    /// Regression: a page that went out of sight with a frame still to come drew nothing until it
    /// was in sight again, not even its title.
    @Test func whatWasDueWhenThePageWentOutOfSightIsDrawn() async throws {
        let page = pair.bobsPage
        _ = try await pair.begin()
        // Something changes, and the frame in which it would be drawn does not come.
        let script = """
            window.requestAnimationFrame = () => 0;
            document.dispatchEvent(new Event("visibilitychange"));
            """
        try page.run(script)
        try page.minimize()
        try await move(1, on: pair.alicesPage)
        try await eventually("the move") {
            try page.run("return document.body.innerText.includes('alice has moved')") == true
        }
        try page.restore()
    }

    private func notes() throws -> [String] {
        try page.run("return notes").array?.compactMap(\.text) ?? []
    }

    private func move(_ square: Int, on page: Browser) async throws {
        try await page.openApp("Tic-tac-toe")
        try await page.find("button", "Square \(square), free").click()
        try await page.sendDraft()
    }
}

extension Browser {
    /// Lets the stream of the page have one event more, which says that somebody nudges.
    fileprivate func nudge(from name: String, in conversation: String) throws {
        let script = """
            const [name, conversation] = arguments;
            const [ring, number] = window.position.split("-");
            window.stream.dispatchEvent(new MessageEvent("nudge", {
                data: JSON.stringify({ conversation, session: "", name }),
                lastEventId: `${ring}-${Number(number) + 1}`,
            }));
            """
        _ = try run(script, .text(name), .text(conversation))
    }
}
