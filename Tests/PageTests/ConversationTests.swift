import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Conversations are made, joined and left on the page, as a new player does it.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct ConversationTests {
    let pair: PagePair

    init() throws {
        pair = try #require(PagePair.current)
    }

    @Test func aConversationIsMadeJoinedAndLeft() async throws {
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        // A name that is taken is refused where it was typed, and stays there.
        _ = try await pair.alice.run("conversation", "create", "Book club")
        try await alice.find("button", "New conversation").click()
        let making = try await alice.find("dialog", "New conversation")
        let name = try await alice.find("textbox", "Name", in: making)
        try name.type("Book club\u{E007}")
        try await eventually("why it was not made") { try making.text.contains("Book club") }
        #expect(try name.property("value") == "Book club")
        try name.type(" of four")
        try await alice.find("button", "Make conversation", in: making).click()
        let list = try await alice.find("navigation", "Conversations")
        try await eventually("the new conversation") {
            try alice.present("link", "Book club of four")?.attribute("aria-current") == "page"
        }
        #expect(try alice.run("return location.pathname").text == "/c/Book%20club%20of%20four")
        #expect(try list.text.contains("Only you"))

        try await alice.find("button", "Invite").click()
        let inviting = try await alice.find("dialog", "Invite")
        let field = try await alice.find("textbox", "Invite link", in: inviting)
        let link = try #require(try field.property("value"))
        try await alice.find("button", "Close", in: inviting).click()
        try await join(link, on: bob)

        try await bob.find("textbox", "Message").type("Here I am\u{E007}")
        _ = try await alice.find("article", "Here I am")
        try await leave("Book club of four", on: bob)
        // A person who has left may come back with the link, and finds everything again.
        try await join(link, on: bob)
        _ = try await bob.find("article", "Here I am")
    }

    /// A link for one device lets one in, and People says who had made it.
    ///
    /// Regression: the page did not take changes of peers, and loaded everything after each one.
    @Test func aLinkThatEndsLetsOneIn() async throws {
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        _ = try await pair.alice.run("conversation", "create", "Chess night")
        try alice.go(to: "/c/Chess%20night")
        try await alice.waitForConnection()
        try await alice.find("button", "Invite").click()
        let dialog = try await alice.find("dialog", "Invite")
        let field = try await alice.find("textbox", "Invite link", in: dialog)
        let lasting = try field.property("value")
        #expect(try dialog.text.contains("works for ever"))
        let devices = try await alice.find("combobox", "For", in: dialog)
        _ = try alice.run(
            "arguments[0].value = '1'; arguments[0].dispatchEvent(new Event('change'));",
            devices.reference
        )
        try await alice.find("button", "New link", in: dialog).click()
        try await eventually("the link that ends") {
            try dialog.text.contains("lets 1 more device in and ends")
        }
        try await alice.inspect("invite-that-ends", sizes: [(390, 844), (1_440, 900)])
        let link = try #require(try field.property("value"))
        #expect(link != lasting)
        _ = try alice.run("performance.clearResourceTimings()")
        try await join(link, on: bob)
        try await eventually("the end of the link") {
            try dialog.text.contains("lets nobody in any more")
        }
        try await alice.find("button", "New link", in: dialog).click()
        let revoke = try await eventually("the next link") {
            try alice.present("button", "Revoke link 2")
        }
        try revoke.click()
        try await eventually("a link without an end") {
            try field.property("value") == lasting && dialog.text.contains("works for ever")
        }
        try await alice.find("button", "Close", in: dialog).click()
        try await bob.find("textbox", "Message").type("Your move\u{E007}")
        _ = try await alice.find("article", "Your move")
        let people = try await alice.find("complementary", "People")
        try await eventually("who invited bob") {
            try people.text.contains("invited by \u{2068}alice\u{2069}")
        }
        let loads =
            "return performance.getEntriesByType('resource')"
            + ".filter(({ name }) => name.includes('/v1/page?')).length"
        #expect(try alice.run(loads) == .number(0))
    }

    private func join(_ link: String, on page: Browser) async throws {
        try page.go(to: "/")
        try await page.waitForConnection()
        try await page.find("button", "Join by link").click()
        let joining = try await page.find("dialog", "Join by link")
        let field = try await page.find("textbox", "Link", in: joining)
        try field.type("parley:nonsense")
        try await page.find("button", "Join", in: joining).click()
        _ = try await eventually("why nobody has joined") {
            try page.run("return document.querySelector('dialog [role=alert]')?.textContent").text
        }
        _ = try page.run("arguments[0].select()", field.reference)
        try field.type(link + "\u{E007}")
        try await eventually("the end of the dialog") {
            try page.present("dialog", "Join by link") == nil
        }
        _ = try await page.find("textbox", "Message")
    }

    private func leave(_ name: String, on page: Browser) async throws {
        try await page.find("button", "People").click()
        try await page.find("button", "Leave conversation").click()
        let leaving = try await page.find("dialog", "Leave conversation")
        try await page.inspect("dialog-leave", sizes: [(390, 844), (1_440, 900)])
        try page.resize(width: 390, height: 844)
        try await page.find("button", "Leave", in: leaving).click()
        try await eventually("the list without the conversation") {
            let path = try page.run("return location.pathname").text
            return try path == "/" && page.present("link", name) == nil
        }
    }

    /// Everybody sees that anybody can come in: in the list, above the transcript, and where
    /// somebody would invite others.
    @Test func anOpenConversationSaysSo() async throws {
        let page = pair.alicesPage
        _ = try await pair.alice.run("join", "open:lobby")
        try page.go(to: "/c/open%3Alobby")
        try await page.waitForConnection()
        let link = try await page.find("link", "open:lobby")
        #expect(try link.attribute("aria-description") == "Open: anybody can come in")
        for place in [".conversation[aria-current] .open-mark", ".bar-title .open-mark"] {
            let mark = "return document.querySelector(arguments[0])?.textContent"
            try await eventually("the mark at \(place)") {
                try page.run(mark, .text(place)).text == "open"
            }
        }
        try await page.inspect("open-conversation", sizes: [(390, 844), (1_440, 900)])
        try page.resize(width: 1_440, height: 900)
        try await page.find("button", "Invite").click()
        let dialog = try await page.find("dialog", "Invite")
        #expect(try dialog.text.contains("anybody on this network who knows its public name"))
        try await page.find("button", "Close", in: dialog).click()
        // The mark is on no other conversation.
        try await pair.begin()
        #expect(try page.run("return document.querySelector('.bar-title .open-mark')") == .null)
    }
}
