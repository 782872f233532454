import Glibc
import TestSupport
import Testing
import WebDriver

/// The start of the driver that all tests of the page need.
@Suite(.enabled(if: BrowserDriver.isInstalled || geteuid() == 0), .timeLimit(.minutes(2)))
struct BrowserDriverTests {
    /// A driver whose port is taken exits; that once cost a whole run, as it was waited for.
    @Test func aDriverWhosePortIsTakenIsFollowedByAnother() async throws {
        let first = try await BrowserDriver()
        let second = try await BrowserDriver(port: first.port)
        #expect(second.port != first.port)
    }

    /// An element is found by its role and its whole name, and by nothing else.
    @Test func elementsAreFoundByRoleAndNameOnly() async throws {
        let browser = try await BrowserDriver().browser(width: 390, height: 844)
        try browser.open("data:text/html,<button>Send</button><a href='/x'>Back</a><a>Nowhere</a>")
        _ = try await browser.find("button", "Send")
        _ = try await browser.find("link", "Back")
        for (role, name) in [
            ("link", "Send"), ("button", "Sen"), ("button", "send"), ("button", "Back"),
            ("link", "Nowhere"), ("region", "Send"),
        ] {
            #expect(try browser.present(role, name) == nil, "\(role) \(name)")
        }
        await #expect(throws: NeverCame.self) {
            try await browser.find("button", "Back", within: .milliseconds(100))
        }
    }

    /// Regression: a card that the page drew anew between two looks was waited for in vain.
    @Test func anElementIsFoundInWhatTookTheOuterOnesPlace() async throws {
        let browser = try await BrowserDriver().browser(width: 390, height: 844)
        let card = "<article aria-label='Dice'><button>Join</button></article>"
        try browser.open("data:text/html,\(card)")
        let first = try await browser.find("article", from: "Dice")
        _ = try browser.run("document.body.innerHTML = arguments[0]", .text(card))
        let join = try await browser.find("button", "Join", in: first, within: .seconds(5))
        try join.click()
    }
}
