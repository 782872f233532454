import Foundation
import Messages
import MessagesHost

/// A game as its latest message carries it: the turn, the points, and the words.
///
/// The match says whose turn it is. In each turn one player draws a word that all others guess at
/// once.
struct Board: Equatable {
    /// The number of the latest turn with a message, from 0; -1 before the first.
    var turn = -1
    /// The points of each seat; without any, all have none.
    var points: [Int] = []
    /// Promises the word that is being drawn; nil between two drawings.
    var seal: String?
    /// Whether the drawer has taken a second word in this turn.
    var isSecond = false
    /// The seat that suggested the word that is being drawn, and so does not guess it.
    var suggester: Int?
    /// The word of the drawing before.
    var last: ShownWord?

    /// The most points, turns and players that a message may have.
    private static let limit = 64

    /// The name of the drawing in the match: the turn, and `a` or `b` for its first or second word.
    var key: String { "\(turn)\(isSecond ? "b" : "a")" }

    func points(of seat: Int) -> Int { points.indices.contains(seat) ? points[seat] : 0 }

    /// The results, the best of whom have won.
    ///
    /// Without any points nobody has won, and those who have left take no place.
    func outcomes(of seats: [ParleySeat]) -> [ParleyOutcome] {
        let all = seats.indices.map(points(of:))
        let staying = seats.indices.filter { !seats[$0].hasQuit }.map(points(of:))
        return zip(seats, all).map { seat, points in
            guard !seat.hasQuit else { return .quit }
            let place = staying.count { $0 > points } + 1
            let isBest = place == 1 && points > 0
            return ParleyOutcome(isBest ? .won : .placed, place: place, score: points)
        }
    }
}

/// A word that its drawer has shown, once nobody was to guess it any more.
struct ShownWord: Equatable {
    /// The name of the drawing in the match.
    let key: String
    let promise: ParleyPromise
    /// The seal that promised the word before it was drawn.
    let seal: String
    /// The seat of who has guessed it; nil for nobody.
    let guesser: Int?
    var strokes: [ParleyView.Stroke] = []

    var word: String { promise.text }
    var turn: Int { Int(key.dropLast()) ?? 0 }

    /// Whether the word is the promised one, as far as somebody knows who has seen `seal`.
    func isTrue(seen: String?) -> Bool {
        promise.seal == seal && (seen ?? seal) == seal
    }
}

// MARK: In a message

extension Board {
    /// Reads the game of a message; nil if the message has none.
    init?(message: MSMessage?) { self.init(url: message?.url) }

    /// Reads the game from the URL of a message.
    init?(url: URL?) {
        guard let url,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        let points = (value("Points") ?? "").split(separator: ",").map { Int($0) ?? -1 }
        guard let turn = value("Turn").flatMap(Int.init), (-1..<Self.limit).contains(turn),
            points.count <= Self.limit, points.allSatisfy({ (0..<Self.limit).contains($0) }),
            Self.isSeal(value("Seal") ?? value("Was"))
        else { return nil }
        self.init(turn: turn, points: points, seal: value("Seal"))
        isSecond = value("Second") != nil
        suggester = seal.flatMap { _ in value("By").flatMap(Int.init) }
        guard let word = value("Word") else { return }
        let strokes = InkText.strokes(in: value("Drawing") ?? "")
        guard Words.tidy(word) == word, !word.isEmpty, let key = value("Key"), key.count <= 3,
            let promise = ParleyPromise(word, salt: value("Salt") ?? ""),
            let seal = value("Was"), Self.isSeal(seal), let strokes
        else { return nil }
        last = ShownWord(
            key: key,
            promise: promise,
            seal: seal,
            guesser: value("Guesser").flatMap(Int.init),
            strokes: strokes
        )
    }

    private static func isSeal(_ text: String?) -> Bool {
        text.map { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) } ?? true
    }

    /// Makes a message: the data in the URL, and a layout for people without the app.
    func message(
        in session: MSSession,
        from sender: UUID,
        seats: [UUID] = [],
        isOver: Bool = false
    ) -> MSMessage {
        var items = [
            ("Turn", String(turn)), ("Points", points.map(String.init).joined(separator: ",")),
        ]
        if let seal { items.append(("Seal", seal)) }
        if isSecond { items.append(("Second", "1")) }
        if let suggester { items.append(("By", String(suggester))) }
        if let last {
            items += [
                ("Key", last.key), ("Word", last.word), ("Salt", last.promise.salt),
                ("Was", last.seal), ("Drawing", seal == nil ? InkText.text(last.strokes) : ""),
            ]
            if let guesser = last.guesser { items.append(("Guesser", String(guesser))) }
        }
        var components = URLComponents()
        components.queryItems = items.map { URLQueryItem(name: $0.0, value: $0.1) }

        let name = "$\(sender.uuidString)"
        let layout = MSMessageTemplateLayout()
        layout.image = seal == nil ? last?.picture : nil
        layout.caption = caption(name)
        layout.subcaption =
            isOver ? standing(seats) : seal == nil ? guessed(seats) : "\(name) draws"

        let message = MSMessage(session: session)
        message.url = components.url
        message.layout = layout
        message.summaryText = seal == nil ? layout.caption : "\(name) draws something"
        message.accessibilityLabel = "Draw and guess: \(layout.caption ?? "")"
        return message
    }

    private func caption(_ name: String) -> String {
        if seal != nil { return "What is it?" }
        guard let last else {
            return turn < 0 ? "\(name) wants to draw and guess" : "\(name) passes on"
        }
        return last.guesser == nil ? "It was “\(last.word)”" : "It is “\(last.word)”!"
    }

    private func guessed(_ seats: [UUID]) -> String? {
        guard let last else { return nil }
        guard let guesser = last.guesser, seats.indices.contains(guesser) else {
            return "Nobody guessed it"
        }
        return "$\(seats[guesser].uuidString) guessed it"
    }

    /// All players with their points, the best first.
    func standing(_ seats: [UUID]) -> String {
        seats.enumerated().sorted { (points(of: $1.0), $0.0) < (points(of: $0.0), $1.0) }
            .map { "$\($1.uuidString) \(points(of: $0))" }.joined(separator: " · ")
    }
}
