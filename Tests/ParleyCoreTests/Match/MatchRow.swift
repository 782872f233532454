import Foundation
import ParleyCore
import ParleyFaults
import Testing

/// A row of `Tests/Vectors/match.json`: the messages of a game in the order in which a node has
/// them, and what it says of each.
struct MatchRow: Decodable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    let seatsBefore: [String]?

    struct Step: Decodable {
        let message: String?
        let by: String
        /// The kind of an addition, if the step is one.
        let adds: String?
        /// The name of an offer of an exchange, which takes the place of an earlier one of the
        /// author's; in an answer, the offer that is answered.
        let offer: String?
        /// Who is asked by the offer.
        let asks: [String]?
        /// What is said anew of earlier messages.
        let then: [String: String]?
        let phase: UInt64?
        let size: [Int]?
        let seats: [String]?
        let turn: [Int]?
        let clock: UInt64?
        let outcomes: [String]?
        let claim: [String]?
        let undone: String?
        let overruled: [String]?
        let mayUndo: Bool?
        let roll: Roll?
        let deck: Deck?
        /// Whether all have given their secrets of the deck before: "no", or "unknown"; without it,
        /// they have.
        let shown: String?
        let parts: [Part]?
        /// The offers that are settled.
        let settled: [String]?
        /// The bytes of the sealed body; without it, few.
        let bytes: Int?
        /// What is said of the links that answer the roll before; without it, that they are right.
        let answers: String?
        /// What the app says; without it, that the message is within its rules.
        let app: String?
        let rematch: Bool?
        let url: String?
        /// The second at which the message comes; without it, that of the step before.
        let at: Int64?
        /// Whether the message was on the way for longer.
        let late: Bool?
        /// The participants of whom the node left messages out, for lack of capacity.
        let leftOut: [String]?
        /// The message before; without it, the last legal one that the author knew, of two.
        let base: String?
        /// The messages that the author knew; without it, all before.
        let knows: [String]?
        let revision: UInt64?
        /// Settles the order of messages of the same revision.
        let order: UInt64?
        /// Whether the message ends the session.
        let end: Bool?
        let verdict: String?
    }

    /// [kind, number, seats that are in, seats that give links].
    struct Roll: Decodable {
        let roll: MatchRoll

        init(from decoder: any Decoder) throws {
            var items = try decoder.unkeyedContainer()
            let kind = try items.decode(String.self)
            roll = MatchRoll(
                kind == "open" ? .open : kind == "hidden" ? .hidden : .shown,
                number: try items.decode(UInt64.self),
                seats: try items.decode([Int].self),
                giving: try items.decode([Int].self)
            )
        }
    }

    /// [number, cards, seats that shuffle, owners of dealt cards, whether it is over].
    struct Deck: Decodable {
        let deck: MatchDeck

        init(from decoder: any Decoder) throws {
            var items = try decoder.unkeyedContainer()
            deck = MatchDeck(
                number: try items.decode(UInt64.self),
                count: try items.decode(Int.self),
                seats: try items.decode([Int].self),
                dealt: try items.decode([Int?].self),
                isOver: try items.decode(Bool.self)
            )
        }
    }

    /// [to, by, what is sealed].
    struct Part: Decodable {
        let part: MatchPart

        init(from decoder: any Decoder) throws {
            var items = try decoder.unkeyedContainer()
            let seats = (try items.decode(Int.self), try items.decode(Int.self))
            let sealed = Slice(Array(try items.decode(String.self).utf8))
            part = MatchPart(to: seats.0, by: seats.1, key: .zero, sealed: sealed)
        }
    }

    var testDescription: String { name }

    static let all: [MatchRow] = {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/match.json")
        struct File: Decodable { let rows: [MatchRow] }
        do {
            return try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).rows
        } catch {
            Issue.record("\(url.path): \(error)")
            return []
        }
    }()

    static func participant(_ name: String) -> ParticipantID {
        ParticipantID(Bytes16(name.utf8.reduce(0) { $0 << 8 | UInt64($1) }, 1))
    }
}

extension MatchVerdict {
    /// The verdict as the file names it.
    var word: String {
        switch self {
        case .legal: "legal"
        case .notChecked: "notChecked"
        case .against(let fault): fault.rawValue
        }
    }
}
