import Foundation
import Messages
import MessagesHost

/// A game of tic-tac-toe as a message carries it: the nine squares and the two players.
struct Game: Equatable {
    enum Mark: String {
        case x = "X"
        case o = "O"
    }

    var squares: [Mark?] = Array(repeating: nil, count: 9)
    /// The participant in the first seat; without seats, who made the first move.
    var x: UUID?
    /// The participant in the second seat; without seats, who answered the first move.
    var o: UUID?

    /// The mark of the next move, as the squares tell.
    var turn: Mark {
        squares.count { $0 == .x } > squares.count { $0 == .o } ? .o : .x
    }

    /// Three squares with the same mark in a row.
    var line: [Int]? {
        let lines = [
            [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
        ]
        return lines.first { line in
            squares[line[0]] != nil && line.allSatisfy { squares[$0] == squares[line[0]] }
        }
    }

    var winner: Mark? { line.flatMap { squares[$0[0]] } }

    /// The results of the first and the second seat, once the game is over.
    var outcomes: [ParleyOutcome] {
        switch winner {
        case .x: [.won, .lost]
        case .o: [.lost, .won]
        case nil: [.tied, .tied]
        }
    }

    var isOver: Bool { winner != nil || !squares.contains(nil) }

    func player(_ mark: Mark) -> UUID? { mark == .x ? x : o }

    /// Whether somebody may move now: without seats, the first two to move are the players.
    func canMove(_ player: UUID) -> Bool {
        guard !isOver else { return false }
        guard let expected = self.player(turn) else { return player != x }
        return player == expected
    }

    /// The game after a move of `player`; nil if that is not possible.
    func moved(to square: Int, by player: UUID) -> Game? {
        guard squares.indices.contains(square), squares[square] == nil, canMove(player) else {
            return nil
        }
        var game = self
        if turn == .x { game.x = player } else { game.o = player }
        game.squares[square] = turn
        return game
    }
}

// MARK: In a message

extension Game {
    /// Reads the game from a message; nil if the message holds no valid game.
    init?(message: MSMessage?) { self.init(url: message?.url) }

    /// Reads the game from the URL of a message.
    init?(url: URL?) {
        guard let url,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        for item in items {
            switch item.name {
            case "board": squares = (item.value ?? "").map { Mark(rawValue: String($0)) }
            case "x": x = item.value.flatMap(UUID.init(uuidString:))
            case "o": o = item.value.flatMap(UUID.init(uuidString:))
            default: break
            }
        }
        let lead = squares.count { $0 == .x } - squares.count { $0 == .o }
        guard squares.count == 9, (0...1).contains(lead) else { return nil }
    }

    /// Makes a message: the data in the URL, and a layout for people without the app.
    func message(in session: MSSession, playedBy player: UUID) -> MSMessage {
        var components = URLComponents()
        components.queryItems = [
            URLQueryItem(name: "board", value: squares.map { $0?.rawValue ?? "-" }.joined())
        ]
        if let x { components.queryItems?.append(URLQueryItem(name: "x", value: x.uuidString)) }
        if let o { components.queryItems?.append(URLQueryItem(name: "o", value: o.uuidString)) }

        let layout = MSMessageTemplateLayout()
        layout.image = picture
        layout.caption = caption(playedBy: player)
        layout.subcaption = isOver || isNew ? nil : "\(turn.rawValue) moves next"

        let message = MSMessage(session: session)
        message.url = components.url
        message.layout = layout
        let mark = turn == .x ? Mark.o : .x
        message.summaryText =
            isNew ? layout.caption : "$\(player.uuidString) played \(mark.rawValue)"
        message.accessibilityLabel = "Tic-tac-toe: \(spoken)"
        return message
    }

    private var isNew: Bool { !squares.contains { $0 != nil } }

    private func caption(playedBy player: UUID) -> String {
        if isNew { return "$\(player.uuidString) wants to play" }
        if winner != nil { return "$\(player.uuidString) wins" }
        return isOver ? "A draw" : "$\(player.uuidString) has moved"
    }

    private var spoken: String {
        squares.enumerated().map { "\($0 + 1) \($1?.rawValue ?? "free")" }.joined(separator: ", ")
    }

    /// The board as a picture.
    private var picture: UIImage? {
        let marks = squares.enumerated().compactMap { index, mark in
            mark.map { mark in
                let (x, y) = (index % 3 * 100, index / 3 * 100)
                let path =
                    mark == .x ? "M28 28 72 72M72 28 28 72" : "M50 25a25 25 0 1 0 .01 0z"
                let name = mark.rawValue.lowercased()
                return "<path class='\(name)' transform='translate(\(x) \(y))' d='\(path)'/>"
            }
        }
        let ends = line.map { line in
            [line[0], line[2]].map { "\($0 % 3 * 100 + 50) \($0 / 3 * 100 + 50)" }
        }
        let stroke = ends.map { "<path class='line' d='M\($0[0])L\($0[1])'/>" } ?? ""
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='300' height='300'>
            <style>rect{fill:#fff}.x{stroke:#d4572a}.o{stroke:#0d7a6e}.line{stroke:#2b3a67}
            @media (prefers-color-scheme:dark){
            rect{fill:#222627}.x{stroke:#f59a6c}.o{stroke:#5cc9ba}.line{stroke:#fbf5e6}}
            </style>
            <rect width='300' height='300'/>
            <g fill='none' stroke-linecap='round'>
            <path d='M100 20V280M200 20V280M20 100H280M20 200H280' stroke='#999' stroke-width='4'/>
            <g stroke-width='13'>
            \(marks.joined())\(stroke)
            </g></g>
            </svg>
            """
        return UIImage(data: Data(svg.utf8))
    }
}
