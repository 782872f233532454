import Foundation
import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// Phones take part in a conversation as guests of its node, at an address of this machine in its
/// network, where browsers call no page secure.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedHouse
)
struct GuestPageTests {
    let house: GuestHouse
    let owner: Browser
    let phone: Browser

    init() throws {
        house = try #require(GuestHouse.current)
        owner = house.owner
        phone = house.phone
    }

    @Test func aGuestWritesAndSeesOneConversationOnly() async throws {
        let evening = try await house.begin()
        try phone.open(evening.link)
        _ = try await phone.find("textbox", "Your name")
        try await phone.inspect("guest-join", sizes: [(320, 568), (390, 844), (1_440, 900)])
        try await evening.join(phone, as: "Mia")
        let host = URL(string: evening.link)?.host()
        #expect(try phone.run("return isSecureContext") == .bool(host == "127.0.0.1"))
        #expect(try phone.title == "\(evening.name) – Parley")
        for name in ["Invite", "Back", "Nearby", "Join by link", "New conversation"] {
            #expect(try phone.present("button", name) == nil, "\(name)")
        }
        #expect(try phone.present("navigation", "Conversations") == nil)
        // Another address leads to the same conversation.
        try phone.go(to: "/c/another")
        try await evening.join(house.other, as: "Tom")
        try await phone.say("Hello from Mia")
        for page in [owner, house.other] {
            _ = try await page.find("article", "Hello from Mia")
        }
        let people = try await owner.people()
        try await eventually("Mia among the people") {
            try people.text.contains("\u{2068}Mia\u{2069}, guest of \u{2068}Ada\u{2069}\nhere")
        }
        // Nobody else has a machine here, so there is nothing to wait for.
        try await eventually("where it is") { try phone.seen.contains("On Ada’s machine") }
        try await owner.say("Hello from Ada")
        _ = try await phone.find("article", "Hello from Ada")
        try await eventually("where it is") { try owner.seen.contains("Kept here") }
        let refused = try phone.consoleLines().filter { $0.contains("Content Security Policy") }
        #expect(refused.isEmpty, "\(refused)")
    }

    /// Over http there are no notifications, so the bell is heard.
    @Test func aGuestHearsTheBell() async throws {
        let evening = try await house.begin()
        let counting = """
            window.tones = 0;
            const { createOscillator } = AudioContext.prototype;
            AudioContext.prototype.createOscillator = function () {
                tones += 1;
                return createOscillator.call(this);
            };
            """
        try phone.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .text(counting)])
        try await evening.join(phone, as: "Mia")
        let bell = try await phone.find("button", "Tell me of messages")
        try bell.click()
        try await eventually("the bell") { try bell.attribute("aria-pressed") == "true" }
        #expect(try phone.run("return tones") == 2, "it says how it sounds")
        try await owner.say("while Mia looks")
        _ = try await phone.find("article", "while Mia looks")
        #expect(try phone.run("return tones") == 2)
        try phone.minimize()
        // Sounds of two tabs that follow each other within a second would be one too many.
        try phone.run("localStorage.removeItem('sounded')")
        try await owner.say("while Mia does not look")
        try await eventually("the tones") { try phone.run("return tones") == 4 }
        #expect(try phone.title == "(1) \(evening.name) – Parley")
        try phone.restore()
    }

    /// Over http browsers have no clipboard for pages, and there the old way works.
    @Test func aGuestCopiesAMessage() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        try await owner.say("Hello from Ada")
        try phone.hold(try await phone.find("article", "Hello from Ada"), for: 700)
        let bar = try await phone.find("toolbar", "Actions")
        try await phone.find("button", "Copy", in: bar).click()
        try await eventually("that it was copied") { try phone.seen.contains("Copied.") }
        let field = try await phone.find("textbox", "Message")
        try field.type("\u{E009}v")
        try await eventually("the text") { try field.property("value") == "Hello from Ada" }
    }

    /// What a guest has to know is said once, and stays with the people.
    @Test func aGuestIsToldWhatToKnow() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        let note = try await phone.find("region", "Your seat")
        let digits = try await phone.digits()
        #expect(try note.text.contains("Your digits \(digits) give you this seat back"))
        #expect(try note.text.contains("Ada’s machine can see what you write"))
        try await phone.inspect("guest-first", sizes: Self.sizes)
        try await phone.find("button", "OK", in: note).click()
        try await eventually("the end of the note") {
            try phone.present("region", "Your seat") == nil
        }
        try phone.resize(width: 390, height: 844)
        let people = try await phone.people()
        #expect(try people.text.contains("Your digits \(digits)"))
        #expect(try people.text.contains("Others on this Wi-Fi could read along"))
        #expect(try phone.present("button", "Leave conversation") == nil)
        try await phone.inspect("guest-people", sizes: [(320, 568), (390, 844)])
        _ = try phone.run("location.reload()")
        try await phone.waitForConnection()
        _ = try await phone.find("textbox", "Message")
        #expect(try phone.present("region", "Your seat") == nil)
        #expect(try await house.ada.seats(evening.name).map(\.digits) == [digits])
    }

    @Test func aGameIsPlayedWithAGuest() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        try await evening.join(house.other, as: "Tom")
        try await owner.openApp("Tic-tac-toe")
        for (move, square) in [1, 5, 2, 9, 3].enumerated() {
            let (page, next) = move.isMultiple(of: 2) ? (owner, phone) : (phone, owner)
            try await page.find("button", "Square \(square), free").click()
            try await page.sendDraft()
            if move == 0 {
                let card = try await next.find("article", from: "Tic-tac-toe: 1 X")
                try await next.find("button", "Open", in: card).click()
            }
            let mark = move.isMultiple(of: 2) ? "X" : "O"
            _ = try await next.find("button", "Square \(square), \(mark)")
        }
        for (page, line) in [(owner, "You win"), (phone, "Ada wins")] {
            try await eventually(line) {
                try await page.find("region", "Tic-tac-toe").text.contains(line)
            }
        }
        // Whoever looks on sees how it ends.
        _ = try await house.other.find("article", from: "Tic-tac-toe: ")
        try await phone.inspect("guest-game", sizes: [(390, 844)])
    }

    /// A photo of the code gives a seat of its own, and two of one name are told apart.
    @Test func aSecondPhoneHasASeatOfItsOwn() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        try await evening.join(house.other, as: "Mia")
        #expect(try await house.ada.seats(evening.name).map(\.name) == ["Mia", "Mia 2"])
        try await house.other.say("I am the second one")
        let said = try await phone.find("article", "I am the second one")
        try await eventually("who has said it") { try said.text.contains("Mia 2") }
    }

    /// A guest, who has no list of conversations, searches above the people.
    @Test func aGuestFindsWhatWasSaid() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        try await owner.say("Meet at the Café?")
        try await owner.say("At eight")
        _ = try await phone.find("article", "At eight")
        try await phone.find("button", "Search").click()
        let field = try await phone.find("searchbox", "Search all messages")
        try await eventually("the focus") { try phone.isFocused(field) }
        try field.type("cafe")
        // What the letters before have found are other elements.
        try await eventually("one hit") {
            guard let found = try? phone.present("region", "Found") else { return false }
            return (try? found.text.hasSuffix("1 found")) ?? false
        }
        try await phone.inspect("guest-search", sizes: [(320, 568), (844, 390)])
        try phone.resize(width: 390, height: 844)
        try await phone.find("button", from: "\u{2068}Ada\u{2069}").click()
        try await eventually("the message") {
            try phone.active()?.name == "Meet at the Café?"
        }
        #expect(try phone.present("complementary", "People") == nil)
        try await phone.inspect("guest-search", sizes: [(1_280, 800)])
    }

    @Test func aGuestHasAnotherName() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        let people = try await phone.people()
        try await phone.find("button", "Change your name", in: people).click()
        let field = try await phone.find("textbox", "Your name", in: people)
        try await eventually("the focus") { try phone.isFocused(field) }
        try field.type("Maria\u{E007}")
        try await eventually("the name on the own page") {
            try people.text.contains("\u{2068}Maria\u{2069} (you)")
        }
        try await eventually("the name on the page of the owner") {
            try await owner.people().text.contains("\u{2068}Maria\u{2069}, guest of")
        }
        try await phone.find("button", "Change your name", in: people).click()
        try await phone.find("textbox", "Your name", in: people).type("Ada\u{E00C}")
        _ = try await phone.find("button", "Change your name", in: people)
        #expect(try await house.ada.seats(evening.name).map(\.name) == ["Maria"])
    }

    static let sizes = [(320, 568), (390, 844), (768, 1_024), (1_440, 900), (844, 390)]
}
