import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Every screen, at three sizes, in light and dark: a picture of it, and what keeps people from
/// using it who see or hear little.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedPair
)
struct ScreensTests {
    private let pair: PagePair
    private let page: Browser

    init() throws {
        pair = try #require(PagePair.current)
        page = pair.alicesPage
    }

    @Test func conversations() async throws {
        try page.go(to: "/")
        try await page.waitForConnection()
        _ = try await page.find("button", "New conversation")
        try await page.inspect("welcome")
        try await pair.begin()
        try await page.inspect("no-messages")
        try await page.find("button", "Apps").click()
        _ = try await page.find("region", "Apps")
        try await page.inspect("apps")
    }

    @Test func dialogs() async throws {
        try await pair.begin()
        for (button, dialog) in [
            ("Invite", "Invite"), ("Nearby", "Nearby"), ("New conversation", "New conversation"),
            ("Join by link", "Join by link"),
        ] {
            try page.resize(width: 1_440, height: 900)
            try await page.find("button", button).click()
            let element = try await page.find("dialog", dialog)
            if dialog == "Invite" { _ = try await page.find("image", "QR code") }
            let name = dialog.lowercased().replacing(" ", with: "-")
            try await page.inspect("dialog-\(name)", sizes: [(390, 844), (1_440, 900)])
            try page.resize(width: 1_440, height: 900)
            try await page.find("button", "Close", in: element).click()
            try await eventually("the end of the dialog") {
                try page.present("dialog", dialog) == nil
            }
        }
    }

    @Test func aGame() async throws {
        let name = try await pair.begin()
        try await page.find("textbox", "Message").type(
            "Shall we play? https://example.org/rules\u{E007}"
        )
        _ = try await pair.bobsPage.find("article", from: "Shall we play?")
        try await pair.bobsPage.find("textbox", "Message").type("Yes, you begin.\u{E007}")
        _ = try await page.find("article", "Yes, you begin.")
        try await page.find("button", "Apps").click()
        let drawer = try await page.find("region", "Apps")
        try await page.find("button", "Tic-tac-toe", in: drawer).click()
        try await page.find("button", "Square 5, free").click()
        _ = try await page.find("region", "Draft")
        try await page.inspect("panel-compact")
        try await page.find("button", "Send").click()
        _ = try await pair.bobsPage.find("article", from: "Tic-tac-toe: 1 free")
        try page.resize(width: 1_440, height: 900)
        try await page.find("button", "Expand").click()
        try await page.inspect("panel-expanded")
        try page.resize(width: 1_440, height: 900)
        try await page.find("button", "Close", in: try await page.find("region", "Tic-tac-toe"))
            .click()
        let bob = pair.bobsPage
        try await eventually("the title says whose turn it is") {
            try bob.title == "Your turn – \(name)"
        }
        try await bob.inspect("transcript")
        try bob.resize(width: 390, height: 844)
        try await bob.find("button", "People").click()
        _ = try await bob.find("complementary", "People")
        try await bob.inspect("people", sizes: [(390, 844)])
    }
}
