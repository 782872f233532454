import ParleyAPI
import PageSupport
import WebDriver

/// Two nodes in one conversation, each with its page in a browser.
struct PagePair {
    static let conversation = "moves"

    let alice: PageNode
    let bob: PageNode
    let pages: [MeasuredPage]

    init() async throws {
        alice = try await PageNode("alice")
        bob = try await PageNode("bob", peers: alice.ready.addresses)
        try await Self.share(alice, bob)
        let driver = try await BrowserDriver()
        var pages: [MeasuredPage] = []
        for node in [alice, bob] {
            let page = try MeasuredPage(driver, width: 1_440, height: 900)
            try await page.enter(node.ready.page ?? "")
            pages.append(page)
        }
        self.pages = pages
    }

    /// Makes a conversation of both.
    static func share(_ alice: PageNode, _ bob: PageNode) async throws {
        _ = try await alice.run("conversation", "create", conversation)
        try await join(alice, bob)
    }

    /// Lets the second node into the conversation of the first.
    static func join(_ alice: PageNode, _ bob: PageNode) async throws {
        let invite = try await alice.run("invite", conversation)
        let link = try JSON.decode(Invite.self, from: invite).link
        _ = try await bob.run("join", "-", input: link)
    }

    /// Opens the conversation and tic-tac-toe on both pages.
    func beginToPlay() async throws {
        for page in pages {
            try page.browser.go(to: "/c/\(Self.conversation)")
            try await page.browser.waitForConnection()
            try page.openApp("Tic-tac-toe")
        }
    }

    func end() async {
        await alice.end()
        await bob.end()
    }
}
