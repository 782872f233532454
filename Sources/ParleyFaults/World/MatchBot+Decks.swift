import ParleyCore

/// The cards of a player, who shuffles, deals, shows and ends hands, and cheats now and then.
extension MatchBot {
    private static let cards = 6

    /// The games with cards.
    static let cardGames = 3..<6

    /// What the player owes for a deck, before anything else.
    var dueShare: World.Draft? {
        guard let deckView, deckView.isDue else { return nil }
        return addition(.deck, slot: deckView.deck.number & 1)
    }

    /// The deck of the next message of a game.
    mutating func deck(after legal: MatchMove) -> MatchDeck? {
        let state = legal.state
        guard hasCards, state.phase == .running else { return state.chance.deck }
        let quit = participants(with: .quit)
        let isIn = { (seat: Int) in !quit.contains(state.seats[seat]) }
        guard var deck = state.chance.deck else {
            return shuffle(1, state.seats.indices.filter(isIn))
        }
        let hasLost = !deck.seats.allSatisfy(isIn)
        if hasLost || deck.isOver && deckView?.missing.isEmpty == true {
            return shuffle(deck.number + 1, deck.seats.filter(isIn)) ?? deck
        }
        guard !deck.isOver else { return deck }
        switch random.next() % 5 {
        case 0, 1:
            guard deck.dealt.count < deck.count else { return deck }
            let isOpen = random.chance(1, in: 4)
            deck.dealt.append(isOpen ? nil : deck.seats.randomElement(using: &random))
        case 2:
            if let own = deck.dealt.firstIndex(where: { $0 != nil && $0 == ownSeat }) {
                deck.dealt[own] = nil
            }
        case 3: deck.isOver = random.chance(1, in: 2)
        default: break
        }
        return deck
    }

    private mutating func shuffle(_ number: UInt64, _ seats: [Int]) -> MatchDeck? {
        guard seats.count > 1, random.chance(1, in: 2) else { return nil }
        return MatchDeck(number: number, count: Self.cards, seats: seats)
    }

    // MARK: Cheating

    /// What the player would give, with another value in the last step; nil if nothing is due.
    mutating func falseShare() -> World.Draft? {
        guard let deckShare else { return nil }
        var share = deckShare.share
        let group = SimulatedGroup()
        let two = Bytes32(2, 0, 0, 0)
        if !share.locked.isEmpty, random.chance(1, in: 3) {
            // The next player has used the points as they were.
            share.shuffled.swapAt(0, 1)
        } else if share.seed != nil {
            share.seed = two
        } else if let key = share.keys.last {
            share.keys[share.keys.count - 1].lock = group.product(key.lock, two)
        } else if let point = share.locked.last {
            share.locked[share.locked.count - 1] = group.product(point, two)
        } else if let point = share.shuffled.last {
            share.shuffled[share.shuffled.count - 1] = group.product(point, two)
        }
        var draft = addition(.deck, slot: deckShare.slot, share.encoded())
        draft.isJudged = false
        return draft
    }
}
