import ParleyCore
import ParleyFaults
import Testing

/// Games in the sessions of a conversation: what is shown of them, and what stays over a restart.
@Suite struct GameTests {
    @Test func aMessageOfNoGameIsAgainstTheRulesAndDisplacesNothing() throws {
        var game = SampleGame()
        try game.write(game.offer)
        try game.write(game.running)
        try game.write(nil, by: 1)
        let match = try #require(game.view?.match)
        #expect(game.view?.heads.map(\.dot) == [game.dots[2]])
        #expect(match.game.violations.map(\.fault) == [.noGame])
        #expect(match.game.violations.map(\.author) == [game.participants[1]])
        #expect(match.game.legal?.dot == game.dots[1])
        #expect(match.envelope == game.envelopes[1].bytes)
    }

    @Test func whereNoGameBeganAnyMessageMayStand() throws {
        var game = SampleGame()
        var twice = game.offer
        twice.seats += twice.seats
        try game.write(twice)
        try game.write(nil, by: 1)
        #expect(game.view?.match?.game.violations.map(\.fault) == [.seatTwice])
        #expect(game.view?.match?.game.legal == nil)
    }

    /// Who offered the game may withdraw the offer.
    @Test(arguments: [0, 1])
    func onlyTheOffererEndsTheSession(author: Int) throws {
        var game = SampleGame()
        try game.write(game.offer)
        try game.write(nil, by: author, isTombstone: true)
        let faults = game.view?.match?.game.violations.map(\.fault)
        #expect(faults == (author == 0 ? nil : [.noGame]))
    }

    /// The node names the message before in what it writes itself.
    @Test func aMoveNamesTheMessageBefore() {
        var game = SampleGame()
        let bases = [game.offer, game.running].map { state in
            var state = state
            state.seats = [game.ownParticipant]
            game.author(state)
            return game.view?.match?.game.legal?.state.base
        }
        let legal = game.view?.match?.game
        #expect(bases == [nil, legal?.before?.dot] && legal?.before != nil)
    }

    /// Regression: nobody could read a turn of a seat that is not there, so that all took the
    /// message for one of no game.
    @Test func aNodeWritesOnlyWhatOthersCanRead() {
        var game = SampleGame()
        var state = game.offer
        state.seats = [game.ownParticipant]
        game.author(state)
        let offer = game.view?.match?.game.legal?.dot
        (state.phase, state.turn) = (.running, [1])
        game.author(state)
        #expect(game.view?.match?.game.legal?.dot == offer && offer != nil)
        #expect(game.view?.match?.game.violations == [])
        let answer = game.puppet.deliveries.last
        guard case .answer(_, .malformed) = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
    }

    /// Who gives one point less than there are cards is named, for good.
    @Test(arguments: [(0, []), (1, [.deckBroken])] as [(Int, [MatchFault])])
    func whoGivesWhatDoesNotFitADeckIsNamed(missing: Int, faults: [MatchFault]) throws {
        var game = SampleGame()
        try game.write(game.offer)
        try game.write(game.running)
        var state = game.running
        state.chance.deck = MatchDeck(number: 1, count: 6, seats: [0])
        try game.write(state)
        var due = try #require(game.dueShare)
        due.share.shuffled.removeLast(missing)
        game.add(.deck, slot: due.slot, due.share.encoded())
        for game in [game, SampleGame(disk: game.puppet.disk)] {
            let violations = game.view?.match?.game.violations
            #expect(violations?.map(\.fault) == faults)
            #expect(violations?.allSatisfy { $0.author == game.participants[0] } == true)
        }
    }

    /// Regression: a hand was computed once, and who quit could give a false secret after that.
    @Test(arguments: [(false, []), (true, [.deckBroken])] as [(Bool, [MatchFault])])
    func aSecretThatComesAfterTheHandWasComputedIsChecked(
        isFalse: Bool,
        faults: [MatchFault]
    ) throws {
        var game = SampleGame()
        try game.write(game.offer)
        try game.write(game.running)
        var state = game.running
        state.chance.deck = MatchDeck(number: 1, count: 6, seats: [0])
        try game.write(state)
        let due = try #require(game.dueShare)
        game.add(.deck, slot: due.slot, due.share.encoded())
        game.add(.quit, .empty)
        state.base = game.dots.last
        state.chance.deck?.isOver = true
        try game.write(state)
        var last = try #require(game.dueShare).share
        if isFalse { last.seed = Bytes32(2, 0, 0, 0) }
        game.add(.deck, slot: due.slot, last.encoded())
        #expect(last.seed != nil)
        #expect(game.view?.match?.game.violations.map(\.fault) == faults)
    }

    /// Links may come before the message that calls for them, over another link.
    @Test(
        arguments: [(2, false, []), (3, false, [.revealedEarly]), (3, true, [.revealedEarly])]
            as [(UInt64, Bool, [MatchFault])]
    )
    func whoRevealsMoreThanIsCalledForIsNamed(
        number: UInt64,
        comesFirst: Bool,
        faults: [MatchFault]
    ) throws {
        var game = SampleGame()
        game.reveal(0)
        try game.write(game.offer)
        try game.write(game.running)
        var state = game.running
        state.chance.roll = MatchRoll(.open, number: 2, seats: [0])
        if comesFirst { game.reveal(number, forNext: true) }
        try game.write(state)
        if !comesFirst { game.reveal(number) }
        #expect(game.view?.match?.game.legal?.dot == game.dots.last)
        #expect(game.view?.match?.game.violations.map(\.fault) == faults)
    }

    /// Regression: a full node left a seat out, and found fault with the start of the game.
    @Test(arguments: [(100, [.seatNotTaken]), (1, [])] as [(Int, [MatchFault])])
    func whereMessagesWereLeftOutSeatsAreNotChecked(heads: Int, faults: [MatchFault]) throws {
        var limits = Limits()
        limits.quota.conversation.heads = heads
        var game = SampleGame(limits: limits)
        try game.write(game.offer)
        if heads == 1 { game.add(.seat, .empty, by: 1) }
        var state = game.running
        state.seats = game.participants
        try game.write(state)
        let found = game.view?.match?.game
        #expect(found?.violations.map(\.fault) == faults)
        #expect(found?.legal?.dot == game.dots[faults.isEmpty ? 1 : 0])
        #expect(found?.isChecked == !faults.isEmpty)
    }

    /// Regression: a full node left out who had quit, and found fault with who moved instead.
    @Test(
        arguments: [(100, [.outOfTurn]), (2, [])] as [(Int, [MatchFault])],
        [false, true]
    )
    func whereMessagesWereLeftOutSomebodyMayHaveQuit(
        _ row: (heads: Int, faults: [MatchFault]),
        comesFirst: Bool
    ) throws {
        var limits = Limits()
        limits.quota.conversation.heads = row.heads
        var game = SampleGame(limits: limits)
        try game.write(game.offer)
        game.add(.seat, .empty, by: 1)
        var state = game.running
        (state.seats, state.turn) = (game.participants, [1])
        try game.write(state)
        let isFull = row.heads == 2
        if isFull, !comesFirst { game.add(.quit, .empty, by: 1) }
        (state.turn, state.base) = ([0], game.dots.last)
        try game.write(state)
        if isFull, comesFirst { game.add(.quit, .empty, by: 1) }
        #expect(game.view?.match?.game.violations.map(\.fault) == row.faults)
    }

    /// The links of those whose chains are here are checked all the same.
    @Test(arguments: [(false, []), (true, [.rollUnanswered])] as [(Bool, [MatchFault])])
    func chainsThatWereLeftOutMayHaveTheLinks(isForged: Bool, faults: [MatchFault]) throws {
        var limits = Limits()
        limits.quota.conversation.heads = 2
        var game = SampleGame(limits: limits)
        try game.write(game.offer)
        game.reveal(0)
        game.add(.seat, .empty, by: 1)
        var state = game.running
        state.seats = game.participants
        try game.write(state)
        state.base = game.dots.last
        state.chance.roll = MatchRoll(.open, number: 2, seats: [0, 1])
        try game.write(state)
        state.base = game.dots.last
        let link = isForged ? .zero : game.chain(2).open.link
        state.chance.roll?.answers = [link, Bytes32(1, 2, 3, 4)]
        try game.write(state)
        #expect(game.view?.match?.game.violations.map(\.fault) == faults)
        #expect(game.view?.match?.game.legal?.dot == game.dots[isForged ? 2 : 3])
    }

    /// Who uses up an own share does not make nodes doubt what others have written.
    @Test func whoFillsAnOwnShareExcusesNothing() throws {
        var limits = Limits()
        limits.quota.device.heads = 2
        var game = SampleGame(limits: limits)
        try game.write(game.offer)
        for slot in 0..<3 as Range<UInt64> { game.add(.exchangeAnswer, slot: slot, .empty) }
        #expect(game.puppet.machine.conversations.first?.shortage != nil)
        var state = game.running
        state.seats = game.participants
        try game.write(state)
        #expect(game.view?.match?.game.violations.map(\.fault) == [.seatNotTaken])
    }

    /// Regression: an offer that was not written yet passed for one that was taken back.
    @Test(arguments: [(1, []), (1 << 40, [.exchangeOpen])] as [(UInt64, [MatchFault])])
    func nobodySettlesAnOfferOfLater(sequence: UInt64, faults: [MatchFault]) throws {
        var game = SampleGame()
        try game.write(game.offer)
        game.add(.exchange, .empty)
        try game.write(game.running)
        var state = game.running
        let origin = try #require(game.dots.last).origin
        state.settled = [Dot(origin: origin, sequence: sequence)]
        try game.write(state)
        #expect(game.view?.match?.game.violations.map(\.fault) == faults)
    }

    /// An offer takes the place of the earlier one of its author.
    @Test func anExchangeThatWasReplacedIsNone() throws {
        var game = SampleGame()
        try game.write(game.offer)
        for seat in 0...1 {
            let offer = Exchange.offer(to: [game.participants[seat]])
            game.add(.exchange, offer.content(with: []))
        }
        let exchanges = try #require(game.exchanges)
        #expect(game.additions.map { exchanges[$0] == nil } == [true, false])
    }

    /// The last legal message stays, too, when it is no head any more.
    @Test(arguments: [1, 2, 3])
    func theGameIsTheSameAfterARestart(count: Int) throws {
        var game = SampleGame()
        for number in 0..<count {
            let state = [game.offer, game.running, nil][number]
            try game.write(state, by: number / 2)
        }
        let other = SampleGame(disk: game.puppet.disk)
        let (before, after) = (game.view?.match, other.view?.match)
        #expect(after?.game.encoded() == before?.game.encoded() && after?.game.encoded() != nil)
        #expect(after?.envelope == before?.envelope)
        #expect(after?.envelope == game.envelopes[min(count, 2) - 1].bytes)
    }
}

/// A game of one or two at a node; the first of the authors offers it.
private struct SampleGame {
    private static let table = SimulatedConversation(1)
    private static let authors = [2, 3].map {
        SimulatedAuthor(crypto: SimulatedCryptography(seed: $0), table: table)
    }

    private static let session = SessionUUID(session: "game")

    private(set) var puppet: Puppet
    private(set) var envelopes: [Envelope] = []
    private(set) var additions: [Dot] = []
    private var position: UInt64 = 0

    /// A peer of the node is the first author, and brings what the second one writes.
    init(limits: Limits = Limits(), disk: SimulatedDisk? = nil) {
        puppet = Puppet(limits: limits, disk: disk)
        puppet.meetAndSync()
        for author in Self.authors { puppet.send(author.originFrame) }
    }

    let participants = authors.map(\.participant)
    var dots: [Dot] { envelopes.map(\.header.dot) }
    var view: SessionView? {
        puppet.machine.conversations.first?.view(Self.authors[0].tag("game"))
    }

    var offer: MatchState { MatchState(phase: .offered, size: 1...2, seats: [participants[0]]) }
    /// The first move, after the offer.
    var running: MatchState {
        var state = offer
        (state.phase, state.turn, state.base) = (.running, [0], dots.last)
        return state
    }

    /// The node gets a message that replaces all before, of a game or not.
    mutating func write(
        _ state: MatchState?,
        by author: Int = 0,
        isTombstone: Bool = false
    ) throws {
        let number = UInt64(envelopes.count + 1)
        let author = Self.authors[author]
        let known = dots.last { $0.origin != author.origin }
        let envelope = try author.writes(
            "game",
            number,
            revision: number,
            context: known.map { [$0] } ?? [],
            isTombstone: isTombstone,
            role: state.map { .match($0) }
        )
        send(envelope.bytes, by: author)
        envelopes.append(envelope)
    }

    var ownParticipant: ParticipantID {
        ParticipantID(
            conversation: Self.table.id,
            device: puppet.nodeDevice,
            using: puppet.node
        )
    }

    /// The node itself writes a message of the game.
    mutating func author(_ state: MatchState) {
        let body = MessageBody(session: Self.session, place: 0, sentAt: 0, role: .match(state))
        let request = AuthorRequest(request: RequestID(1), conversation: 1, body: body)
        puppet.handle(.authored([request]))
    }

    /// The node gets an addition of an author to the game, in place of the one before.
    mutating func add(
        _ kind: SideMessage.Kind,
        slot: UInt64 = 0,
        _ content: Slice,
        by number: Int = 0
    ) {
        let author = Self.authors[number]
        let side = SideMessage(to: Self.session, kind, slot: slot, content: content)
        let own = side.ownSession(of: participants[number], using: author.crypto)
        guard let tag = puppet.machine.conversations.first?.tag(of: own, using: author.crypto)
        else { return }
        let header = EnvelopeHeader(
            tag: tag,
            dot: author.dot(100 + UInt64(additions.count)),
            revision: UInt64(additions.count + 1),
            context: []
        )
        additions.append(header.dot)
        let body = MessageBody(session: own, place: 1, sentAt: 0, role: .side(side))
        send(author.envelope(header, body: body), by: author)
    }

    private mutating func send(_ envelope: Slice, by author: SimulatedAuthor) {
        position += 1
        puppet.send(author.frame(envelope, position: position))
    }

    /// The first author reveals the open links up to a number, for the last message of the game or
    /// for the next one; with 0, takes its seat.
    mutating func reveal(_ number: UInt64, forNext: Bool = false) {
        guard number > 0 else { return add(.seat, chain(0).seat(with: .zero)) }
        let message = Self.authors[0].dot(UInt64(envelopes.count + (forNext ? 1 : 0)))
        add(.draw, RollReveal(chain(number), for: message).encoded())
    }

    /// The chains of the first author up to an open link.
    func chain(_ number: UInt64) -> Chain {
        ChainSteps(Self.session, of: participants[0], using: Self.authors[0].crypto)
            .own(number, 0, guest: nil)
    }

    var exchanges: GameExchanges? {
        puppet.machine.conversations.first.map { GameExchanges(of: Self.session, in: $0) }
    }

    /// What the first author is to give to the deck.
    var dueShare: (share: DeckShare, slot: UInt64)? {
        puppet.machine.conversations.first.flatMap {
            GameRolls(in: $0)
                .share(
                    for: Self.session,
                    by: participants[0],
                    guest: nil,
                    using: Self.authors[0].crypto
                )
        }
    }
}
