import Foundation
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// Many tabs of one node, tabs that are closed or frozen, a node that hangs, and one of another
/// version.
extension ResilienceTests {
    /// A browser opens at most six connections to a node, so eight streams would be too many.
    @Test func eightTabsShareOneStreamAndMissNothing() async throws {
        let name = try await pair.begin()
        let page = pair.alicesPage
        var tabs = [try page.tab]
        let address = try page.run("return location.href").text ?? ""
        for _ in 2...8 {
            tabs.append(try page.openTab())
            try page.open(address)
            try await page.waitForConnection()
        }
        let field = try await page.find("textbox", "Message")
        try field.type("from the eighth\u{E007}")
        for tab in tabs {
            try page.choose(tab: tab)
            _ = try await page.find("article", "from the eighth")
        }
        // The tab that has the stream is among those that are closed.
        for number in 1...7 {
            try page.choose(tab: tabs.removeFirst())
            try page.closeTab()
            try page.choose(tab: tabs[0])
            guard number.isMultiple(of: 2) || number == 7 else { continue }
            _ = try await pair.bob.run("send", "-c", name, "--caption", "after \(number)")
            for tab in tabs {
                try page.choose(tab: tab)
                _ = try await page.find("article", "after \(number)")
            }
        }
        #expect(try page.run(Self.loads).number == 1, "the last tab went on and did not load anew")
    }

    /// The number of times a page has loaded everything.
    static let loads = """
        return performance.getEntriesByType("resource")
            .filter(({ name }) => name.includes("/v1/page?")).length
        """

    /// A tab that has the stream and stands still for a while misses nothing, nor do the others.
    @Test func aTabThatStandsStillMissesNothing() async throws {
        let name = try await pair.begin()
        let page = pair.alicesPage
        let still = try page.tab
        let address = try page.run("return location.href").text ?? ""
        let other = try page.openTab()
        try page.open(address)
        try await page.waitForConnection()
        try page.choose(tab: still)
        let hang = "setTimeout(() => { const end = Date.now() + 2e3; while (Date.now() < end); })"
        _ = try page.run(hang)
        try page.choose(tab: other)
        _ = try await pair.bob.run("send", "-c", name, "--caption", "unseen")
        _ = try await page.find("article", "unseen")
        try page.closeTab()
        try page.choose(tab: still)
        _ = try await page.find("article", "unseen")
        _ = try await pair.bob.run("send", "-c", name, "--caption", "seen")
        _ = try await page.find("article", "seen")
        #expect(try page.run(Self.loads).number == 1, "it went on and did not load anew")
    }

    /// A browser whose tabs cannot speak to one another has a stream for each tab in sight.
    @Test func withoutAChannelATabInSightHasAStreamOfItsOwn() async throws {
        let name = try await pair.begin()
        let page = pair.alicesPage
        let first = try page.tab
        let address = try page.run("return location.href").text ?? ""
        var tabs: [String] = []
        for _ in 1...2 {
            tabs.append(try page.openTab())
            let script: JSONValue = .text(Self.withoutChannel)
            try page.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": script])
            try page.open(address)
            try await page.waitForConnection()
            #expect(try page.run("return typeof BroadcastChannel").text == "undefined")
        }
        for (number, tab) in tabs.enumerated() {
            try page.choose(tab: tab)
            try page.devTools("Page.bringToFront")
            try await eventually("a stream in sight") { try page.run(Self.streams).number == 1 }
            _ = try await pair.bob.run("send", "-c", name, "--caption", "seen \(number)")
            _ = try await page.find("article", "seen \(number)")
        }

        try page.minimize()
        try await eventually("no stream out of sight") { try page.run(Self.streams).number == 0 }
        _ = try await pair.bob.run("send", "-c", name, "--caption", "out of sight")
        try page.restore()
        _ = try await page.find("article", "out of sight")
        #expect(try page.run(Self.loads).number == 1, "it went on and did not load anew")
        for tab in tabs {
            try page.choose(tab: tab)
            try page.closeTab()
        }
        try page.choose(tab: first)
        try page.devTools("Page.bringToFront")
    }

    /// What a page runs first that is to know no channels; it keeps its streams of events.
    private static let withoutChannel = """
        delete window.BroadcastChannel;
        window.opened = [];
        window.EventSource = class extends EventSource {
            constructor(address) { super(address); opened.push(this); }
        };
        """

    /// The number of streams that the page has open.
    private static let streams = """
        return opened.filter(({ readyState }) => readyState === EventSource.OPEN).length
        """

    @Test func aNodeThatHangsIsGivenUpInWords() async throws {
        try await pair.begin()
        let page = pair.alicesPage
        let field = try await page.find("textbox", "Message")
        // Fifteen seconds of patience, and six without a beat, are made short.
        let hasten = """
            const [wait, now] = [setTimeout, performance.now.bind(performance)];
            window.setTimeout = (act, time) => wait(act, time > 10_000 ? 100 : time);
            performance.now = () => 5 * now();
            """
        _ = try page.run(hasten)
        pair.alice.pause()
        try field.type("does it come?\u{E007}")
        let alert = try await page.find("alert", from: "")
        try await eventually("why nothing is sent") {
            try alert.text.contains("has not answered for 15 seconds")
        }
        #expect(try field.property("value") == "does it come?")
        try await eventually("that the node is silent") {
            try await page.find("status", "Connection").text == "Reconnecting…"
        }
        pair.alice.resume()
        try await page.waitForConnection()
        // Regression: the trouble was told long after it was over.
        try await eventually("the end of the trouble") {
            let troubles = "return document.querySelectorAll('.composer [role=alert]').length"
            return try page.run(troubles).number == 0
        }
        try page.go(to: "/")
    }

    /// A tab that is older than its node says so, and loads the page of the node once nothing would
    /// be lost by it.
    @Test func anOldTabIsRenewedAndKeepsDrafts() async throws {
        try await pair.begin()
        let page = pair.bobsPage
        try await page.find("textbox", "Message").type("half a sentence")
        let folder = try TestDirectory()
        let file = try folder.write("notes.txt", Data("notes".utf8))
        try page.first("input[type=file]").type(file)
        _ = try await page.find("region", "Draft")
        _ = try page.run("document.documentElement.dataset.version = 'older'; window.isOld = true")
        try await pair.bob.restart {}
        try await eventually("why it is loaded again") {
            try await page.find("status", "Connection").text.contains("Parley was changed")
        }
        try await page.inspect("outdated", sizes: [(390, 844)])
        #expect(try page.run("return window.isOld") == .bool(true))
        try await page.find("button", "Remove notes.txt").click()
        try await eventually("the page of the node") {
            try page.run("return window.isOld ?? false") == .bool(false)
        }
        try await page.waitForConnection()
        #expect(try await page.find("textbox", "Message").property("value") == "half a sentence")
    }
}
