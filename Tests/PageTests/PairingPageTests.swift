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
}
