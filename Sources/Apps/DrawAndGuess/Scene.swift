import Foundation
import Messages
import MessagesHost

/// A game at one moment: its latest message, who sits where, and what all draw and guess meanwhile.
///
/// Guesses and the growing drawing are answers, which replace nothing, so nobody is ever too late.
struct Scene: Turns {
    let message: MSMessage
    let board: Board
    let match: ParleyMatch
    /// The strokes that are drawn so far.
    var strokes: [ParleyView.Stroke] = []
    /// All guesses of this drawing.
    private(set) var guesses: [Guess] = []
    /// The guesses that the drawer says are wrong.
    private(set) var wrong: [String] = []
    /// The key of the drawing of the latest own guess, and then the seal of its word.
    private var guessed: String?

    struct Guess: Equatable {
        let seat: Int
        let word: String
    }

    /// How often each may guess a word.
    static let guessesMax = 6
    /// As many as seven may have guessed.
    private static let wrongMax = 7 * guessesMax
    private static let (guessSlot, drawingSlot) = (0, 1)

    /// Reads the game of a message; nil if it has none, or nobody can sit down.
    @MainActor
    init?(_ message: MSMessage, _ conversation: MSConversation) {
        guard let parley = conversation.parley, let match = parley.match(of: message),
            let board = Board(message: message)
        else { return nil }
        (self.message, self.match, self.board) = (message, match, board)
        for answer in parley.answers(in: message) {
            let lines = String(decoding: answer.content, as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            guard let seat = match.seats.firstIndex(where: { $0.id == answer.participant })
            else { continue }
            if seat == match.mySeat, answer.slot == Self.guessSlot { guessed = lines.first }
            guard let seal = board.seal, isDrawn, lines.first == board.key + seal
            else { continue }
            if answer.slot == Self.drawingSlot, seat == drawer {
                strokes = InkText.strokes(in: lines.dropFirst().first ?? "") ?? []
                wrong = lines.dropFirst(2).prefix(Self.wrongMax).map(Words.tidy)
            } else if answer.slot == Self.guessSlot, !knowsWord(seat), !match.seats[seat].hasQuit {
                let words = lines.dropFirst().map(Words.tidy).filter { !$0.isEmpty }
                guesses += words.prefix(Self.guessesMax).map { Guess(seat: seat, word: $0) }
            }
        }
    }

    /// The seal of the word of a drawing, if this device has guessed it.
    func seal(of key: String) -> String? {
        guessed.flatMap { $0.dropLast(64) == key ? String($0.suffix(64)) : nil }
    }

    // MARK: Turns

    var canGuess: Bool {
        guard isDrawn, let me = match.mySeat, !knowsWord(me) else { return false }
        return !match.seats[me].hasQuit && guessesLeft > 0
    }
    /// Whether a seat has chosen or suggested the word.
    private func knowsWord(_ seat: Int) -> Bool { seat == drawer || seat == board.suggester }
    var guessesLeft: Int { Self.guessesMax - guesses.count { $0.seat == match.mySeat } }
    /// All ink so far; a wrong guess gives more, up to what a URL can hold.
    var inkMax: Double { Ink.first + Ink.more * Double(min(wrong.count, 5)) }

    // MARK: Suggestions

    /// The seat for which the drawer may suggest a word; nil unless others are left to guess it.
    var suggestible: Int? {
        guard isMyDrawing, let drawer, match.seats.count(where: { !$0.hasQuit }) > 2 else {
            return nil
        }
        let next = seat(after: drawer)
        return isEnd(turn(of: next, after: board.turn)) ? nil : next
    }

    /// The word for this turn that the last drawer has suggested to this device.
    var suggestion: Guess? {
        match.parts.lazy.compactMap { part in
            let text = part.content.map { String(decoding: $0, as: UTF8.self) } ?? ""
            let items = text.split(separator: " ", maxSplits: 1).map(String.init)
            guard items.count == 2, Int(items[0]) == turn, let me = match.mySeat, me == drawer,
                let seat = match.seats.firstIndex(where: { $0.id == part.author }), seat != me,
                case let word = Words.tidy(items[1]), !word.isEmpty
            else { return nil }
            return Guess(seat: seat, word: word)
        }.first
    }

    /// A suggestion as it is sealed for the next drawer; all have the same length.
    private func sealed(_ word: String, for seat: Int) -> Data {
        let text = Array("\(turn(of: seat, after: board.turn)) \(word)".utf8)
        let padding = [UInt8](repeating: 32, count: max(0, Words.bytesMax + 4 - text.count))
        return Data(text + padding)
    }

    // MARK: What comes next

    /// The board with a promised word; the word before is shown if it is given up.
    func begun(_ promise: ParleyPromise, instead before: ParleyPromise?) -> Board {
        var next = board
        if isDrawn { next.last = shown(before) }
        next.isSecond = isDrawn
        next.turn = turn
        next.seal = promise.seal
        next.suggester = suggestion.flatMap { $0.word == promise.text ? $0.seat : nil }
        return next
    }

    /// The board after the drawing, with the word if its drawer knows it.
    func ended(_ promise: ParleyPromise?, guesser: Int? = nil) -> Board {
        var next = board
        next.last = hasEnded ? board.last : shown(promise, guesser: guesser)
        next.isSecond = false
        next.turn = turn
        (next.seal, next.suggester) = (nil, nil)
        if let guesser, let drawer {
            next.points = match.seats.indices.map(board.points(of:))
            next.points[guesser] += 2
            next.points[drawer] += 1
        }
        return next
    }

    private func shown(_ promise: ParleyPromise?, guesser: Int? = nil) -> ShownWord? {
        guard isDrawn, let promise, let seal = board.seal else { return nil }
        return ShownWord(
            key: board.key,
            promise: promise,
            seal: seal,
            guesser: guesser,
            strokes: strokes
        )
    }

    /// Sends the board as the next message, with the turn or the results that follow from it.
    @MainActor
    func send(
        _ board: Board,
        suggesting word: String? = nil,
        _ conversation: MSConversation,
        _ done: @escaping @MainActor (Bool) -> Void
    ) {
        guard let drawer, let session = message.session else { return done(false) }
        let me = conversation.localParticipantIdentifier
        let next = board.seal == nil ? seat(after: drawer) : drawer
        let isLast = board.seal == nil && isEnd(turn(of: next, after: board.turn))
        let isOver = hasEnded || isLast
        let draft = board.message(in: session, from: me, seats: seats, isOver: isOver)
        if isOver {
            conversation.parley?.setOutcomes(board.outcomes(of: match.seats), for: draft)
        } else {
            conversation.parley?.setTurn([seats[next]], for: draft)
            if let word, board.seal == nil, suggestible == next {
                let content = sealed(word, for: next)
                conversation.parley?.seal(content, for: seats[next], with: draft)
            }
        }
        conversation.send(draft) { error in MainActor.assumeIsolated { done(error == nil) } }
    }

    /// Answers with the guesses of this device and one more.
    @MainActor
    func guess(
        _ word: String,
        _ conversation: MSConversation,
        _ done: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        let own = guesses.filter { $0.seat == match.mySeat }.map(\.word)
        answer(own + [word], Self.guessSlot, conversation, done)
    }

    /// Answers with the drawing and the guesses that are wrong.
    @MainActor
    func draw(_ strokes: [ParleyView.Stroke], wrong: [String], _ conversation: MSConversation) {
        let lines = [InkText.text(strokes)] + wrong.suffix(Self.wrongMax)
        answer(lines, Self.drawingSlot, conversation) { _ in }
    }

    @MainActor
    private func answer(
        _ lines: [String],
        _ slot: Int,
        _ conversation: MSConversation,
        _ done: @escaping @MainActor (Bool) -> Void
    ) {
        let text = ([board.key + (board.seal ?? "")] + lines).joined(separator: "\n")
        conversation.parley?.answer(Data(text.utf8), in: message, slot: slot) { result in
            done((try? result.get()) != nil)
        }
    }
}
