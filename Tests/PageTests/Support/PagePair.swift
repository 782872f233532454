import PageSupport
import ParleyAPI
import Synchronization
import Testing
import WebDriver

/// Two nodes, with a browser on the page of each, for all tests of a suite.
final class PagePair: Sendable {
    let alice: PageNode
    let bob: PageNode
    let alicesPage: Browser
    let bobsPage: Browser
    private let lastGame = Mutex(0)

    /// The pair of the suite that runs.
    @TaskLocal static var current: PagePair?

    /// Starts both nodes with the apps of that program.
    init(program: String = "parley", _ kind: BrowserDriver.Kind = .shell) async throws {
        alice = try await PageNode("alice", program: program)
        let address = try #require(alice.ready.addresses.first)
        bob = try await PageNode("bob", peers: [address], program: program)
        let driver = try await BrowserDriver()
        alicesPage = try driver.browser(kind, width: 1_440, height: 900)
        bobsPage = try driver.browser(kind, width: 390, height: 844)
        for (browser, node) in [(alicesPage, alice), (bobsPage, bob)] {
            try browser.open(try #require(node.ready.page))
            // Until then the page is the HTML of the server, which the script replaces.
            try await browser.waitForConnection()
        }
    }

    /// Makes a conversation of both and opens it on both pages; returns its name.
    @discardableResult
    func begin() async throws -> String {
        let number = lastGame.withLock { number in
            number += 1
            return number
        }
        let name = "games \(number)"
        _ = try await alice.run("conversation", "create", name)
        let invite = try await alice.run("invite", name)
        let link = try JSON.decode(Invite.self, from: invite).link
        _ = try await bob.run("join", "-", input: link)
        try alicesPage.resize(width: 1_440, height: 900)
        try bobsPage.resize(width: 390, height: 844)
        for page in [alicesPage, bobsPage] {
            // The address and not the list: on a small screen another conversation may cover it.
            try page.go(to: "/c/games%20\(number)")
            try await page.waitForConnection()
            _ = try await page.find("textbox", "Message")
            _ = try await page.find("log", "Transcript")
        }
        return name
    }

    /// Stops both nodes.
    func end() async {
        await #expect(alice.end() == 0)
        await #expect(bob.end() == 0)
    }
}

/// Starts a pair for the tests of a suite, and stops it after them.
struct SharedPair: SuiteTrait, TestScoping {
    var program = "parley"
    var kind = BrowserDriver.Kind.shell

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @Sendable () async throws -> Void
    ) async throws {
        let pair = try await PagePair(program: program, kind)
        try await PagePair.$current.withValue(pair) { try await body() }
        await pair.end()
    }
}

extension Trait where Self == SharedPair {
    /// One pair of nodes and pages for the suite.
    static var sharedPair: SharedPair { SharedPair() }

    /// One pair with browsers of another kind.
    static func sharedPair(_ kind: BrowserDriver.Kind) -> SharedPair { SharedPair(kind: kind) }

    /// One pair of nodes with the apps of another program.
    static func sharedPair(program: String) -> SharedPair { SharedPair(program: program) }
}
