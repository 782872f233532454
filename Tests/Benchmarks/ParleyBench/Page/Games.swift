import WebDriver

/// Games of tic-tac-toe on two pages, one after the other, each of which ends in a draw.
struct Games {
    private static let squares = [1, 2, 3, 5, 8, 7, 4, 6, 9]

    /// One move: who makes it, and what the other one sees then.
    struct Move {
        let mover: MeasuredPage
        let other: MeasuredPage
        let square: Int
        let mark: String

        /// The square on a page, with what is in it.
        func selector(_ state: String) -> String {
            ".panel [aria-label=\"Square \(square), \(state)\"]"
        }

        /// Makes the move by a script, which is faster than with the mouse, and waits until the
        /// other one sees it.
        func playByScript() throws {
            try other.expect(selector(mark))
            let script = "probe.play(arguments[0]).then(arguments[1])"
            try mover.browser.runLater(script, .number(Double(square)))
            try other.sight()
        }
    }

    let pages: [MeasuredPage]

    /// Calls `play` for each of `count` moves; between two games it presses "New game".
    func play(_ count: Int, _ play: (Move) async throws -> Void) async throws {
        for number in 0..<count {
            let (game, turn) = number.quotientAndRemainder(dividingBy: Self.squares.count)
            if turn == 0, game > 0 {
                for page in pages { try page.beginAnew() }
            }
            // Both begin in turns, so that each makes as many moves as the other.
            let mover = number % 2
            try await play(
                Move(
                    mover: pages[mover],
                    other: pages[1 - mover],
                    square: Self.squares[turn],
                    mark: turn.isMultiple(of: 2) ? "X" : "O"
                )
            )
        }
    }
}
