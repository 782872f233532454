import Foundation
import Messages
import MessagesHost

/// A call: that there are at least so many dice with one face, under all cups together.
struct Call: Equatable {
    /// Six players with five dice each.
    static let countMax = 30

    var count: Int
    var face: Int

    /// Whether this call goes beyond another one: more dice, or as many with a higher face.
    func beats(_ other: Call?) -> Bool {
        (1...Self.countMax).contains(count) && (1...6).contains(face)
            && (count, face) > (other?.count ?? 0, other?.face ?? 0)
    }

    /// The call in words, such as “3 fours”.
    var text: String {
        let faces = ["one", "two", "three", "four", "five", "six"]
        return "\(count) \(faces[face - 1])" + (count == 1 ? "" : face == 6 ? "es" : "s")
    }
}

/// A round as a message carries it: how many dice each seat has, and the last call.
///
/// The dice themselves are in no message: they come from the roll of the match.
struct Round: Equatable {
    /// The dice of each seat, in the order of the seats; empty before the first round.
    var dice: [Int] = []
    /// The number of the roll to which the call belongs; 0 before the first one.
    var number = 0
    var call: Call?
    /// The seat of who made the call.
    var caller: Int?
    /// The seat of who did not believe it, once somebody did not.
    var doubter: Int?

    static let diceMax = 5
}

// MARK: In a message

extension Round {
    /// Reads the round from the URL of a message; nil if that is no valid round for so many seats.
    init?(_ url: URL?, seats count: Int) {
        guard let url,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        for item in items {
            let numbers = (item.value ?? "").split(separator: ",").compactMap { Int($0) }
            switch item.name {
            case "dice": dice = numbers
            case "roll": number = numbers.first ?? 0
            case "call" where numbers.count == 2: call = Call(count: numbers[0], face: numbers[1])
            case "by": caller = numbers.first
            case "doubt": doubter = numbers.first
            default: break
            }
        }
        let seats = [caller, doubter].compactMap(\.self)
        guard dice.isEmpty || dice.count == count, dice.allSatisfy((0...Self.diceMax).contains),
            seats.allSatisfy(dice.indices.contains), call?.beats(nil) ?? true
        else { return nil }
    }

    private var url: URL? {
        let items = [
            ("dice", dice), ("roll", [number]), ("call", call.map { [$0.count, $0.face] } ?? []),
            ("by", caller.map { [$0] } ?? []), ("doubt", doubter.map { [$0] } ?? []),
        ]
        var components = URLComponents()
        components.queryItems = items.filter { !$0.1.isEmpty }.map { name, numbers in
            URLQueryItem(name: name, value: numbers.map(String.init).joined(separator: ","))
        }
        return components.url
    }

    /// Makes a message: the data in the URL, and a layout for people without the app.
    func message(in session: MSSession, saying line: String) -> MSMessage {
        let layout = MSMessageTemplateLayout()
        let cups = dice.isEmpty ? [Self.diceMax, Self.diceMax] : dice
        layout.image = Table(cups: cups.map { Table.Cup(count: $0) }, call: call).picture
        layout.caption = line
        layout.subcaption = call.map { "The call is \($0.text)" }
        let message = MSMessage(session: session)
        message.url = url
        message.layout = layout
        message.summaryText = line
        message.accessibilityLabel = "Liar's dice: \(line)"
        return message
    }
}
