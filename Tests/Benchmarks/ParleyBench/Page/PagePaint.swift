import PageSupport
import ParleyAPI
import WebDriver

/// The first paint of a page in a browser that has never seen it, by the link that lets it in.
enum PagePaint {
    static let paint = "ms first paint"

    static func measure(loads: Int) async throws -> [Figure] {
        let node = try await PageNode("alice")
        _ = try await node.run("conversation", "create", "games")
        for number in 1...20 {
            _ = try await node.run("send", "-c", "games", "--caption", "message \(number)")
        }
        let driver = try await BrowserDriver()
        var (paints, whole, connected): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<loads {
            let answer = try await node.run("page")
            let link = try JSON.decode(PageLinkDocument.self, from: answer).link
            let page = try MeasuredPage(driver, width: 1_440, height: 900)
            let (ahead, _) = try page.clock()
            let begin = ProcessMeter.now * 1e3 + ahead
            try page.browser.open(link)
            try page.wait(for: ".connection.is-connected")
            // On a busy machine the browser tells of the paint some time after it.
            let times = try page.browser.runLater(
                """
                const [connected, done] = [probe.clock(), arguments[0]];
                new PerformanceObserver((list, observer) => {
                    const paint = list.getEntriesByName("first-contentful-paint")[0]?.startTime;
                    if (paint === undefined) return;
                    observer.disconnect();
                    done([paint, performance.timeOrigin + paint, connected]);
                }).observe({ type: "paint", buffered: true });
                """
            )
            let numbers = times.array?.compactMap(\.number) ?? []
            guard numbers.count == 3 else { throw BenchError.unexpected("no paint: \(times)") }
            paints.append(numbers[0])
            whole.append(numbers[1] - begin)
            connected.append(numbers[2] - begin)
        }
        await node.end()
        return [
            Figure(paint, paints.quantile(0.5)),
            Figure("ms from the link", whole.quantile(0.5)),
            Figure("ms until connected", connected.quantile(0.5)),
        ]
    }
}
