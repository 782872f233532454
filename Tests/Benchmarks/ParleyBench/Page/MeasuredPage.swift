import PageSupport
import WebDriver

extension Browser {
    /// What the browser has counted of its page since it began to count, by these names; times in
    /// seconds.
    func metrics(_ names: [String]) throws -> [Double] {
        try devTools("Performance.enable")
        let metrics = try devTools("Performance.getMetrics")["metrics"]?.array ?? []
        return try names.map { name in
            guard let value = metrics.first(where: { $0["name"]?.text == name })?["value"]?.number
            else { throw BenchError.unexpected("no metric \(name)") }
            return value
        }
    }
}

/// A page in a browser, with a script beside it that notes when things happen there.
struct MeasuredPage {
    let browser: Browser

    /// The times of one change, in milliseconds.
    struct Sight {
        /// The time at which the change was painted, since 1970.
        let painted: Double
        /// From the event with the screen of an app until it was painted.
        let sinceEvent: Double
        /// The part of it in which the page worked: reading the event, and the frame.
        let work: Double
    }

    init(_ driver: BrowserDriver, width: Int, height: Int) throws {
        browser = try driver.browser(.whole, width: width, height: height)
        try browser.devTools(
            "Page.addScriptToEvaluateOnNewDocument",
            ["source": .text(PageProbe.script)]
        )
    }

    /// Opens the page by a link that lets this browser in, and waits until it follows its node.
    func enter(_ link: String) async throws {
        try browser.open(link)
        try await browser.waitForConnection()
    }

    /// Opens an app from the drawer.
    ///
    /// Nothing is looked for by role and name: that turns the accessibility of the browser on, and
    /// then the process that draws the page notes every change for a screen reader that is not
    /// there, which are 20 MB after 1,000 moves.
    func openApp(_ name: String) throws {
        for selector in ["button[aria-label=Apps]", ".drawer [aria-label=\"\(name)\"]"] {
            try wait(for: selector)
            try click(selector)
        }
        try wait(for: ".panel[aria-label=\"\(name)\"] .view-grid")
    }

    /// Lets the page watch for the first element that a selector finds.
    func expect(_ selector: String) throws {
        try browser.run("probe.expect(arguments[0])", .text(selector))
    }

    /// Waits until the expected element is painted.
    @discardableResult
    func sight() throws -> Sight {
        let answer = try browser.runLater("probe.sight(arguments[0])").array ?? []
        let times = answer.compactMap(\.number)
        guard times.count == 3 else { throw BenchError.unexpected("no times: \(answer)") }
        return Sight(painted: times[0], sinceEvent: times[1], work: times[2])
    }

    /// Waits for an element.
    func wait(for selector: String) throws {
        try expect(selector)
        try sight()
    }

    /// Presses "New game" by a script, and waits for the empty board.
    func beginAnew() throws {
        try browser.runLater("probe.beginAnew().then(arguments[0])")
    }

    /// Clicks with the mouse.
    func click(_ selector: String) throws {
        try browser.first(selector).click()
    }

    /// The time of the last press of the mouse, in milliseconds since 1970.
    func pressed() throws -> Double {
        guard let time = try browser.run("return probe.pressed").number else {
            throw BenchError.unexpected("nothing was pressed")
        }
        return time
    }

    /// The longest task of the page in milliseconds, at least 50; 0 if all were shorter.
    ///
    /// Then it starts anew.
    func longestTask() throws -> Double {
        try browser.run("return probe.longestTask()").number ?? 0
    }

    /// The difference of the page's clock to that of this process in milliseconds, and how wrong it
    /// may be.
    ///
    /// Of several questions the one with the fastest answer is the best.
    func clock() throws -> (ahead: Double, error: Double) {
        var best = (ahead: 0.0, error: Double.infinity)
        for _ in 0..<50 {
            let before = ProcessMeter.now * 1e3
            let there = try browser.run(PageProbe.clock).number ?? .nan
            let after = ProcessMeter.now * 1e3
            let error = (after - before) / 2
            if error < best.error { best = (there - (before + after) / 2, error) }
        }
        return best
    }
}
