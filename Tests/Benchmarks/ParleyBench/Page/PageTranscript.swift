import Foundation
import PageSupport
import ParleyAPI
import TestSupport
import WebDriver

/// A long transcript: how soon it is there, and whether the page keeps up while somebody scrolls
/// through all of it.
enum PageTranscript {
    static let opening = "ms to open"
    static let longestTask = "ms longest task"

    /// The points by which the transcript is scrolled in each frame.
    private static let step = 600
    /// The longest time for one way, in milliseconds.
    private static let limit = 120_000.0

    static func measure(entries: Int) async throws -> [Figure] {
        let alice = try await PageNode("alice")
        let bob = try await PageNode("bob", peers: alice.ready.addresses)
        try await fill(alice, bob, entries)
        let page = try MeasuredPage(try await BrowserDriver(), width: 1_440, height: 900)
        try await page.enter(bob.ready.page ?? "")
        let last = "article[aria-label=\"message \(entries)\"]"
        try page.expect(last)
        try page.click("a.conversation")
        let opened = try page.sight().painted - page.pressed()
        let openingTask = try page.longestTask()

        let first = "article[aria-label=\"message 1\"]"
        let up = try scroll(page, by: -step, to: first)
        let down = try scroll(page, by: step, to: last)
        let task = try page.longestTask()

        try page.browser.go(to: "/c/\(PagePair.conversation)")
        try page.wait(for: last + "[data-session]")
        let anew = try page.browser.run("return performance.now()").number ?? .nan
        await alice.end()
        await bob.end()
        return [
            Figure(opening, opened), Figure("ms task at opening", openingTask),
            Figure("ms by address", anew), Figure(longestTask, task),
            Figure("ms longest frame", max(up.longestFrame, down.longestFrame)),
            Figure("most at once", max(up.most, down.most)),
            Figure("s to the first", up.took / 1e3), Figure("s to the last", down.took / 1e3),
        ]
    }

    /// Fills a conversation of both with texts, all from the first node.
    private static func fill(_ alice: PageNode, _ bob: PageNode, _ entries: Int) async throws {
        try await PagePair.share(alice, bob)
        let lines = (1...entries).map { "{\"caption\": \"message \($0)\"}\n" }
        _ = try await alice.run(
            "send",
            "-c",
            PagePair.conversation,
            "--batch",
            "-",
            input: lines.joined()
        )
        try await eventually("all entries at the second node", every: .milliseconds(100)) {
            let status = try await bob.run("status")
            return try JSON.decode(NodeStatus.self, from: status).sessions == entries
        }
    }

    private static func scroll(
        _ page: MeasuredPage,
        by points: Int,
        to selector: String
    ) throws -> Scrolling {
        let script = "probe.scroll(arguments[0], arguments[1]).then(arguments[2])"
        var all = Scrolling()
        while all.took < limit {
            let answer = try page.browser.runLater(
                script,
                .number(Double(points)),
                .text(selector)
            )
            let numbers = answer.array?.compactMap(\.number) ?? []
            guard numbers.count == 4 else { throw BenchError.unexpected("\(answer)") }
            all.took += numbers[0]
            all.longestFrame = max(all.longestFrame, numbers[1])
            all.most = max(all.most, numbers[2])
            if numbers[3] == 1 { return all }
        }
        throw BenchError.timeout("scrolling to \(selector)")
    }

    /// The times of a way through the transcript in milliseconds, and the most entries that were in
    /// the document at once.
    private struct Scrolling {
        var took = 0.0
        var longestFrame = 0.0
        var most = 0.0
    }
}
