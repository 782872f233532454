import MessagesHost

extension DrawAndGuess {
    /// The rules of a match: who draws, and who gets points for which word.
    ///
    /// That somebody has guessed the word is the drawer's word.
    nonisolated public static func rules(_ move: ParleyMove) -> ParleyRuling {
        guard let after = Board(url: move.after.url) else { return .against("There is no game.") }
        guard move.before.match.phase == .running else {
            return after == Board() ? .allowed : .against("A game begins without points.")
        }
        guard let board = Board(url: move.before.url) else { return .unknown }
        let turns = DrawnTurn(board: board, match: move.before.match)
        return turns.fault(of: after, in: move.after.match).map { .against($0) } ?? .allowed
    }
}

/// A turn of a match, as far as the rules need it.
private struct DrawnTurn: Turns {
    let board: Board
    let match: ParleyMatch

    /// The reason why the next message is against the rules; nil if it is within them.
    func fault(of after: Board, in next: ParleyMatch) -> String? {
        guard let drawer, drawer == match.mySeat, after.turn == turn else {
            return "It is the turn of somebody else to draw."
        }
        let isBegun = after.seal != nil
        guard after.isSecond == (isBegun && isDrawn), !after.isSecond || !board.isSecond else {
            return "A drawer has two words at most."
        }
        guard isSuggested(after, in: next) else { return "Nobody has suggested the word." }
        guard match.seats.indices.allSatisfy({ after.points(of: $0) == points(of: $0, after) })
        else { return "The points do not follow from what was guessed." }
        let seat = isBegun ? drawer : seat(after: drawer)
        guard hasEnded || !isBegun && isEnd(turn(of: seat, after: turn)) else {
            let hasTurn = next.seats.indices.filter { next.seats[$0].hasTurn }
            return next.phase == .running && hasTurn == [seat]
                ? nil : "The turn does not go to the next one."
        }
        return next.outcomes.map(\.told) == after.outcomes(of: match.seats).map(\.told)
            ? nil : "The result is not that of the points."
    }

    /// Whether who is said to have suggested the word has sealed something for the drawer.
    private func isSuggested(_ after: Board, in next: ParleyMatch) -> Bool {
        guard let suggester = after.suggester else { return true }
        guard let drawer, next.seats.indices.contains(suggester) else { return false }
        let (author, recipient) = (next.seats[suggester].id, next.seats[drawer].id)
        return suggester != drawer
            && next.parts.contains {
                $0.author == author && $0.recipient == recipient && !$0.isEmpty
            }
    }

    /// The points of a seat, of which the last word may have brought some.
    private func points(of seat: Int, _ after: Board) -> Int {
        let points = board.points(of: seat)
        guard isDrawn, after.seal == nil, let last = after.last, last.key == board.key,
            last.isTrue(seen: board.seal), let guesser = last.guesser, guesser != drawer,
            guesser != board.suggester, match.seats.indices.contains(guesser)
        else { return points }
        return points + (seat == guesser ? 2 : seat == drawer ? 1 : 0)
    }
}

extension ParleyOutcome {
    /// The outcome as messages carry it, in which no points are the same as none.
    fileprivate var told: [String] { [result.rawValue, "\(place ?? 0)", "\(score ?? 0)"] }
}
