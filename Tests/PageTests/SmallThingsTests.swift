import Foundation
import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// What people meet on every evening: focus, Back, Send, drafts, links, and who wrote.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedPair
)
struct SmallThingsTests {
    private let pair: PagePair
    private let page: Browser

    init() throws {
        pair = try #require(PagePair.current)
        page = pair.bobsPage
    }

    private func style(_ style: String, of panel: Element) async throws {
        try await eventually("the style \(style)") { try panel.attribute("data-style") == style }
    }

    /// Regression: dialogs began on the close button, so that a name and Enter threw the name away.
    @Test func aDialogBeginsInItsFirstField() async throws {
        try await pair.begin()
        try page.go(to: "/")
        try await page.waitForConnection()
        try await page.find("button", "Join by link").click()
        let link = try await page.find("textbox", "Link")
        #expect(try page.isFocused(link))
        try page.write("\u{E00C}")
        try await page.find("button", "New conversation").click()
        let name = try await page.find("textbox", "Name")
        #expect(try page.isFocused(name))
        let chosen = "evening \(UUID().uuidString.prefix(8))"
        try page.write(chosen + "\u{E007}")
        _ = try await page.find("heading", chosen)
    }

    @Test func leavingCanBeCancelled() async throws {
        let name = try await pair.begin()
        try await page.find("button", "People").click()
        try await page.find("button", "Leave conversation").click()
        let dialog = try await page.find("dialog", "Leave conversation")
        let cancel = try await page.find("button", "Cancel", in: dialog)
        #expect(try page.isFocused(cancel))
        try cancel.click()
        try await eventually("the end of the dialog") {
            try page.present("dialog", "Leave conversation") == nil
        }
        try await page.find("button", "Close people").click()
        _ = try await page.find("heading", name)
    }

    /// Regression: Back led from an app over the transcript to the list of conversations.
    @Test func backLeadsFromAnAppToTheTranscript() async throws {
        let name = try await pair.begin()
        try page.go(to: "/")
        try await page.waitForConnection()
        try await page.find("link", name).click()
        try await page.openApp("Tic-tac-toe")
        let panel = try await page.find("region", "Tic-tac-toe")
        for closing in [
            "history.back()", "document.querySelector('[aria-label=Collapse]').click()",
        ] {
            try await page.find("button", "Expand", in: panel).click()
            try await style("expanded", of: panel)
            try await eventually("a way back") {
                try page.run("return history.state?.covers") == true
            }
            _ = try page.run(closing)
            try await style("compact", of: panel)
            try await eventually("the place before") {
                try page.run("return history.state === null") == true
            }
            #expect(try page.run("return decodeURI(location.pathname)").text == "/c/\(name)")
        }
        _ = try page.run("history.back()")
        try await eventually("the list") { try page.run("return location.pathname").text == "/" }
        try await eventually("the end of the panel") {
            try page.present("region", "Tic-tac-toe") == nil
        }
    }

    /// One Send takes all that is staged, and an app that covered the transcript makes way for it.
    @Test func oneSendTakesEverything() async throws {
        try await pair.begin()
        try await page.openApp("Icon store")
        try await page.find("button", "Fox").click()
        _ = try await page.find("region", "Draft")
        try await page.openApp("Tic-tac-toe")
        let panel = try await page.find("region", "Tic-tac-toe")
        try await page.find("button", "Expand", in: panel).click()
        try await style("expanded", of: panel)
        try await page.find("button", "Square 1, free", in: panel).click()
        try await eventually("both drafts") {
            try page.run("return document.querySelectorAll('.staged').length").number == 2
        }
        try await page.find("textbox", "Message").type("Both of them")
        try await page.find("button", "Send").click()
        let other = pair.alicesPage
        for article in ["From the icon store: Fox", "Both of them"] {
            _ = try await other.find("article", article)
        }
        _ = try await other.find("article", from: "Tic-tac-toe: 1 X")
        try await style("compact", of: panel)
        try await eventually("the empty field") { try page.present("region", "Draft") == nil }
    }

    /// Regression: an app that was opened again showed nothing of its own draft.
    @Test func anAppThatIsOpenedAgainShowsItsDraft() async throws {
        try await pair.begin()
        try await page.openApp("Tic-tac-toe")
        try await page.find("button", "Square 5, free").click()
        _ = try await page.find("region", "Draft")
        let panel = try await page.find("region", "Tic-tac-toe")
        try await page.find("button", "Close", in: panel).click()
        try await eventually("the end of the panel") {
            try page.present("region", "Tic-tac-toe") == nil
        }
        try await page.openApp("Tic-tac-toe")
        _ = try await page.find("button", "Square 5, X")
    }

    /// Regression: what was wrong with a file stayed until another one was chosen.
    @Test func aProblemGoesWithTheNextThing() async throws {
        try await pair.begin()
        let folder = try TestDirectory()
        let empty = try folder.write("empty.png", Data())
        let input = try page.first("input[type=file]")
        let problem = "return document.querySelector('.composer .problem')?.textContent ?? ''"
        let next = [
            "const area = document.querySelector('textarea'); area.value = 'x';"
                + "area.dispatchEvent(new Event('input', { bubbles: true }))",
            "document.querySelector('.button-apps').click()",
        ]
        for step in next {
            try input.type(empty)
            try await eventually("the problem") {
                try page.run(problem).text == "empty.png is empty."
            }
            _ = try page.run(step)
            try await eventually("no problem") { try page.run(problem).text == "" }
        }
    }

    @Test func linksAndEmoji() async throws {
        try await pair.begin()
        let text = "See www.example.org/rules?x=1, or mail ann@example.org."
        _ = try await pair.alice.run("send", "-c", name(), "--text", text)
        let link = try await page.find("link", "www.example.org/rules?x=1")
        #expect(try link.property("href") == "http://www.example.org/rules?x=1")
        for emoji in ["🎉", "👩‍👩‍👧 🇩🇪", "👍🏽❤️😀"] {
            _ = try await pair.alice.run("send", "-c", name(), "--text", emoji)
            let kind = try await eventually("the bubble") {
                try page.run(
                    "return [...document.querySelectorAll('.bubble')].find((each) => "
                        + "each.textContent === arguments[0])?.className",
                    .text(emoji)
                ).text
            }
            #expect(kind == "bubble is-emoji", "\(emoji)")
        }
        for words in ["1234", "ok 🎉", "🎉🎉🎉🎉"] {
            _ = try await pair.alice.run("send", "-c", name(), "--text", words)
            _ = try await page.find("article", words)
            let large = try page.run("return document.querySelectorAll('.is-emoji').length").number
            #expect(large == 3, "\(words)")
        }
        try await page.inspect("emoji", sizes: [(390, 844)])
    }

    /// Regression: "On 2 of 2" was said to people.
    @Test func everybodyHasIt() async throws {
        let name = try await pair.begin()
        let addresses = [pair.alice, pair.bob].compactMap(\.ready.addresses.first)
        let carol = try await PageNode("carol", peers: addresses)
        let invite = try await pair.alice.run("invite", name)
        let link = try JSON.decode(Invite.self, from: invite).link
        _ = try await carol.run("join", "-", input: link)
        _ = try await carol.run("send", "-c", name, "--text", "I am here")
        _ = try await page.find("article", "I am here")
        try await page.find("textbox", "Message").type("Welcome\u{E007}")
        let delivery = "return document.querySelector('.delivery')?.textContent"
        try await eventually("all nodes") {
            try page.run(delivery).text == "Everybody has it"
        }
        await carol.end()
    }

    private func name() throws -> String {
        try #require(
            try page.run("return decodeURIComponent(location.pathname.slice(3))").text
        )
    }

    @Test func theListSaysWhoWrote() async throws {
        let name = try await pair.begin()
        _ = try await pair.alice.run("send", "-c", name, "--text", "Supper is ready")
        try page.go(to: "/")
        try await page.waitForConnection()
        let line = """
            return [...document.querySelectorAll(".conversation-line")].map((each) =>
                each.textContent.replace(/[\\u2068\\u2069]/g, ""));
            """
        func lines() throws -> [String] { try page.run(line).array?.compactMap(\.text) ?? [] }
        try await eventually("alice") { try lines().contains("alice: Supper is ready") }
        _ = try await pair.bob.run("send", "-c", name, "--text", "I am coming")
        try await eventually("bob") { try lines().contains("You: I am coming") }
        // Lines of apps that have the name in them do not have it twice.
        _ = try await pair.alice.run(["send", "-c", name, "--app", "x", "--caption", "alice moved"])
        try await eventually("the move") { try lines().contains("alice moved") }
    }

    /// Regression: "press Ctrl and C" was said on phones, too.
    @Test func copyingSaysWhatAPhoneCanDo() async throws {
        try await pair.begin()
        try await page.find("button", "Invite").click()
        let copy = try await page.find("button", "Copy")
        _ = try page.run(
            """
            Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
            const { matchMedia } = window;
            window.matchMedia = (query) => /pointer/.test(query)
                ? { matches: true } : matchMedia(query);
            """
        )
        try copy.click()
        let dialog = try await page.find("dialog", "Invite")
        // Over http the old way copies.
        try await eventually("the copy") { try dialog.text.contains("Copied.") }
        _ = try page.run("document.execCommand = () => false")
        try copy.click()
        try await eventually("what a person can do") {
            try dialog.text.contains("touch it for a while to copy it")
        }
        #expect(try dialog.text.contains("Ctrl") == false)
    }
}
