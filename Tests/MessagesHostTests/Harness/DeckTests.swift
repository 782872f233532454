import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// Cards from a deck that all players' nodes shuffle, as apps deal and see them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DeckTests {
    private let table: Harness
    private let (ann, ben, cat): (Player, Player, Player)

    init() throws {
        let match = try TallyMatch()
        table = match.table
        (ann, ben, cat) = (match.ann, match.ben, match.cat)
    }

    /// The cards that a player sees of somebody, or with nil of those for all.
    private func cards(_ viewer: Player, of owner: Player?) -> [Int?] {
        viewer.match?.deck?.cards(of: owner.map(\.id)).map(\.value) ?? []
    }

    private func deal(_ parley: ParleyConversation, _ message: MSMessage) {
        for player in [ann, ben, cat] { parley.deal(2, to: player.id, with: message) }
        parley.deal(1, to: nil, with: message)
    }

    @Test func aHandIsDealtShownAndEnded() throws {
        let all = [ann, ben, cat]
        try ann.move(at: table) { parley, message in
            parley.setDeck(of: 52, with: message)
            deal(parley, message)
        }
        for player in all {
            let deck = try #require(player.match?.deck)
            #expect(deck.isShuffled && deck.missing == [] && deck.number == 1 && deck.count == 52)
            for other in all {
                let seen = cards(player, of: other)
                #expect(seen.count == 2)
                #expect(seen.allSatisfy { ($0 != nil) == (player === other) })
            }
            #expect(cards(player, of: nil) == cards(ann, of: nil))
        }
        let watcher = try table["dan"]
        #expect(cards(watcher, of: ann) == [nil, nil])
        #expect(cards(watcher, of: nil) == cards(ann, of: nil) && cards(ann, of: nil) != [nil])
        let hands = all.flatMap { cards($0, of: $0) } + cards(ann, of: nil)
        #expect(Set(hands).count == 7)

        // One card of ben's lies open.
        let shown = try #require(ben.match?.deck?.cards(of: ben.id).first)
        try ben.move(at: table) { parley, message in parley.show([shown], with: message) }
        #expect(cards(ann, of: nil).contains(shown.value))
        #expect(cards(ann, of: ben).count == 1 && cards(ann, of: ben) == [nil])

        // In the end all do, and the next hand may begin.
        let hand = cards(cat, of: cat)
        try cat.move(at: table) { parley, message in parley.endDeck(with: message) }
        #expect(cards(ann, of: cat) == hand)
        try ann.move(at: table) { parley, message in
            parley.setDeck(of: 32, with: message)
            deal(parley, message)
        }
        #expect(cards(ben, of: ben).count == 2 && ben.match?.deck?.number == 2)
        for player in table.players { #expect(player.match?.violations == []) }
    }

    /// The deck waits for who is away, and goes on where it was.
    @Test func aDeckWaitsForWhoIsAway() throws {
        let away = cat.id
        cat.goAway()
        try ann.move(at: table) { parley, message in
            parley.setDeck(of: 52, with: message)
            deal(parley, message)
        }
        #expect(ann.match?.deck?.isShuffled == false && ann.match?.deck?.missing == [away])
        #expect(cards(ann, of: ann) == [nil, nil])
        cat.comeBack()
        table.settle()
        #expect(ann.match?.deck?.isShuffled == true)
        #expect(cards(ann, of: ann).allSatisfy { $0 != nil })
    }

    /// Who leaves takes the keys along, and the others play another hand.
    @Test func theOthersGoOnWithoutWhoLeaves() throws {
        try ann.move(at: table) { parley, message in parley.setDeck(of: 52, with: message) }
        let conversation = try #require(cat.conversation)
        let shown = MSMessage(session: try #require(cat.controller(Tally.self)?.matchSession))
        conversation.parley?.resign(from: shown)
        table.settle()
        try ben.move(at: table) { parley, message in
            parley.setDeck(of: 52, with: message)
            for player in [ann, ben] { parley.deal(1, to: player.id, with: message) }
        }
        #expect(ann.match?.deck?.participants == [ann.id, ben.id])
        #expect(cards(ann, of: ann) != [nil] && cards(ben, of: ben) != [nil])
        for player in table.players { #expect(player.match?.violations == []) }
    }

    /// A machine that is off gives no part of the deck: the others go on without it.
    @Test func whoGivesNothingIsClaimedOut() throws {
        let turn = cat.id
        cat.goAway()
        try ann.move(at: table) { parley, message in
            parley.setDeck(of: 52, with: message)
            parley.setTurn([turn], clock: 15, for: message)
        }
        #expect(ann.match?.deck?.isShuffled == false)
        table.pass(seconds: 31)
        try ben.claim()
        #expect(ann.match?.deck?.number == 2 && ann.match?.deck?.isShuffled == true)
        #expect(ann.match?.deck?.participants == [ann.id, ben.id])
        cat.comeBack()
        for player in table.players { #expect(player.match?.violations == []) }
    }

    /// Nothing is dealt twice, hidden again, or to somebody who does not play.
    @Test func theOwnNodeRefusesWhatIsAgainstTheRules() throws {
        try ann.move(at: table) { parley, message in
            parley.setDeck(of: 3, with: message)
            deal(parley, message)
        }
        // Seven cards of three are no draft.
        #expect(ann.match?.deck == nil)
        try ann.move(at: table) { parley, message in
            parley.setDeck(of: 52, with: message)
            parley.deal(1, to: nil, with: message)
            parley.deal(5, to: UUID(), with: message)
        }
        #expect(ann.match?.deck?.dealt.count == 1)
        // Nobody shows the card of another.
        try ben.move(at: table) { parley, message in parley.deal(1, to: cat.id, with: message) }
        let cats = try #require(ann.match?.deck?.cards(of: cat.id))
        try cat.move(at: table)
        try ann.move(at: table) { parley, message in parley.show(cats, with: message) }
        #expect(ann.match?.deck?.cards(of: cat.id).count == 1)
        try ann.move(at: table) { parley, message in parley.setDeck(of: 52, with: message) }
        #expect(ann.match?.deck?.number == 1)
    }
}
