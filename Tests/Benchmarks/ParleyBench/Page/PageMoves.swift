import WebDriver

/// The time from the press of Send on one page to the move on the board of the other.
///
/// The clocks of both pages follow that of the machine; their difference is measured before and
/// after, and is part of the figures.
enum PageMoves {
    static let median = "p50 ms"
    static let slowest = "p99 ms"

    static func measure(count: Int) async throws -> [Figure] {
        let pair = try await PagePair()
        try await pair.beginToPlay()
        let games = Games(pages: pair.pages)
        // The first game warms everything up.
        try await games.play(9) { _ = try time(of: $0) }
        for page in pair.pages { try page.beginAnew() }
        let before = try clocks(of: pair.pages)
        var (delays, others): ([Double], [Double]) = ([], [])
        try await games.play(count) { move in
            let (pressed, sight) = try time(of: move)
            delays.append(sight.painted - pressed)
            others.append(sight.sinceEvent)
        }
        let after = try clocks(of: pair.pages)
        await pair.end()
        return [
            Figure(median, delays.quantile(0.5)), Figure(slowest, delays.quantile(0.99)),
            Figure("max ms", delays.quantile(1)),
            Figure("p50 ms in the other page", others.quantile(0.5)),
            Figure("clocks ms apart", max(abs(before), abs(after))),
        ]
    }

    private static func time(
        of move: Games.Move
    ) throws -> (pressed: Double, sight: MeasuredPage.Sight) {
        try move.mover.wait(for: ".send[aria-disabled]")
        try move.mover.wait(for: move.selector("free") + ":not([aria-disabled])")
        try move.other.expect(move.selector(move.mark))
        try move.mover.click(move.selector("free"))
        try move.mover.wait(for: ".send:not([aria-disabled])")
        try move.mover.click(".send")
        let sight = try move.other.sight()
        return (try move.mover.pressed(), sight)
    }

    /// The difference of the clocks of two pages.
    private static func clocks(of pages: [MeasuredPage]) throws -> Double {
        let found = try pages.map { try $0.clock() }
        return found[0].ahead - found[1].ahead
    }
}

extension [Double] {
    /// The value below which this share of all values is.
    func quantile(_ share: Double) -> Double {
        let sorted = sorted()
        guard let last = sorted.last else { return .nan }
        let index = Int(Double(sorted.count) * share)
        return index < sorted.count ? sorted[index] : last
    }
}
