import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// People edit what they have sent, and take it back.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct OwnMessageTests {
    private let alice: Browser
    private let bob: Browser

    init() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
    }

    private func articles(on page: Browser) throws -> [String] {
        let script = """
            return [...document.querySelectorAll(".log article")].map((each) =>
                each.getAttribute("aria-label"));
            """
        return try page.run(script).array?.compactMap(\.text) ?? []
    }

    private func bar(of article: String) async throws -> Element {
        try alice.rest(on: nil)
        try await eventually("no other bar") { try alice.present("toolbar", "Actions") == nil }
        try alice.rest(on: try await alice.find("article", article))
        return try await alice.find("toolbar", "Actions")
    }

    @Test func anEditedTextStaysInItsPlace() async throws {
        try await alice.say("Helo")
        try await bob.say("Hi")
        _ = try await alice.find("article", "Hi")
        let field = try await alice.find("textbox", "Message")
        try field.type("half a word")
        let actions = try await bar(of: "Helo")
        try await alice.find("button", "Edit", in: actions).click()
        try await eventually("the text in the field") { try field.property("value") == "Helo" }
        try alice.press(.escape)
        try await eventually("what was there") { try field.property("value") == "half a word" }
        #expect(try alice.present("group", "Edit") == nil)
        try await alice.find("button", "Edit", in: try await bar(of: "Helo")).click()
        _ = try await alice.find("group", "Edit")
        try await alice.inspect("edit", sizes: [(320, 568), (1_440, 900)])
        try await alice.say("\u{E010} there")
        for page in [alice, bob] {
            let article = try await page.find("article", "Helo there")
            #expect(try articles(on: page) == ["Helo there", "Hi"])
            #expect(try article.text.contains("edited"))
        }
        try await eventually("what was there") { try field.property("value") == "half a word" }
        try await alice.inspect("edited", sizes: [(320, 568), (1_440, 900)])
        // The same after a reload, and what others have written is theirs.
        _ = try alice.run("location.reload()")
        try await alice.waitForConnection()
        _ = try await alice.find("article", "Helo there")
        #expect(try articles(on: alice) == ["Helo there", "Hi"])
        _ = try await bar(of: "Hi")
        for name in ["Edit", "Unsend"] { #expect(try alice.present("button", name) == nil) }
    }

    @Test func upEditsTheLastOwnText() async throws {
        try await alice.say("first")
        try await alice.say("second")
        try await bob.say("of bob")
        _ = try await alice.find("article", "of bob")
        let field = try await alice.find("textbox", "Message")
        try field.type("\u{E013}")
        try await eventually("the text in the field") { try field.property("value") == "second" }
        try await alice.say("\u{E010} thought")
        _ = try await bob.find("article", "second thought")
        #expect(try articles(on: bob) == ["first", "second thought", "of bob"])
        // An edit is no new message.
        #expect(try bob.title.hasPrefix("(") == false)
        try await eventually("the empty field") { try field.property("value") == "" }
        try field.type("x\u{E013}")
        #expect(try alice.present("group", "Edit") == nil)
        #expect(try field.property("value") == "x")
    }

    @Test func whatIsTakenBackIsGoneForAll() async throws {
        try await alice.say("stays")
        try await alice.say("wrong window")
        let folder = try TestDirectory()
        let path = try folder.write("plan.txt", Data("secret\n".utf8))
        try alice.first("input[type=file]").type(path)
        _ = try await alice.find("button", "Remove plan.txt")
        try await alice.find("button", "Send").click()
        _ = try await bob.find("article", "plan.txt")
        for article in ["wrong window", "plan.txt"] {
            for answer in ["Keep", "Unsend"] {
                let actions = try await bar(of: article)
                try await alice.find("button", "Unsend", in: actions).click()
                let question = try await alice.find("dialog", "Unsend")
                #expect(try question.text.contains("Take it back for everybody?"))
                if article == "plan.txt", answer == "Keep" {
                    try await alice.inspect("unsend", sizes: [(320, 568), (1_440, 900)])
                    try alice.resize(width: 1_440, height: 900)
                }
                try await alice.find("button", answer, in: question).click()
                try await eventually("the end of the question") {
                    try alice.present("dialog", "Unsend") == nil
                }
                if answer == "Keep" { #expect(try articles(on: bob).contains(article)) }
            }
            for page in [alice, bob] {
                try await eventually("the end of \(article)") {
                    try !articles(on: page).contains(article)
                }
            }
        }
        for page in [alice, bob] {
            try await eventually("what is left") { try articles(on: page) == ["stays"] }
        }
        let line = """
            return document.querySelector(".conversation[aria-current] .conversation-line")
                .textContent.replace(/[\\u2068\\u2069]/g, "");
            """
        try await eventually("the list") { try alice.run(line).text == "You: stays" }
        _ = try bob.run("location.reload()")
        try await bob.waitForConnection()
        _ = try await bob.find("article", "stays")
        #expect(try articles(on: bob) == ["stays"])
    }

    @Test func messagesOfAppsStay() async throws {
        try await alice.openApp("Icon store")
        try await alice.find("button", "Fox").click()
        try await alice.sendDraft()
        let panel = try await alice.find("region", "Icon store")
        try await alice.find("button", "Close", in: panel).click()
        _ = try await bar(of: "From the icon store: Fox")
        _ = try await alice.find("button", "Delete for me")
        for name in ["Edit", "Unsend"] { #expect(try alice.present("button", name) == nil) }
    }

    @Test func whatIsDeletedForOneIsThereForOthers() async throws {
        try await bob.say("not for me")
        try await bob.say("for both")
        _ = try await alice.find("article", "for both")
        let actions = try await bar(of: "not for me")
        try await alice.find("button", "Delete for me", in: actions).click()
        try await eventually("the rest") { try articles(on: alice) == ["for both"] }
        try await alice.inspect("deleted", sizes: [(320, 568)])
        try await alice.find("button", "Undo").click()
        try await eventually("both") { try articles(on: alice) == ["not for me", "for both"] }
        try alice.resize(width: 1_440, height: 900)
        let others = try await bar(of: "not for me")
        try await alice.find("button", "Delete for me", in: others).click()
        try await eventually("the rest") { try articles(on: alice) == ["for both"] }
        _ = try alice.run("location.reload()")
        try await alice.waitForConnection()
        _ = try await alice.find("article", "for both")
        #expect(try articles(on: alice) == ["for both"])
        #expect(try alice.present("button", "Undo") == nil)
        #expect(try articles(on: bob) == ["not for me", "for both"])
    }

    /// What is kept of deleted messages has a limit.
    @Test func theOldestDeletedOneComesBackAfterAThousand() async throws {
        // Those of other conversations.
        let forget = """
            for (const key of Object.keys(localStorage)) {
                if (key.startsWith("hidden ")) localStorage.removeItem(key);
            }
            """
        _ = try alice.run(forget)
        try await bob.say("the first")
        try await bob.say("the last")
        _ = try await alice.find("article", "the last")
        let actions = try await bar(of: "the first")
        try await alice.find("button", "Delete for me", in: actions).click()
        try await eventually("the rest") { try articles(on: alice) == ["the last"] }
        let fill = """
            const key = Object.keys(localStorage).find((each) => each.startsWith("hidden "));
            const all = JSON.parse(localStorage[key]);
            for (let number = 1; number < 1000; number += 1) all.push([`${number}`, 1]);
            localStorage[key] = JSON.stringify(all);
            location.reload();
            """
        _ = try alice.run(fill)
        try await alice.waitForConnection()
        _ = try await alice.find("article", "the last")
        #expect(try articles(on: alice) == ["the last"])
        let others = try await bar(of: "the last")
        try await alice.find("button", "Delete for me", in: others).click()
        try await eventually("the first") { try articles(on: alice) == ["the first"] }
    }

    @Test func aLongTextIsCountedAndOneThatIsTooLongStays() async throws {
        let field = try await alice.find("textbox", "Message")
        let fill = """
            const [area, text] = arguments;
            area.value = text;
            area.dispatchEvent(new Event("input", { bubbles: true }));
            """
        let count = "return document.querySelector('.counter')?.textContent ?? ''"
        let texts = [(8_999, ""), (9_000, "9,000 of 10,000"), (10_001, "10,001 of 10,000")]
        for (length, said) in texts {
            let text =
                String(repeating: "👩‍👩‍👧", count: length - 8_990)
                + String(repeating: "x", count: 8_990)
            _ = try alice.run(fill, field.reference, .text(text))
            try await eventually(said) { try alice.run(count).text == said }
        }
        try await alice.inspect("long-text", sizes: [(320, 568), (1_440, 900)])
        try await alice.find("button", "Send").click()
        let sentence = "A text has at most 10,000 characters, and this one has 10,001."
        try await eventually("the sentence") { try alice.seen.contains(sentence) }
        #expect(try articles(on: alice).isEmpty)
        let text = String(repeating: "long ", count: 1_999) + "words"
        _ = try alice.run(fill, field.reference, .text(text))
        try await alice.find("button", "Send").click()
        _ = try await bob.find("article", text)
    }
}
