import ParleyCore

/// Plays a turn game at a node, by what the node says of the game.
struct MatchBot {
    private let node: Int
    private let number: Int
    private let world: World
    private let conversation: SimulatedConversation
    let me: ParticipantID
    private let name: String
    private let view: SessionView?
    let game: MatchGame?
    /// The last message within the rules.
    let last: MessageBody?
    /// What the player sees of the dice.
    let rollView: RollView?
    /// What the player sees of the cards, and would give next.
    let deckView: DeckView?
    let deckShare: (share: DeckShare, slot: UInt64)?
    /// The exchanges beside the game.
    let exchanges: GameExchanges
    var random: SeededRandom

    /// Sits down at a node; the rematch of a game is another session.
    init?(
        _ game: Int,
        at node: Int,
        in conversation: SimulatedConversation,
        pick: UInt64,
        _ world: World
    ) {
        guard world.number(of: conversation, at: node) != nil else { return nil }
        self.node = node
        number = game
        self.world = world
        self.conversation = conversation
        me = world.participant(node, in: conversation)
        random = SeededRandom(seed: pick)
        let again = world.view(Self.name(game, isRematch: true), in: conversation, at: node)
        name = Self.name(game, isRematch: again != nil)
        view = again ?? world.view(name, in: conversation, at: node)
        self.game = view?.match?.game
        let (session, participant) = (SessionUUID(session: name), me)
        let (crypto, legal) = (world.nodes[node].crypto, view?.match?.envelope)
        let state = world.nodes[node].state(of: conversation)
        last = legal.flatMap { state?.open($0, using: crypto) }
        exchanges = state.map { GameExchanges(of: session, in: $0) } ?? GameExchanges()
        rollView = state.flatMap {
            GameRolls(in: $0).roll(of: session, for: participant, using: crypto)
        }
        deckView = state.flatMap {
            GameRolls(in: $0).deck(of: session, for: participant, using: crypto)
        }
        deckShare = state.flatMap {
            GameRolls(in: $0).share(for: session, by: participant, guest: nil, using: crypto)
        }
    }

    var session: SessionUUID { SessionUUID(session: name) }

    /// Whether dice are rolled in the game.
    var hasDice: Bool { number == 1 || number == 2 }

    /// Whether cards are dealt in the game.
    var hasCards: Bool { Self.cardGames.contains(number) }

    var ownSeat: Int? { game?.legal?.state.seats.firstIndex(of: me) }

    /// The links of the own chains.
    var steps: ChainSteps<SimulatedCryptography> {
        ChainSteps(SessionUUID(session: name), of: me, using: world.nodes[node].crypto)
    }

    private static func name(_ game: Int, isRematch: Bool) -> String {
        isRematch ? "rematch \(game)" : "game \(game)"
    }

    /// The seat of who offers a game, who plays no part in every third one.
    private var offerers: [ParticipantID] { number % 3 == 2 ? [] : [me] }

    /// The next message of somebody who keeps to the rules; nil if there is nothing to do.
    mutating func draft() -> World.Draft? {
        guard view != nil else {
            guard number % world.nodes.count == node else { return nil }
            return match(MatchState(phase: .offered, size: 2...4, seats: offerers))
        }
        guard let game, let legal = game.legal else { return nil }
        switch legal.state.phase {
        case .offered: return join(legal, game)
        case .running: return play(legal, game)
        case .over:
            if let dueShare { return dueShare }
            guard game.offerer == me, name == Self.name(number, isRematch: false) else {
                return nil
            }
            var offer = MatchState(phase: .offered, size: 2...4)
            offer.previous = SessionUUID(session: name)
            return match(offer, in: Self.name(number, isRematch: true))
        }
    }

    private mutating func join(_ legal: MatchMove, _ game: MatchGame) -> World.Draft? {
        let joined = participants(with: .seat)
        guard game.offerer == me else {
            if !joined.contains(me) { return addition(.seat) }
            return random.chance(1, in: 4) ? start(legal, [me] + joined.filter { $0 != me }) : nil
        }
        return joined.isEmpty ? nil : start(legal, offerers + joined)
    }

    private mutating func start(_ legal: MatchMove, _ players: [ParticipantID]) -> World.Draft? {
        var seats = Array(players.prefix(4))
        if legal.state.previous != nil, let before = seatsBefore() {
            seats = Array(before.dropFirst() + before.prefix(1))
        }
        guard seats.count > 1 else { return nil }
        var state = state(after: legal)
        state.phase = .running
        state.seats = seats
        state.turn = [Int.random(in: seats.indices, using: &random)]
        return match(state)
    }

    private mutating func play(_ legal: MatchMove, _ game: MatchGame) -> World.Draft? {
        let old = legal.state
        guard let seat = old.seats.firstIndex(of: me) else { return nil }
        if let due = due ?? dueShare { return due }
        if random.chance(1, in: 6), let exchange = exchange(legal) { return exchange }
        // Only games with an odd number have players who quit.
        if number % 2 == 1, random.chance(1, in: hasCards ? 200 : 20) { return addition(.quit) }
        if old.turn.contains(seat) { return move(legal) }
        if legal.author == me, old.mayUndo, let before = game.before, old.undone == nil,
            old.claim == nil, let parts = parts(as: before.state.parts)
        {
            var state = before.state
            state.undone = legal.dot
            state.overruled = overruled(legal)
            state.parts = parts
            return random.chance(1, in: 2) ? match(state, distance: -1) : nil
        }
        if random.chance(1, in: 4) { return claim(legal) }
        return number % 2 == 1 ? move(legal) : nil
    }

    private mutating func move(_ legal: MatchMove) -> World.Draft {
        var state = state(after: legal)
        for offer in answered(in: legal.state) { state.settle(offer) }
        if random.chance(1, in: hasCards ? 30 : 8) {
            state.phase = .over
            state.turn = []
            state.clock = nil
            state.outcomes = state.seats.map { MatchOutcome($0 == me ? .won : .lost) }
        }
        var draft = match(state)
        seal(with: &draft)
        return draft
    }

    private mutating func claim(_ legal: MatchMove) -> World.Draft {
        var state = state(after: legal)
        state.claim = MatchClaim(.skips, after: legal.dot)
        state.chance.roll = rollWithoutMissing ?? state.chance.roll
        return match(state, distance: 0)
    }

    /// A turn after a message of a game.
    private mutating func state(after legal: MatchMove) -> MatchState {
        var state = MatchState(
            phase: .running,
            size: legal.state.size,
            seats: legal.state.seats,
            clock: 15,
            previous: legal.state.previous,
            overruled: overruled(legal),
            parts: parts,
            mayUndo: random.chance(1, in: 4),
            settled: legal.state.settled
        )
        let able = legal.state.chance.roll?.seats ?? Array(state.seats.indices)
        if let seat = able.randomElement(using: &random) { state.turn = [seat] }
        state.chance.roll = roll(after: legal, turn: state.turn)
        state.chance.deck = deck(after: legal)
        return state
    }

    private func overruled(_ legal: MatchMove) -> [Dot] {
        game?.violations.filter { $0.base == legal.dot }.map(\.head.dot) ?? []
    }

    // MARK: Cheating

    /// A message against the rules, whatever else is known; nil if there is none to send.
    mutating func cheat() -> World.Draft? {
        guard let game, game.isChecked, let legal = game.legal, legal.state.phase == .running,
            view?.heads.map(\.dot) == [legal.dot]
        else { return nil }
        if legal.state.chance.roll != nil, random.chance(1, in: 3) { return falseReveal() }
        if hasCards { return falseShare() }
        if random.chance(1, in: 6), let answer = unaskedAnswer() { return answer }
        let isOfApp = random.chance(1, in: 8) && legal.state.turn.contains { $0 == ownSeat }
        guard var state = isOfApp ? state(after: legal) : cheating(legal, game) else { return nil }
        state.mayUndo = false
        var draft = match(state, distance: isOfApp ? 2 : state.claim == nil ? 1 : 0)
        draft.isJudged = false
        return draft
    }

    private mutating func cheating(_ legal: MatchMove, _ game: MatchGame) -> MatchState? {
        var state = state(after: legal)
        guard let seat = state.seats.firstIndex(of: me) else {
            // Who watches ends the game.
            state.phase = .over
            state.turn = []
            state.outcomes = state.seats.map { _ in MatchOutcome(.lost) }
            state.chance.roll = legal.state.chance.roll
            return state
        }
        let isInTurn = legal.state.turn.contains(seat)
        switch random.next() % 14 {
        case 13:
            // Nobody has made the offer, let alone answered it.
            guard isInTurn else { return nil }
            state.settle(Dot(origin: legal.dot.origin, sequence: 1 << 40))
        case 10:
            guard isInTurn, let part = falsePart(by: seat, in: state.seats) else { return nil }
            state.parts = [part]
        case 8, 11, 12:
            // Nobody's links answer the roll.
            guard isInTurn, let roll = legal.state.chance.roll else { return nil }
            state.chance.roll = roll
            state.chance.roll?.answers = roll.giving.map { _ in .zero }
        case 9:
            guard isInTurn, let roll = legal.state.chance.roll else { return nil }
            state.chance.roll = MatchRoll(.open, number: roll.number + 2, seats: roll.seats)
        case 0: return isInTurn || number % 2 == 1 ? nil : state
        case 1: state.seats.swapAt(0, 1)
        case 2: state = MatchState(phase: .offered, size: state.size)
        case 3, 4:
            guard let since = legal.storedAt, legal.state.clock != nil,
                now - since < .seconds(3)
            else { return nil }
            state.claim = MatchClaim(.skips, after: legal.dot)
        case 5:
            guard legal.author != me else { return nil }
            state.undone = legal.dot
        case 6: state.seats[state.seats.indices.first { $0 != seat } ?? 0] = me
        default:
            guard isInTurn, legal.isFirm else { return nil }
            state.overruled = [legal.dot]
        }
        return state
    }

    private var now: Moment { world.nodes[node].clock.moment(at: world.now) }

    // MARK: Messages

    /// A message whose number is so much higher than that of the last one.
    private func match(
        _ state: MatchState,
        in session: String? = nil,
        distance: Int = 1
    ) -> World.Draft {
        let text = session == nil ? url(distance) : "?game 0"
        var draft = World.Draft(session: session ?? name, text: text)
        draft.role = .match(state)
        // A person moves on what is on the screen, and no player plays two moves as one.
        draft.replacing = session == nil ? view?.heads.map(\.dot) ?? [] : []
        return draft
    }

    func addition(
        _ kind: SideMessage.Kind,
        slot: UInt64 = 0,
        _ content: Slice = .empty
    ) -> World.Draft {
        var draft = World.Draft(session: name, text: "")
        draft.role = .side(SideMessage(to: session, kind, slot: slot, content: content))
        return draft
    }

    /// The participants with an addition of a kind to the game.
    func participants(with kind: SideMessage.Kind) -> [ParticipantID] {
        guard let state = world.nodes[node].state(of: conversation) else { return [] }
        let crypto = world.nodes[node].crypto
        return state.sides(on: .session(SessionUUID(session: name)), last: 64).compactMap { side in
            guard let head = side.heads.first,
                case .side(let addition)? = head.envelope.flatMap({ state.open($0, using: crypto) }
                )?
                .role,
                addition.kind == kind.rawValue
            else { return nil }
            return head.author?.participant
        }
    }

    private func seatsBefore() -> [ParticipantID]? {
        world.view(Self.name(number, isRematch: false), in: conversation, at: node)?.match?.game
            .end?
            .seats
    }
}
