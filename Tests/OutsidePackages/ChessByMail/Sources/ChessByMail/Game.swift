import Foundation
import Messages

/// A line of moves, kept in the message that was last looked at.
struct Game {
    var moves: [String] = []

    init() {}

    init?(queryItems: [URLQueryItem]?) {
        guard let items = queryItems else { return nil }
        moves = items.filter { $0.name == "m" }.map { $0.value ?? "" }
    }

    var queryItems: [URLQueryItem] { moves.map { URLQueryItem(name: "m", value: $0) } }
}

extension MSMessageTemplateLayout {
    convenience init(game: Game, names: [UUID]) {
        self.init()
        caption = names.map { "$" + $0.uuidString }.joined(separator: " – ")
        trailingCaption = game.moves.last
        imageTitle = "Move \(game.moves.count)"
    }
}

/// A message that knows its game, and comes back from disk as what it was.
class GameMessage: MSMessage {
    var opening: String

    init(opening: String, session: MSSession) {
        self.opening = opening
        super.init(session: session)
    }

    required init?(coder: NSCoder) {
        guard let opening = coder.decodeObject(of: NSString.self, forKey: "opening") else {
            return nil
        }
        self.opening = opening as String
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(opening as NSString, forKey: "opening")
    }

    override class var supportsSecureCoding: Bool { true }
}

struct Shelf {
    let file: URL

    func keep(_ message: MSMessage) throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: message,
            requiringSecureCoding: true
        )
        try data.write(to: file)
    }

    func take() throws -> MSMessage? {
        let data = try Data(contentsOf: file)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: MSMessage.self, from: data)
    }
}
