import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// What players offer to one another beside the turns.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ExchangeTests {
    private let table: Harness
    private let (ann, ben, cat): (Player, Player, Player)

    init() throws {
        let match = try TallyMatch()
        table = match.table
        (ann, ben, cat) = (match.ann, match.ben, match.cat)
    }

    /// Moves, and settles exchanges; returns whether the move was sent.
    private func move(_ player: Player, settling exchanges: [ParleyExchange] = []) throws -> Bool {
        try player.move(at: table) { parley, message in
            for exchange in exchanges { parley.settle(exchange, with: message) }
        }
    }

    private func exchange(_ player: Player) throws -> ParleyExchange {
        try #require(player.match?.exchanges.first)
    }

    private func refusal(_ refusal: ParleyExchange.Refusal) -> HarnessError {
        .host(.exchange(refusal))
    }

    @Test func allAnswerAndAMoveSettlesIt() throws {
        try cat.offerExchange("wood for corn", to: [ann, ben])
        for player in table.players {
            let exchange = try exchange(player)
            #expect(exchange.author == cat.id)
            #expect(exchange.recipients == [ann.id, ben.id])
            #expect(exchange.data == Data("wood for corn".utf8))
            #expect(!exchange.isAnswered)
        }
        try ben.answerExchange(of: cat, with: "no")
        try ben.answerExchange(of: cat, with: "yes")
        #expect(try exchange(ann).answers == [ben.id: Data("yes".utf8)])
        #expect(try !move(ann, settling: [exchange(ann)]), "ann has not answered")
        try ann.answerExchange(of: cat, with: "three")
        #expect(try exchange(ann).isAnswered)
        // Whoever was away has it later.
        cat.goAway()
        #expect(try move(ann, settling: [exchange(ann)]))
        cat.comeBack()
        for player in table.players {
            #expect(player.match?.exchanges == [])
            #expect(player.match?.settled.count == 1)
            #expect(player.match?.violations == [])
        }
        // The game keeps it, and nothing is settled twice; the next one takes its place.
        #expect(try move(ben))
        try cat.tapBubble()
        try cat.offerExchange("corn", to: [ben])
        try ben.answerExchange(of: cat, with: "")
        let second = try exchange(ben)
        #expect(second.isAnswered)
        #expect(try move(cat, settling: [second]))
        #expect(ann.match?.settled == [second.id])
        #expect(try !move(ann, settling: [second]))
        for player in table.players { #expect(player.match?.violations == []) }
    }

    @Test func whatCannotBeIsRefused() throws {
        let dan = try table["dan"]
        #expect(throws: refusal(.notPlaying)) { try dan.offerExchange("x", to: [ann]) }
        #expect(throws: refusal(.nobodyAsked)) { try ann.offerExchange("x", to: []) }
        #expect(throws: refusal(.nobodyAsked)) { try ann.offerExchange("x", to: [dan]) }
        #expect(throws: refusal(.nobodyAsked)) { try ann.offerExchange("x", to: [ann]) }
        #expect(throws: refusal(.gone)) { try ben.answerExchange(of: ann, with: "x") }
        let long = String(repeating: "x", count: 7_901)
        #expect(throws: HarnessError.self) { try ann.offerExchange(long, to: [ben]) }
        try ann.offerExchange(String(long.dropLast()), to: [ben])
        #expect(throws: refusal(.oneAtATime)) { try ann.offerExchange("y", to: [ben]) }
        #expect(throws: refusal(.notAsked)) { try cat.answerExchange(of: ann, with: "x") }
        #expect(throws: HarnessError.self) { try ben.answerExchange(of: ann, with: long) }
        #expect(throws: refusal(.gone)) { try ben.cancelExchange() }
        #expect(throws: refusal(.notPlaying)) { try dan.answerExchange(of: ann, with: "x") }
        // Others may have one at the same time.
        try ben.offerExchange("z", to: [ann, cat])
        #expect(cat.match?.exchanges.map(\.author) == [ann.id, ben.id])
    }

    /// Who takes an offer back can make another one, and the first one cannot be answered.
    @Test func anOfferIsTakenBack() throws {
        try ann.offerExchange("one", to: [ben])
        let first = try exchange(ben)
        try ann.cancelExchange()
        for player in table.players { #expect(player.match?.exchanges == []) }
        #expect(throws: refusal(.gone)) { try ben.answerExchange(of: ann, with: "yes") }
        #expect(try !move(ann, settling: [first]))
        try ann.offerExchange("two", to: [ben])
        #expect(try exchange(ben).answers == [:])
        for player in table.players { #expect(player.match?.violations == []) }
    }

    /// Who has left need not answer, and whose time is over does not take what was settled along.
    @Test func whoHasLeftNeedNotAnswer() throws {
        try ann.offerExchange("one", to: [ben, cat])
        try ben.answerExchange(of: ann, with: "yes")
        #expect(try !exchange(ann).isAnswered)
        try cat.resign()
        #expect(try exchange(ann).isAnswered)
        #expect(try move(ann, settling: [exchange(ann)]))
        #expect(try table["dan"].match?.settled.count == 1)
        try ann.offerExchange("two", to: [ben])
        #expect(try move(ben))
        #expect(ann.match?.settled.count == 1)
    }

    /// Another program settles what nobody has answered, and answers without being asked.
    @Test func cheatsAreTold() throws {
        try ann.offerExchange("one", to: [ben])
        let offer = try exchange(cat).id
        let session = SessionID(try #require(ann.match?.session))
        var content = MessageContent()
        content.app = "tally"
        content.url = "?n=2"
        var match = Match(.running, least: 2, most: 3)
        match.seats = [ann, ben, cat].map(\.id)
        match.turn = [1]
        match.settled = [offer]
        content.match = match
        #expect(throws: HarnessError.host(.node(.notPlayable(.exchangeOpen)))) {
            try ann.post(Draft(session: session, content: content))
        }
        var answer = MessageContent()
        answer.addition = Addition(
            answering: offer,
            of: 0,
            with: Data("me too".utf8),
            in: session
        )
        #expect(throws: HarnessError.host(.node(.notPlayable(.notAsked)))) {
            try cat.post(Draft(content: answer))
        }
        #expect(try exchange(ann).answers == [:])
    }
}
