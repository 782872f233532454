import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// Two people share a conversation on their pages by comparing six digits.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5))
)
struct PairingPageTests {
    @Test func twoPeopleCompareDigits() async throws {
        let alice = try await PageNode("alice")
        let bob = try await PageNode("bob", peers: [try #require(alice.ready.addresses.first)])
        let driver = try await BrowserDriver()
        let alicesPage = try driver.browser(width: 1_440, height: 900)
        let bobsPage = try driver.browser(width: 390, height: 844)
        for (page, node) in [(alicesPage, alice), (bobsPage, bob)] {
            try page.open(try #require(node.ready.page))
            try await page.waitForConnection()
        }

        try await bobsPage.find("button", "Nearby").click()
        try await bobsPage.find("button", "Pair with alice").click()
        let asking = try await bobsPage.find("dialog", "Pair with alice")
        try await bobsPage.inspect("pairing-choice", sizes: [(390, 844)])
        try await bobsPage.find("button", "Pair", in: asking).click()
        let request = try await alicesPage.find("region", "Pairing request")
        // The request stands over the header, which it covered once, and in the title.
        #expect(try alicesPage.title == "bob wants to pair – Parley")
        let places = """
            const [request, bar] = [".request", ".bar"].map((each) =>
                document.querySelector(each).getBoundingClientRect());
            return request.bottom <= bar.top + 1;
            """
        #expect(try alicesPage.run(places) == true)
        try await alicesPage.inspect("pairing-request", sizes: [(1_440, 900)])
        try await bobsPage.inspect("pairing-waiting", sizes: [(390, 844)])
        // Bob shares a conversation, so alice is not asked for one.
        try await alicesPage.find("button", "Answer", in: request).click()
        let digits = try await alicesPage.find("status", from: "Digits ").name
        #expect(digits.count == "Digits 1 2 3 4 5 6".count)
        _ = try await bobsPage.find("status", digits)
        try await bobsPage.inspect("pairing-digits", sizes: [(1_440, 900), (390, 844)])
        try await alicesPage.find("button", "They match").click()
        let list = try await alice.run("conversation", "list")
        let early = try JSON.decode([Conversation].self, from: list)
        #expect(early.isEmpty, "only one person has confirmed")
        try await bobsPage.find("button", "They match").click()
        let open = try await alicesPage.find("button", "Open")
        try await alicesPage.inspect("pairing-done", sizes: [(1_440, 900)])
        try open.click()
        _ = try await alicesPage.find("textbox", "Message")
        try await bobsPage.find("button", "Done").click()
        try await bobsPage.find("link", "bob and alice").click()
        try await alicesPage.find("textbox", "Message").type("Hello\u{E007}")
        _ = try await bobsPage.find("article", "Hello")
        await #expect(alice.end() == 0)
        await #expect(bob.end() == 0)
    }

    /// The devices share their conversations, and People shows one person with both.
    @Test func twoDevicesOfOnePersonAreLinked() async throws {
        let laptop = try await PageNode("laptop")
        let tablet = try await PageNode(
            "tablet",
            peers: [try #require(laptop.ready.addresses.first)]
        )
        _ = try await laptop.run("conversation", "create", "games")
        let driver = try await BrowserDriver()
        let here = try driver.browser(width: 1_440, height: 900)
        let there = try driver.browser(width: 390, height: 844)
        for (page, node) in [(here, laptop), (there, tablet)] {
            try page.open(try #require(node.ready.page))
            try await page.waitForConnection()
        }

        try await there.find("button", "Nearby").click()
        try await there.find("button", "Pair with laptop").click()
        let asking = try await there.find("dialog", "Pair with laptop")
        let share = try await there.find("combobox", "Share", in: asking)
        try share.type("Everything")
        try await there.inspect("link-choice", sizes: [(390, 844)])
        try await there.find("button", "Link my device", in: asking).click()
        let request = try await here.find("region", "Pairing request")
        try await here.find("button", "Answer", in: request).click()
        let answering = try await here.find("dialog", "Pair with tablet")
        try await here.inspect("link-answer", sizes: [(1_440, 900)])
        try await here.find("button", "Link my device", in: answering).click()
        for page in [here, there] { try await page.find("button", "They match").click() }
        for page in [here, there] { try await page.find("button", "Done").click() }

        for page in [here, there] { try await page.find("link", "games").click() }
        try await there.find("textbox", "Message").type("From the tablet\u{E007}")
        _ = try await here.find("article", "From the tablet")
        try await eventually("one person") {
            let text = try await here.find("complementary", "People").text
            return text.replacing(/[\u{2068}\u{2069}]/, with: "")
                .contains("laptop (you)\nL\nlaptop\nthis device")
        }
        let colors = try here.run(
            """
            const faces = [...document.querySelectorAll(".people .person .face")];
            return faces.map((face) => face.className).join();
            """
        )
        let known = try #require(colors.text?.split(separator: ","))
        #expect(known.count == 2 && known[0] == known[1])
        try await here.inspect("one-person", sizes: [(1_440, 900)])
        for node in [laptop, tablet] { await #expect(node.end() == 0) }
    }
}
