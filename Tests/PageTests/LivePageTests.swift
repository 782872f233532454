import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Bubbles that apps draw themselves, on both pages, and updates of what apps show.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedPair(program: "page-apps")
)
struct LivePageTests {
    @Test func aBubbleIsDrawnByItsAppAndPlayedInPlace() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        try await alice.find("button", "Apps").click()
        let drawer = try await alice.find("region", "Apps")
        try await alice.find("button", "Dice", in: drawer).click()
        try await alice.find("button", "Throw").click()
        for page in [alice, bob] {
            let card = try await page.find("article", "Dice: 1")
            try await eventually("the bubble of the app") {
                try card.text.contains("Thrown: 1")
            }
        }
        let card = try await bob.find("article", "Dice: 1")
        try await bob.find("button", "Throw again", in: card).click()
        for page in [alice, bob] {
            let card = try await page.find("article", "Dice: 2")
            try await eventually("the next bubble") { try card.text.contains("Thrown: 2") }
        }
        // The size is the one that the app has asked for.
        let script = "return document.querySelector('.live').getBoundingClientRect().height"
        #expect(try bob.run(script).number == 150)
        try await bob.inspect("live-bubble", sizes: [(390, 844)])
    }
}
