import Foundation
import Messages

/// A round as a message carries it: word, drawer, drawing and guesses.
///
/// The drawer and the guessers act in turns: a sheet, a guess, more on the sheet, a guess, …
struct Round: Equatable {
    let word: String
    /// The participant who draws.
    let drawer: UUID
    var strokes: [ParleyView.Stroke] = []
    /// How often the drawer has drawn.
    var sheets = 0
    /// One guess for each sheet, the latest one last.
    var guesses: [String] = []

    static let guessesMax = 6
    /// The longest word or guess, in characters.
    static let wordMax = 24

    var isGuessed: Bool { guesses.last.map { Words.match($0, word) } ?? false }
    var isOver: Bool { isGuessed || guesses.count == Self.guessesMax }
    /// Whether the drawer is to draw, and not the others to guess.
    var isDrawersTurn: Bool { !isOver && sheets == guesses.count }
    var guessesLeft: Int { Self.guessesMax - guesses.count }
    var guessesLeftText: String {
        guessesLeft == 1 ? "1 guess left" : "\(guessesLeft) guesses left"
    }

    /// All ink that the drawer has had so far, in units of the drawing; a wrong guess gives more.
    var inkMax: Double { Ink.first + Ink.more * Double(guesses.count) }

    func canDraw(_ player: UUID) -> Bool { isDrawersTurn && player == drawer }
    func canGuess(_ player: UUID) -> Bool { !isOver && !isDrawersTurn && player != drawer }

    /// The round after `player` has drawn some strokes; nil if it is not the player's turn.
    func drawn(_ more: [ParleyView.Stroke], by player: UUID) -> Round? {
        guard canDraw(player), !more.isEmpty else { return nil }
        var round = self
        round.strokes += more
        round.sheets += 1
        return round
    }

    /// The round after `player` has guessed; nil if it is not the player's turn, or nothing new.
    func guessed(_ guess: String, by player: UUID) -> Round? {
        let guess = Words.tidy(guess)
        guard canGuess(player), !guess.isEmpty, !guesses.contains(guess) else { return nil }
        var round = self
        round.guesses.append(guess)
        return round
    }
}

// MARK: In a message

extension Round {
    /// Reads the round of a message; nil if there is none, or if the sender may not send it.
    init?(message: MSMessage?) {
        guard let message, let url = message.url,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        func values(_ name: String) -> [String] {
            items.filter { $0.name == name }.compactMap(\.value)
        }
        guard let drawer = values("Drawer").first.flatMap(UUID.init(uuidString:)),
            let hidden = values("Word").first,
            let word = HiddenWord.word(in: hidden, of: drawer), Words.tidy(word) == word,
            !word.isEmpty, let strokes = values("Drawing").first.flatMap(InkText.strokes(in:)),
            !strokes.isEmpty
        else { return nil }
        self.init(word: word, drawer: drawer, strokes: strokes)
        guesses = values("Guess")
        sheets = values("Sheets").first.flatMap(Int.init) ?? 0
        let isGuess = sheets == guesses.count
        let early = guesses.dropLast()
        guard sheets >= 1, isGuess || sheets == guesses.count + 1,
            guesses.count <= Self.guessesMax,
            guesses.allSatisfy({ Words.tidy($0) == $0 && $0 != "" }),
            // The round has not gone on after its end.
            !early.contains(where: { Words.match($0, word) }), isGuess || !isGuessed,
            // A message that was not sent yet has no sender.
            message.isPending || (message.senderParticipantIdentifier == drawer) != isGuess
        else { return nil }
    }

    /// Makes a message: the data in the URL, and a layout for people without the app.
    func message(in session: MSSession, from sender: UUID) -> MSMessage {
        var components = URLComponents()
        components.queryItems = [
            URLQueryItem(name: "Word", value: HiddenWord.text(word, of: drawer)),
            URLQueryItem(name: "Drawer", value: drawer.uuidString),
            URLQueryItem(name: "Sheets", value: String(sheets)),
            URLQueryItem(name: "Drawing", value: InkText.text(strokes)),
        ]
        components.queryItems? += guesses.map { URLQueryItem(name: "Guess", value: $0) }

        let layout = MSMessageTemplateLayout()
        layout.image = picture
        layout.caption = caption
        layout.subcaption = subcaption(from: sender)
        layout.trailingSubcaption = isOver ? nil : guessesLeftText

        let message = MSMessage(session: session)
        message.url = components.url
        message.layout = layout
        message.summaryText =
            sheets == guesses.count
            ? "$\(sender.uuidString) guessed “\(guesses.last ?? "")”"
            : "$\(sender.uuidString) \(sheets == 1 ? "drew something" : "drew some more")"
        message.accessibilityLabel = "Draw and guess: \(caption)"
        return message
    }

    private var caption: String {
        if isGuessed { return "It is “\(word)”!" }
        if isOver { return "It was “\(word)”" }
        guard isDrawersTurn, let guess = guesses.last else { return "What is it?" }
        return "Not “\(guess)”"
    }

    private func subcaption(from sender: UUID) -> String {
        if isGuessed { return "$\(sender.uuidString) guessed it" }
        if isOver { return "Nobody guessed it" }
        return isDrawersTurn
            ? "$\(drawer.uuidString) gets more ink" : "Drawn by $\(drawer.uuidString)"
    }
}
