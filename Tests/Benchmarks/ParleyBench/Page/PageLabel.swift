import WebDriver

/// The time that a page needs to show that one label of an app has changed.
///
/// The node has no part in it: a script hands the page the last screen of the app once more, with
/// another text in one label, as the stream of events does.
enum PageLabel {
    static let median = "p50 ms"

    static func measure(count: Int) async throws -> [Figure] {
        let pair = try await PagePair()
        try await pair.beginToPlay()
        let games = Games(pages: pair.pages)
        try await games.play(9) { try $0.playByScript() }
        let page = pair.pages[1].browser
        // The pauses are of any length, so that a change comes at any time between two frames.
        let script = """
            const [count, done] = arguments;
            (async () => {
                const times = [];
                for (let number = 0; number < count; number += 1) {
                    await new Promise((next) => setTimeout(next, 40 + Math.random() * 20));
                    times.push(await probe.relabel(`label ${number}`));
                }
                done([times.map((each) => each[1]), times.map((each) => each[2])]);
            })();
            """
        let answer = try page.runLater(script, .number(Double(count))).array ?? []
        await pair.end()
        guard answer.count == 2, let times = answer[0].array?.compactMap(\.number),
            let works = answer[1].array?.compactMap(\.number), times.count == count
        else { throw BenchError.unexpected("no times of labels") }
        return [
            Figure(median, times.quantile(0.5)), Figure("p99 ms", times.quantile(0.99)),
            Figure("p50 ms work", works.quantile(0.5)), Figure("p99 ms work", works.quantile(0.99)),
        ]
    }
}
