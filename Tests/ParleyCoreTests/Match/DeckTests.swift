import ParleyCore
import ParleyFaults
import Testing

/// Decks that all players shuffle, and what nodes find if one of them cheats.
@Suite struct DeckTests {
    @Test(arguments: [(2, 52), (3, 64), (5, 1), (16, 8)])
    func everyCardComesOnce(players: Int, count: Int) {
        var hand = Hand(players, cards: count)
        hand.state.chance.deck?.dealt = Array(repeating: nil, count: count)
        hand.play()
        for seat in [nil, 0, players - 1] {
            let view = hand.view(of: seat)
            #expect(view?.isShuffled == true && view?.missing == [] && view?.spoiled == [])
            #expect(view?.cards.values.sorted() == Array(0..<count))
        }
    }

    @Test func theOrderFollowsFromTheSecretsOfAll() {
        let orders = (0..<3).map { changed in
            var hand = Hand(2, cards: 32)
            hand.state.chance.deck?.dealt = Array(repeating: nil, count: 32)
            if changed > 0 { hand.devices[changed - 1] = SimulatedCryptography(seed: 99) }
            hand.play()
            return (0..<32).compactMap { hand.view(of: nil)?.cards[$0] }
        }
        #expect(Set(orders).count == 3 && orders.allSatisfy { Set($0).count == 32 })
    }

    @Test func onlyTheOwnerSeesACardUntilItIsShown() throws {
        var hand = Hand(3, cards: 52)
        hand.state.chance.deck?.dealt = [0, 1, 2, 1, nil]
        hand.play()
        let views = try (0..<3).map { try #require(hand.view(of: $0)) }
        let watcher = try #require(hand.view(of: nil))
        #expect(watcher.cards.keys.sorted() == [4])
        #expect(views.map { $0.cards.keys.sorted() } == [[0, 4], [1, 3, 4], [2, 4]])
        #expect(Set(views.flatMap(\.cards.values)).count == 5)

        hand.state.chance.deck?.dealt[3] = nil
        #expect(hand.view(of: 1)?.isDue == true && hand.view(of: 0)?.isDue == false)
        hand.play()
        #expect(hand.view(of: nil)?.cards[3] == views[1].cards[3])
        #expect(hand.view(of: nil)?.cards[0] == nil)

        hand.state.chance.deck?.isOver = true
        hand.play()
        let shown = try #require(hand.view(of: nil))
        #expect(
            shown.cards.keys.sorted() == [0, 1, 2, 3, 4] && shown.cards[0] == views[0].cards[0]
        )
        #expect(hand.round?.cheats == [])
    }

    /// Nobody is asked for more than the hand needs.
    @Test func keysAreGivenOnceAndForDealtCardsOnly() {
        var hand = Hand(3, cards: 10)
        hand.play()
        #expect(hand.shares.allSatisfy { $0.keys.isEmpty && $0.seed == nil })
        hand.state.chance.deck?.dealt = [0, nil]
        hand.play()
        #expect(hand.shares.map { $0.keys.map(\.position).sorted() } == [[1], [0, 1], [0, 1]])
        #expect(hand.isDue(0) == false)
        #expect(hand.round?.cheats == [])
    }

    /// A hand may end before the deck is shuffled; nobody can tell who would have been next.
    @Test func aHandMayEndEarly() {
        var hand = Hand(3, cards: 10)
        hand.step(0)
        hand.state.chance.deck?.isOver = true
        #expect(hand.view(of: nil)?.missing == [0, 1, 2])
        hand.play()
        #expect(hand.view(of: nil)?.missing == [] && hand.shares.compactMap(\.seed).count == 3)
        #expect(hand.round?.cheats == [])
    }

    /// Two messages at once dealt one card to two players: whoever gave a key keeps the other one.
    @Test func aCardForTwoIsSeenByNobodyElse() {
        var hand = Hand(3, cards: 10)
        hand.state.chance.deck?.dealt = [0]
        hand.play()
        hand.state.chance.deck?.dealt = [1]
        hand.play()
        #expect(hand.view(of: 1)?.spoiled == [0] && hand.view(of: 1)?.cards == [:])
        #expect(hand.view(of: nil)?.cards == [:] && hand.view(of: nil)?.missing == [])
        // All may see it nevertheless.
        hand.state.chance.deck?.dealt = [nil]
        hand.play()
        #expect(hand.view(of: nil)?.cards[0] != nil && hand.view(of: nil)?.spoiled == [])
    }

    // MARK: Cheating

    enum Cheat: String, CaseIterable, Sendable {
        case shuffle, lock, key, seed
        /// Steps that say nothing of what they are of, which breaks the share.
        case noInput
    }

    /// Whatever a player does otherwise, the hand that is computed again names that player alone.
    @Test(arguments: Cheat.allCases, [0, 1, 2])
    func everyCheatIsFound(_ cheat: Cheat, by cheater: Int) {
        var hand = Hand(3, cards: 12)
        let two = Bytes32(2, 0, 0, 0)
        hand.cheat = (
            cheater,
            { share, group in
                switch cheat {
                case .shuffle:
                    guard share.locked.isEmpty, let last = share.shuffled.last else { return }
                    share.shuffled[11] = group.multiply(last, by: two) ?? last
                case .lock:
                    guard share.keys.isEmpty, let last = share.locked.last else { return }
                    share.locked[11] = group.multiply(last, by: two) ?? last
                case .key:
                    guard share.seed == nil, let last = share.keys.last else { return }
                    share.keys[share.keys.count - 1].lock = group.product(last.lock, two)
                case .seed: if share.seed != nil { share.seed = two }
                case .noInput: if share.seed != nil { share.inputs = [] }
                }
            }
        )
        hand.state.chance.deck?.dealt = Array(repeating: nil, count: 12)
        hand.play()
        hand.state.chance.deck?.isOver = true
        hand.play()
        #expect(hand.broken == (cheat == .noInput ? [cheater] : []))
        #expect(hand.round?.cheats == (cheat == .noInput ? [] : [cheater]))
    }

    /// Who breaks the own share does not hide another one's cheat, nor does who gives no secret.
    @Test(arguments: [false, true]) func everyCheatOfSeveralIsFound(_ isBroken: Bool) throws {
        var hand = Hand(3, cards: 6)
        let two = Bytes32(2, 0, 0, 0)
        hand.cheat = (
            0,
            { share, group in
                guard share.locked.isEmpty, let last = share.shuffled.last else { return }
                share.shuffled[5] = group.multiply(last, by: two) ?? last
            }
        )
        hand.play()
        hand.state.chance.deck?.isOver = true
        hand.step(0)
        hand.step(1)
        if isBroken {
            var share = hand.shares[2]
            share.locked.swapAt(0, 1)
            hand.give(share, by: 2)
        }
        #expect(hand.round?.cheats == [0])
        #expect(hand.broken == (isBroken ? [2] : []))
    }

    /// Other numbers of points, or keys of cards that do not exist, are of no use.
    @Test func whatDoesNotFitIsNamed() {
        let misfits: [(inout DeckShare) -> Void] = [
            { $0.shuffled.removeLast() }, { $0.locked = [Bytes32(3, 0, 0, 0)] },
            { $0.keys = [DeckShare.Key(position: 6, owner: nil, lock: .zero)] },
        ]
        for change in misfits {
            var hand = Hand(2, cards: 6)
            hand.cheat = (0, { share, _ in change(&share) })
            hand.step(0)
            #expect(hand.round?.misfits == [0] && hand.view(of: 1)?.isDue == false)
        }
    }

    /// What is taken back, or cannot be computed with, is told at once.
    @Test func whatIsChangedLaterIsToldAtOnce() throws {
        let group = SimulatedGroup()
        let changes: [(inout DeckShare) -> Void] = [
            { $0.shuffled.swapAt(0, 1) }, { $0.shuffled = [] }, { $0.locked.swapAt(0, 1) },
            { $0.keys = [] }, { $0.keys[0].lock = group.scalar(of: [9, 9, 9, 9, 9, 9, 9, 9]) },
            { $0.seed = nil }, { $0.inputs = [] },
        ]
        for (number, change) in changes.enumerated() {
            var hand = Hand(2, cards: 6)
            hand.state.chance.deck?.dealt = [0, 1]
            hand.play()
            hand.state.chance.deck?.isOver = true
            hand.play()
            var share = hand.shares[1]
            change(&share)
            hand.give(share, by: 1)
            #expect(hand.broken == [1], "change \(number)")
            // Nobody else is named after the hand.
            #expect(hand.round?.cheats == [])
        }
        for points in [
            [Bytes32.zero, Bytes32(1, 0, 0, 0)], [Bytes32(7, 0, 0, 0), Bytes32(7, 0, 0, 0)],
        ] {
            var hand = Hand(2, cards: 2)
            var share = DeckShare(of: Bytes32(1, 1, 1, 1))
            share.shuffled = points
            hand.give(share, by: 0)
            #expect(hand.broken == [0])
        }
    }

    /// Who works on other points than those given learns nothing, as the others stop there.
    @Test func whoeverWorksOnOtherPointsStopsTheHand() throws {
        var hand = Hand(3, cards: 6)
        hand.state.chance.deck?.dealt = [0, 1, 2, nil]
        hand.cheat = (1, { share, _ in if share.locked.isEmpty { share.inputs = [.zero] } })
        hand.play()
        let view = try #require(hand.view(of: 1))
        #expect(view.isVoid && view.missing == [] && view.cards == [:])
        #expect(hand.shares.allSatisfy { $0.keys.isEmpty && $0.seed == nil })
        // After the hand nobody is blamed: the player before may have changed the points.
        hand.state.chance.deck?.isOver = true
        hand.play()
        #expect(hand.round?.cheats == [] && hand.shares.compactMap(\.seed).count == 3)
    }

    /// Of points that are changed nobody but their author is blamed, whoever has seen which.
    @Test func theNextPlayerIsNotBlamedForChangedPoints() throws {
        var hand = Hand(3, cards: 6)
        hand.play()
        hand.state.chance.deck?.isOver = true
        hand.play()
        let shares = hand.shares
        var late = Hand(3, cards: 6)
        late.state.chance.deck?.isOver = true
        var changed = shares[0]
        changed.shuffled.swapAt(0, 1)
        late.give(changed, by: 0)
        late.give(shares[1], by: 1)
        late.give(shares[2], by: 2)
        #expect(late.round?.cheats == [0])
    }

    /// Two messages at once call for decks with the same number: one has nothing to do with the
    /// other, and whoever has begun the other one is not blamed.
    @Test func decksOfOneNumberAreApart() throws {
        var hand = Hand(2, cards: 6)
        hand.step(0)
        let other = hand.shares[0]
        hand.state.chance.deck?.count = 4
        hand.state.chance.deck?.dealt = Array(repeating: nil, count: 4)
        hand.play()
        #expect(hand.broken == [] && hand.view(of: nil)?.cards.count == 4)
        #expect(Set(hand.shares[0].shuffled).isDisjoint(with: other.shuffled))
    }

    /// A message that nobody could check shows no hand by itself.
    @Test func secretsWaitForMoreThanOnePlayer() {
        var hand = Hand(3, cards: 6)
        hand.state.chance.deck?.dealt = [0, 1, 2]
        hand.play()
        hand.isSound = false
        hand.author = 0
        hand.state.chance.deck?.isOver = true
        #expect([0, 1, 2].map { hand.isDue($0) } == [false, false, false])
        hand.give(hand.seed(0), by: 0)
        #expect([1, 2].map { hand.isDue($0) } == [false, false])
        hand.give(hand.seed(1), by: 1)
        #expect(hand.isDue(2))
        // Nor does it show a card.
        hand = Hand(3, cards: 6)
        hand.state.chance.deck?.dealt = [1]
        hand.play()
        hand.isSound = false
        hand.author = 0
        hand.state.chance.deck?.dealt = [nil]
        #expect(!hand.isDue(1))
        hand.author = 1
        #expect(hand.isDue(1))
    }

    /// Regression: whoever went on after an own false addition was said to build on a fault.
    @Test func aFalseAdditionIsNoMessageToOverrule() {
        let crypto = SimulatedCryptography(seed: 1)
        let author = Hand.participant(0)
        var game = MatchGame()
        func move(_ number: UInt64, upon base: Dot?) -> MatchMove {
            var state = MatchState(phase: .running, size: 1...1, seats: [author])
            state.base = base
            let head = Hand.head(number, by: author)
            let hash = state.hash(with: "?\(number)", using: crypto)
            return MatchMove(head, by: author, state, hash: hash, storedAt: .start)
        }
        let first = move(1, upon: nil)
        _ = game.take(first, .legal, isFirm: true)
        game.add(.deckBroken, to: Hand.head(2, by: author), by: author, isAddition: true)
        let next = move(3, upon: first.dot)
        #expect(Judge(next, in: game, at: .start).verdict() == .legal)
        #expect(game.violations.map(\.fault) == [.deckBroken])
    }

    // MARK: Content and limits

    @Test func contentIsReadAsWritten() throws {
        var hand = Hand(2, cards: 64)
        hand.state.chance.deck?.dealt = Array(repeating: nil, count: 64)
        hand.play()
        hand.state.chance.deck?.isOver = true
        hand.play()
        for share in hand.shares {
            let content = share.encoded()
            #expect(content.count <= Limits.sideBytes)
            #expect(
                DeckShare(SideMessage(to: Hand.game, .deck, slot: 1, content: content)) == share
            )
            for length in stride(from: 0, to: content.count, by: 97) {
                let cut = SideMessage(to: Hand.game, .deck, slot: 1, content: content[0..<length])
                #expect(DeckShare(cut) == nil)
            }
        }
    }

    @Test func whoGivesMostLosesTheOldest() {
        var table = DeckTable()
        let (flooder, other) = (Hand.participant(0), Hand.participant(1))
        let head = Hand.head(1, by: other)
        func take(_ game: UInt64, by participant: ParticipantID) {
            let session = SessionUUID(Bytes16(game, 1))
            _ = table.take(
                DeckShare(of: .zero),
                head,
                to: session,
                in: 1,
                by: participant,
                using: SimulatedGroup()
            )
        }
        take(0, by: other)
        for game in 1...UInt64(Limits.deckShares + 5) { take(game, by: flooder) }
        let known = (0...UInt64(Limits.deckShares + 5)).filter { game in
            let session = SessionUUID(Bytes16(game, 1))
            return table[session, 1, game == 0 ? other : flooder] != nil
        }
        #expect(
            known.count == Limits.deckShares && known.first == 0 && known.dropFirst().first == 7
        )
    }
}

/// A deck in the hands of players, who give what is due.
private struct Hand {
    static let game = SessionUUID(Bytes16(5, 5))

    private var table = DeckTable()
    private var sequences: UInt64 = 0
    var state: MatchState
    var devices: [SimulatedCryptography]
    /// The player who wrote the message that calls for the present step, and whether it is sound.
    var author = 0
    var isSound = true
    /// The players whose additions did not go on with what they had given.
    private(set) var broken: [Int] = []
    /// A player, and what that one changes in everything that is given.
    var cheat: (seat: Int, change: (inout DeckShare, SimulatedGroup) -> Void)?

    init(_ players: Int, cards: Int) {
        let seats = (0..<players).map(Self.participant)
        state = MatchState(phase: .running, size: 1...players, seats: seats)
        state.chance.deck = MatchDeck(number: 1, count: cards, seats: Array(seats.indices))
        devices = seats.indices.map { SimulatedCryptography(seed: UInt64($0)) }
    }

    static func participant(_ number: Int) -> ParticipantID {
        ParticipantID(Bytes16(UInt64(number), 1))
    }

    static func head(_ sequence: UInt64, by participant: ParticipantID) -> Head {
        Head(
            dot: Dot(origin: OriginID(participant.value), sequence: sequence),
            revision: sequence,
            context: [],
            tieBreak: .zero,
            digest: .zero
        )
    }

    var round: DeckRound<SimulatedCryptography>? {
        var game = MatchGame()
        let head = Self.head(isSound ? 1 : 2, by: state.seats[author])
        let move = MatchMove(head, by: state.seats[author], state, hash: .zero, storedAt: nil)
        _ = game.take(move, isSound ? .legal : .notChecked, isFirm: false)
        return game.legal.flatMap { DeckRound(in: $0, of: Self.game, table, using: devices[0]) }
    }

    var shares: [DeckShare] {
        state.seats.compactMap { table[Self.game, 1, $0]?.share }
    }

    private func chains(_ seat: Int) -> ChainSteps<SimulatedCryptography> {
        ChainSteps(Self.game, of: state.seats[seat], using: devices[seat])
    }

    func view(of seat: Int?) -> DeckView? { round?.view(of: seat, seat.map(chains)) }

    func isDue(_ seat: Int) -> Bool { view(of: seat)?.isDue ?? false }

    /// The share of a player with the secret, whether it is due or not.
    func seed(_ seat: Int) -> DeckShare {
        var share = shares[seat]
        share.seed = chains(seat).deckSeed(share.deck, guest: nil)
        return share
    }

    /// Takes a turn of a player, who gives what is due.
    @discardableResult
    mutating func step(_ seat: Int) -> Bool {
        guard let share = round?.next(of: seat, chains(seat)) else { return false }
        give(share, by: seat)
        return true
    }

    mutating func give(_ share: DeckShare, by seat: Int) {
        var share = share
        if let cheat, cheat.seat == seat { cheat.change(&share, SimulatedGroup()) }
        sequences += 1
        let head = Self.head(sequences, by: state.seats[seat])
        let fits = table.take(
            share,
            head,
            to: Self.game,
            in: 1,
            by: state.seats[seat],
            using: SimulatedGroup()
        )
        if !fits, !broken.contains(seat) { broken.append(seat) }
    }

    /// Has everybody give what is due, until nothing is.
    mutating func play() {
        for _ in 0..<100 {
            let isDone = state.seats.indices.map { step($0) }.allSatisfy { !$0 }
            if isDone { return }
        }
        Issue.record("somebody always has something to give")
    }
}
