import Foundation
import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// Lost connections, restarts and conflicts cost people nothing of what is on their page.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedPair(program: "page-apps")
)
struct ResilienceTests {
    let pair: PagePair

    init() throws {
        pair = try #require(PagePair.current)
    }

    @Test func aRestartOfTheNodeLosesNothingThatIsBeingTyped() async throws {
        try await pair.begin()
        let page = pair.bobsPage
        try await page.find("textbox", "Message").type("half a sent")
        try await pair.bob.restart {
            try await eventually("the page notices") {
                try page.run("return document.querySelector('[role=status]').textContent").text
                    == "Reconnecting…"
            }
            // Whether alice is there cannot be known meanwhile.
            try await page.find("button", "People").click()
            #expect(
                try await page.find("complementary", "People").text
                    .contains("\u{2068}alice\u{2069}\nnot known at the moment")
            )
            try await page.find("button", "Close people").click()
            try await page.find("textbox", "Message").type("ence")
            try await page.inspect("reconnecting", sizes: [(390, 844)])
            let people = try await pair.alicesPage.find("complementary", "People")
            try await eventually("when bob was seen last") {
                try people.text.contains("last seen ")
            }
        }
        try await page.waitForConnection()
        let field = try await page.find("textbox", "Message")
        #expect(try field.property("value") == "half a sentence")
        try field.type("\u{E007}")
        _ = try await pair.alicesPage.find("article", "half a sentence")
    }

    /// A browser that is not let in any more says so, and keeps what was typed.
    @Test func whoIsSignedOutLosesNothing() async throws {
        let name = try await pair.begin()
        let page = pair.bobsPage
        try page.devTools("Network.clearBrowserCookies")
        let field = try await page.find("textbox", "Message")
        try field.type("still here\u{E007}")
        try await eventually("what to do") {
            try await page.find("status", "Connection").text.contains("Run “parley page”")
        }
        #expect(try field.property("value") == "still here")
        try await page.inspect("signed-out", sizes: [(390, 844)])
        let answer = try await pair.bob.run("page", "--conversation", name)
        try page.open(try JSON.decode(PageLinkDocument.self, from: answer).link)
        try await page.waitForConnection()
        let again = try await page.find("textbox", "Message")
        #expect(try again.property("value") == "still here")
        try again.type("\u{E007}")
        _ = try await pair.alicesPage.find("article", "still here")
    }

    /// A program that listens at the port while the node is down hears nothing that opens the page,
    /// which goes on by itself when the node is back.
    @Test func aSquatterLearnsNothing() async throws {
        try await pair.begin()
        let page = pair.bobsPage
        let port = try pair.bob.port
        let zeros = String(repeating: "0", count: 64)
        var heard: [String] = []
        try await pair.bob.restart {
            let squatter = try Squatter(port: port) { request in
                guard request.hasPrefix("GET /proof"),
                    let node = request.firstMatch(of: /(parley_[0-9a-z]+)=/)?.1
                else { return "" }
                return #"{"node":"\#(node)","run":"\#(zeros.prefix(32))","proof":"\#(zeros)"}"#
            }
            try await eventually("the page notices") {
                squatter.serve()
                let script = "return document.querySelector('[role=status]').textContent"
                return try page.run(script).text == "Reconnecting…"
            }
            // The typed text does not go to somebody who has proved nothing.
            try await page.find("textbox", "Message").type("half a secret\u{E007}")
            try await eventually("two questions for the proof") {
                squatter.serve()
                return squatter.heard.count { $0.hasPrefix("GET /proof") } >= 2
            }
            heard = squatter.heard
        }
        // The requests are made again as they were, each with all that was heard.
        let cookies = heard.compactMap { $0.firstMatch(of: /Cookie: ([^\r]*)/)?.1 }
        let cookie = "Cookie: \(try #require(cookies.first))"
        #expect(heard.contains { $0.contains("proof=") }, "the stream of events was asked for")
        for path in Set(heard.compactMap { $0.split(separator: " ").dropFirst().first })
        where !path.hasPrefix("/proof") {
            let answer = try PageSocket.ask(String(path), port: port, fields: [cookie])
            #expect(answer.hasPrefix("HTTP/1.1 401"), "\(path)")
        }
        let shell = try PageSocket.ask("/", port: port, fields: [cookie])
        #expect(shell.hasPrefix("HTTP/1.1 200"), "the cookie is a good one")
        try await page.waitForConnection()
        #expect(!heard.contains { $0.contains("half a secret") })
        try await page.find("textbox", "Message").type("\u{E007}")
        _ = try await pair.alicesPage.find("article", "half a secret")
    }

    /// Enter did nothing while an earlier message was on its way.
    @Test func whatIsSentWhileSomethingIsOnItsWayIsSentToo() async throws {
        try await pair.begin()
        let field = try await pair.alicesPage.find("textbox", "Message")
        pair.alice.pause()
        try field.type("one\u{E007}")
        try field.type("two\u{E007}")
        pair.alice.resume()
        for text in ["one", "two"] { _ = try await pair.bobsPage.find("article", text) }
        #expect(try field.property("value") == "")
    }

    @Test(.enabled(if: geteuid() == 0))
    func aConnectionThatWasCutGoesOnWithoutAGap() async throws {
        let name = try await pair.begin()
        let page = pair.alicesPage
        let before = try page.run(Self.loads).number
        for number in 1...3 {
            try pair.alice.cutConnections()
            _ = try await pair.bob.run("send", "-c", name, "--caption", "message \(number)")
        }
        for number in 1...3 {
            _ = try await page.find("article", "message \(number)")
        }
        try await page.waitForConnection()
        let count = "return document.querySelectorAll('article').length"
        #expect(try page.run(count).number == 3)
        #expect(try page.run(Self.loads).number == before, "the page went on and did not load anew")
    }

    @Test func aConflictIsShownAndSettled() async throws {
        let name = try await pair.begin()
        let app = ["--app", "test.dice", "-c", name]
        let first = try await sent(pair.alice, app + ["--url", "?value=1", "--caption", "Dice: 1"])
        let session = ["--session", "\(first.session)", "--replacing", "\(first.id)"]
        let page = pair.alicesPage
        _ = try await pair.bobsPage.find("article", "Dice: 1")
        // Neither hears of the other's move: bob is away during alice's, and alice during bob's.
        try await pair.bob.restart {
            _ = try await sent(
                pair.alice,
                app + session + ["--url", "?value=5", "--caption", "Dice: 5"]
            )
            pair.alice.pause()
        }
        _ = try await sent(pair.bob, app + session + ["--url", "?value=6", "--caption", "Dice: 6"])
        pair.alice.resume()
        try await page.find("button", "2 moves at once").click()
        let dialog = try await page.find("dialog", "Moves at the same time")
        let side = try await page.find("region", "Dice: 5", in: dialog)
        try await page.inspect("dialog-conflict", sizes: [(390, 844), (1_440, 900)])
        try await pair.bobsPage.find("button", "2 moves at once").click()
        let bobsDialog = try await pair.bobsPage.find("dialog", "Moves at the same time")
        _ = try await pair.bobsPage.find("region", "Dice: 5", in: bobsDialog)
        try await page.find("button", "Go on from here", in: side).click()
        try await page.find("button", "Throw").click()
        // Expanded, the app covers the transcript.
        try await page.find("button", "Collapse").click()
        // Regression: a dialog that was open went on to say that the next move settles it.
        try await eventually("the end of the conflict in the dialog") {
            try bobsDialog.text.contains("It is settled.")
        }
        try await pair.bobsPage.find("button", "Close", in: bobsDialog).click()
        try await eventually("the end of the conflict on both pages") {
            try [page, pair.bobsPage].allSatisfy { each in
                try each.present("button", "2 moves at once") == nil
                    && each.present("article", "Dice: 1") != nil
            }
        }
    }

    private func sent(_ node: PageNode, _ options: [String]) async throws -> SentMessage {
        try JSON.decode(SentMessage.self, from: try await node.run(["send"] + options))
    }
}
