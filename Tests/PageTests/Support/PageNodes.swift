import Foundation
import Glibc
import ParleyAPI
import TestSupport
import Testing

/// A running `parley node` that serves its page on a free port of the loopback interface.
final class PageNode: Sendable {
    /// Where executables are built, next to the tests.
    private static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
    private static let environment = ProcessInfo.processInfo.environment.filter { name, _ in
        !["PARLEY_DATA", "NOTIFY_SOCKET", "XDG_STATE_HOME"].contains(name)
    }

    let ready: ReadyDocument
    private let program: String
    private let child: Child
    private let files: TestDirectory

    /// Starts a node of that program, and waits until it is ready.
    init(_ name: String, peers: [String] = [], program: String = "parley") async throws {
        self.program = Self.programs.appending(path: program).path
        let files = try TestDirectory()
        let arguments = [
            self.program, "node", "--json", "--no-discovery", "--listen", "127.0.0.1:0", "--web",
            "127.0.0.1:0", "--name", name, "--data", files.path("data"),
        ]
        child = try Child(
            arguments + peers.flatMap { ["--peer", $0] },
            environment: Self.environment,
            output: files.path("output"),
            errors: files.path("errors")
        )
        ready = try await eventually("the ready line") {
            let output = try files.contents("output")
            guard let end = output.firstIndex(of: 0x0A) else { return nil }
            return try JSON.decode(ReadyDocument.self, from: output[..<end])
        }
        self.files = files
    }

    /// Runs a command that must succeed, and returns its output.
    func run(_ arguments: String..., input: String = "") async throws -> Data {
        let child = try Child(
            [program] + arguments + ["--json", "--data", files.path("data")],
            environment: Self.environment,
            input: .file(try files.write("input", Data(input.utf8))),
            output: files.path("command-\(arguments[0])"),
            errors: files.path("command-errors")
        )
        let status = await child.end()
        let errors = String(decoding: try files.contents("command-errors"), as: UTF8.self)
        try #require(status == 0, "\(arguments): \(errors)")
        return try files.contents("command-\(arguments[0])")
    }

    /// Stops the node and expects the exit code 0.
    func end() async {
        child.signal(SIGTERM)
        await #expect(child.end() == 0)
    }
}

/// Two nodes that share the conversation `games`, with a browser on the page of each.
struct PagePair: Sendable {
    let alice: PageNode
    let bob: PageNode
    let alicesPage: Browser
    let bobsPage: Browser

    /// Starts the nodes of that program, and opens the conversation on both pages.
    init(program: String = "parley") async throws {
        alice = try await PageNode("alice", program: program)
        let address = try #require(alice.ready.addresses.first)
        bob = try await PageNode("bob", peers: [address], program: program)
        _ = try await alice.run("conversation", "create", "games")
        let invite = try await alice.run("invite", "games")
        let link = try JSON.decode(InviteDocument.self, from: invite).invite
        _ = try await bob.run("join", "-", input: link)
        let driver = try await BrowserDriver()
        alicesPage = try driver.browser(width: 1_440, height: 900)
        bobsPage = try driver.browser(width: 390, height: 844)
        for (browser, node) in [(alicesPage, alice), (bobsPage, bob)] {
            try browser.open(try #require(node.ready.page))
            // Until then the page is the HTML of the server, which the script replaces.
            try await browser.waitForConnection()
            try await browser.find("link", "games").click()
            _ = try await browser.find("textbox", "Message")
        }
    }

    /// Stops both nodes.
    func end() async {
        await alice.end()
        await bob.end()
    }
}
