import Foundation
import PageSupport
import ParleyAPI
import Synchronization
import TestSupport
import Testing
import WebDriver

/// A node that has guests, with its owner's page and the browsers of two phones, for all tests of a
/// suite.
final class GuestHouse: Sendable {
    let ada: PageNode
    let owner: Browser
    let phone: Browser
    let other: Browser
    private let lastGame = Mutex(0)

    /// The house of the suite that runs.
    @TaskLocal static var current: GuestHouse?

    init() async throws {
        ada = try await PageNode("Ada")
        let driver = try await BrowserDriver()
        owner = try driver.browser(width: 1_440, height: 900)
        phone = try driver.browser(width: 390, height: 844)
        other = try driver.browser(width: 390, height: 844)
        try owner.open(try #require(ada.ready.page))
        try await owner.waitForConnection()
    }

    /// Makes a conversation and opens it on the page of its owner; both phones forget who they are.
    func begin() async throws -> Evening {
        let number = lastGame.withLock { number in
            number += 1
            return number
        }
        let name = "evening \(number)"
        _ = try await ada.run("conversation", "create", name)
        let guests = try JSON.decode(GuestsDocument.self, from: try await ada.run("guests", name))
        try owner.resize(width: 1_440, height: 900)
        try owner.go(to: "/c/evening%20\(number)")
        try await owner.waitForConnection()
        for phone in [phone, other] {
            try phone.resize(width: 390, height: 844)
            try phone.forget()
        }
        return Evening(name: name, link: try #require(guests.links.first))
    }

    /// A conversation with the link of its guests.
    struct Evening {
        let name: String
        let link: String

        /// Lets somebody in with a phone that has no seat.
        func join(_ phone: Browser, as name: String) async throws {
            try phone.open(link)
            try await phone.find("textbox", "Your name").type(name)
            try await phone.find("button", "Join").click()
            try await phone.waitForConnection()
            _ = try await phone.find("textbox", "Message")
        }
    }
}

extension Browser {
    /// Loses the cookies, and what pages keep, as a phone does after a while.
    func forget() throws {
        try devTools("Network.clearBrowserCookies")
        _ = try run("if (location.protocol === 'http:') localStorage.clear()")
        try open("about:blank")
    }

    /// The four digits that the page of a guest shows.
    func digits() async throws -> String {
        try await eventually("the digits of the seat") {
            try run("return document.querySelector('.seat-digits')?.textContent").text
        }
    }

    /// Writes a message and sends it.
    func say(_ text: String) async throws {
        try await find("textbox", "Message").type("\(text)\u{E007}")
    }

    /// Opens the column of people, and returns it.
    func people() async throws -> Element {
        if try present("complementary", "People") == nil {
            try await find("button", "People").click()
        }
        return try await find("complementary", "People")
    }
}

/// Starts a house for the tests of a suite, and stops it after them.
struct SharedHouse: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @Sendable () async throws -> Void
    ) async throws {
        let house = try await GuestHouse()
        try await GuestHouse.$current.withValue(house) { try await body() }
        await #expect(house.ada.end() == 0)
    }
}

extension Trait where Self == SharedHouse {
    /// One node with guests for the suite.
    static var sharedHouse: SharedHouse { SharedHouse() }
}
