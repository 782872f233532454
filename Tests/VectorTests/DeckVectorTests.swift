import Foundation
import ParleyCore
import ParleyKeys
import Testing

/// The deck of `Tests/Vectors/chance.json`: what three players give, and the cards.
@Suite struct DeckVectorTests {
    private struct File: Decodable {
        struct Chain: Decodable {
            let participant: String
            let secret: String
        }
        struct Deck: Decodable {
            struct Cheat: Decodable {
                let by: Int
                let shares: [String]
            }
            let number: UInt64
            let count: Int
            let dealt: [Int?]
            let cards: [Int]
            let deck: String
            let shares: [String]
            let cheat: Cheat
        }
        let game: String
        let chains: [Chain]
        let deck: Deck
    }

    private let crypto = World().crypto(0)
    private let deck: File.Deck
    private let game: SessionUUID
    private let secrets: [Bytes32]
    private var state: MatchState
    private var table = DeckTable()

    init() throws {
        let url = Project.root.appendingPathComponent("Tests/Vectors/chance.json")
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
        deck = file.deck
        let game = SessionUUID(try #require(Bytes16(try bytes(file.game))))
        self.game = game
        let people = try file.chains.map {
            ParticipantID(try #require(Bytes16(try bytes($0.participant))))
        }
        secrets = try file.chains.map { try #require(Bytes32(try bytes($0.secret))) }
        state = MatchState(phase: .running, size: 3...3, seats: people)
        state.chance.deck = MatchDeck(
            number: file.deck.number,
            count: file.deck.count,
            seats: [0, 1, 2],
            dealt: file.deck.dealt
        )
    }

    private var round: DeckRound<DeviceCryptography>? {
        let head = Self.head(1, by: state.seats[0])
        let message = MatchMove(head, by: state.seats[0], state, hash: .zero, storedAt: nil)
        return DeckRound(in: message, of: game, table, using: crypto)
    }

    private func chains(_ seat: Int) -> ChainSteps<DeviceCryptography> {
        ChainSteps(game, of: state.seats[seat], using: crypto)
    }

    private static func head(_ number: UInt64, by participant: ParticipantID) -> Head {
        Head(
            dot: Dot(origin: OriginID(participant.value), sequence: number),
            revision: number,
            context: [],
            tieBreak: .zero,
            digest: .zero
        )
    }

    private mutating func give(_ share: DeckShare, _ step: UInt64, by seat: Int) -> Bool {
        let author = state.seats[seat]
        return table.take(
            share,
            Self.head(step, by: author),
            to: game,
            in: deck.number & 1,
            by: author,
            using: crypto.group
        )
    }

    /// Shuffles, locks and gives the keys, and once the hand is over the seeds.
    private mutating func play() throws {
        for step in 1...4 as ClosedRange<UInt64> {
            state.chance.deck?.isOver = step == 4
            for seat in state.seats.indices {
                let share = try #require(round?.next(of: seat, chains(seat), guest: secrets[seat]))
                #expect(give(share, step, by: seat))
                #expect(share.deck.hex == deck.deck)
            }
            guard step == 3 else { continue }
            for seat in state.seats.indices {
                let view = round?.view(of: seat, chains(seat), guest: secrets[seat])
                for (position, owner) in deck.dealt.enumerated() {
                    let isSeen = owner == nil || owner == seat
                    #expect(view?.cards[position] == (isSeen ? deck.cards[position] : nil))
                }
            }
        }
    }

    @Test mutating func sharesAndCardsAreThoseOfTheFile() throws {
        try play()
        for (seat, share) in deck.shares.enumerated() {
            let entry = table[game, deck.number, state.seats[seat]]
            let content = try #require(entry?.share.encoded())
            #expect(Hexadecimal.text(Array(content.bytes)) == share)
        }
        #expect(round?.cheats == [])
    }

    @Test mutating func theCheatOfTheFileIsFound() throws {
        state.chance.deck?.isOver = true
        for seat in state.seats.indices {
            let content = Slice(try bytes(deck.cheat.shares[seat]))
            let side = SideMessage(to: game, .deck, slot: 1, content: content)
            #expect(give(try #require(DeckShare(side)), 1, by: seat))
        }
        #expect(round?.cheats == [deck.cheat.by])
    }

    /// What is no point of the group, or no scalar, stops nobody.
    @Test func theGroupRefusesWhatIsNone() throws {
        let group = crypto.group
        let point = group.point(of: Array(repeating: 7, count: 64))
        let scalar = group.scalar(of: Array(repeating: 9, count: 64))
        #expect(group.isPoint(point) && !group.isPoint(.zero))
        #expect(!group.isPoint(Bytes32(.max, .max, .max, .max)))
        #expect(group.multiply(point, by: .zero) == nil && group.inverse(of: .zero) == nil)
        #expect(group.multiply(Bytes32(.max, .max, .max, .max), by: scalar) == nil)
        let inverse = try #require(group.inverse(of: scalar))
        let masked = try #require(group.multiply(point, by: scalar))
        #expect(group.multiply(masked, by: inverse) == point)
        #expect(group.multiply(point, by: group.product(scalar, inverse)) == point)
    }
}
