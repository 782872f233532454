import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// What becomes of the seats of guests.
extension GuestPageTests {
    @Test func aSeatSurvivesReloadAndARestartOfTheHost() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        let seats = try await house.ada.seats(evening.name).map(\.participant)
        _ = try phone.run("location.reload()")
        try await phone.waitForConnection()
        try await phone.find("textbox", "Message").type("half a sent")
        try await house.ada.restart {
            try await eventually("the page notices") {
                try phone.run("return document.querySelector('[role=status]').textContent").text
                    == "Reconnecting…"
            }
        }
        try await phone.waitForConnection()
        try await phone.say("ence")
        try await owner.waitForConnection()
        _ = try await owner.find("article", "half a sentence")
        // The code is the same one, and brings a guest back to the seat.
        try phone.open(evening.link)
        try await phone.waitForConnection()
        #expect(try await house.ada.seats(evening.name).map(\.participant) == seats)
    }

    @Test func theDigitsGiveASeatBack() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        let digits = try await phone.digits()
        try house.other.open(evening.link)
        _ = try house.other.run("document.querySelector('details').open = true")
        try await house.other.find("textbox", "The name of your seat").type("Mia")
        let wrong = digits == "0000" ? "1111" : "0000"
        try await house.other.find("textbox", "Four digits").type("\(wrong)\u{E007}")
        try await eventually("the refusal") {
            try house.other.seen.contains("There is no seat with this name and these digits")
        }
        try await house.other.inspect("guest-wrong-digits", sizes: [(390, 844)])
        // The form keeps what was right: only the digits are to be typed again.
        try await house.other.find("textbox", "Four digits").type("\(digits)\u{E007}")
        try await house.other.waitForConnection()
        try await house.other.say("Mia is back")
        _ = try await owner.find("article", "Mia is back")
        #expect(try await house.ada.seats(evening.name).map(\.name) == ["Mia"])
        // The browser that had the seat before says why it goes on no more.
        try await expectLostSeat(phone)
    }

    /// Regression: the page of a guest who was removed tried to connect for ever.
    @Test func aRemovedGuestIsTold() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        try await evening.join(house.other, as: "Tom")
        try await phone.say("Hello from Mia")
        try await openPhones()
        try await owner.find("button", "Remove Mia").click()
        try await owner.find("button", "Keep").click()
        try await owner.find("button", "Remove Mia").click()
        try await owner.find("button", "Remove").click()
        try await expectLostSeat(phone)
        _ = try await phone.find("article", "Hello from Mia")
        try await phone.inspect("guest-removed", sizes: [(390, 844)])
        let dialog = try await owner.find("dialog", "Invite")
        try await owner.find("button", "Close", in: dialog).click()
        try await house.other.say("Tom is still here")
        _ = try await owner.find("article", "Tom is still here")
        _ = try phone.run("location.reload()")
        try await eventually("the refusal") { try phone.seen.contains("You have no seat here") }
        #expect(try await house.ada.seats(evening.name).map(\.name) == ["Tom"])
    }

    @Test func theOwnerLetsPhonesInAndKeepsThemOut() async throws {
        let evening = try await house.begin()
        _ = try await house.ada.run("guests", evening.name, "--close")
        try await openPhones()
        let dialog = try await owner.find("dialog", "Invite")
        try await owner.inspect("phones-closed", sizes: [(390, 844)])
        try owner.resize(width: 1_440, height: 900)
        try await owner.find("switch", "Let phones in", in: dialog).click()
        _ = try await owner.find("image", "QR code for phones", in: dialog)
        let link = try #require(
            try JSON.decode(
                GuestsDocument.self,
                from: try await house.ada.run("guests", evening.name, "--list")
            ).links.first
        )
        #expect(try dialog.text.contains(link.trimmingPrefix("http://")))
        try await GuestHouse.Evening(name: evening.name, link: link).join(phone, as: "Mia")
        try await eventually("Mia inside") { try dialog.text.contains("Mia\u{2069}\nhere") }
        try await owner.inspect("phones", sizes: Self.sizes)
        try owner.resize(width: 1_440, height: 900)

        try await owner.find("button", "Rename Mia", in: dialog).click()
        try await owner.find("textbox", "Name of Mia", in: dialog).type("Maria\u{E007}")
        try await eventually("the other name on the page of the guest") {
            try await phone.people().text.contains("\u{2068}Maria\u{2069} (you)")
        }
        try await owner.find("button", "Lock", in: dialog).click()
        _ = try await owner.find("button", "Unlock", in: dialog)
        try house.other.open(link)
        try await eventually("the lock") {
            try house.other.seen.contains("Nobody else can join at the moment")
        }
        try await owner.find("button", "Unlock", in: dialog).click()
        _ = try await owner.find("button", "Lock", in: dialog)
        let seats = try await owner.find("spinbutton", "Seats", in: dialog)
        _ = try owner.run("arguments[0].select()", seats.reference)
        try seats.type("1\u{E007}")
        try await eventually("the last seat taken") {
            try house.other.open(link)
            return try house.other.seen.contains("All seats are taken")
        }
        try phone.open("about:blank")
        try await eventually("Maria away") { try dialog.text.contains("Maria\u{2069}\naway") }
    }

    @Test func theCodeFillsTheScreen() async throws {
        let evening = try await house.begin()
        try await evening.join(phone, as: "Mia")
        try await openPhones()
        try await owner.find("button", "Show large").click()
        let large = try await owner.find("dialog", "Join \(evening.name)")
        _ = try await owner.find("image", "Large QR code for phones", in: large)
        #expect(try large.text.contains("Inside: \u{2068}Mia\u{2069}"))
        let share = """
            const box = arguments[0].getBoundingClientRect();
            return box.width >= innerWidth && box.height >= innerHeight;
            """
        #expect(try owner.run(share, large.reference) == true)
        try await owner.inspect("phones-large", sizes: Self.sizes)
        try owner.resize(width: 1_440, height: 900)
        try await owner.find("button", "Close the large code", in: large).click()
        let button = try await owner.find("button", "Show large")
        try await eventually("the focus where it was") { try owner.isFocused(button) }
    }

    /// Many guests are one line below their host.
    @Test func manyGuestsAreFolded() async throws {
        let evening = try await house.begin()
        for number in 1...9 {
            try phone.forget()
            try await evening.join(phone, as: "Guest \(number)")
        }
        let people = try await owner.people()
        try await eventually("the line") {
            try people.text.contains("9 guests of \u{2068}Ada\u{2069}")
        }
        #expect(try !people.text.contains("Guest 3"))
        _ = try owner.run("document.querySelector('.people summary').click()")
        try await eventually("the guests") { try people.text.contains("Guest 3") }
        try await owner.inspect("guests-folded", sizes: [(1_440, 900)])
    }

    // MARK: Helpers

    private func openPhones() async throws {
        try await owner.find("button", "Invite").click()
        try await owner.find("tab", "Phones").click()
        _ = try await owner.find("switch", "Let phones in")
    }

    private func expectLostSeat(_ page: Browser) async throws {
        try await eventually("what has become of the seat") {
            try await page.find("status", "Connection").text
                .contains("Your host has taken your seat")
        }
        #expect(try page.present("textbox", "Message") == nil)
    }
}

extension PageNode {
    /// The guests of a conversation.
    func seats(_ name: String) async throws -> [GuestDocument] {
        try JSON.decode(GuestsDocument.self, from: try await run("guests", name, "--list")).guests
    }
}
