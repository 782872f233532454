import ParleyCore

/// The exchanges of a player, who makes and answers offers, takes them back, and cheats now and
/// then.
extension MatchBot {
    /// The offers that a move after this state settles.
    func answered(in state: MatchState) -> [Dot] {
        open(in: state).filter { exchanges.asked(by: $0)?.allSatisfy(hasAnswered($0)) ?? false }
    }

    /// An offer, an answer, or the end of the own offer; nil if there is nothing to do.
    mutating func exchange(_ legal: MatchMove) -> World.Draft? {
        let open = open(in: legal.state)
        let asking = open.first { offer in
            let isAsked = exchanges.asked(by: offer)?.contains(me) ?? false
            return isAsked && !exchanges.hasAnswered(me, offer)
        }
        if let asking { return answer(to: asking, in: legal.state) }
        if let own = open.first(where: { exchanges[$0]?.author == me }) {
            return random.chance(1, in: 4) ? answer(to: own, in: legal.state) : nil
        }
        let others = legal.state.seats.filter { $0 != me }
        let count = 1 + Int(random.next() % UInt64(max(1, others.count)))
        let asked = Array(others.shuffled(using: &random).prefix(count))
        guard !asked.isEmpty else { return nil }
        return addition(.exchange, Exchange.offer(to: asked).content(with: [1, 2, 3]))
    }

    /// The offers that are neither settled nor taken back.
    private func open(in state: MatchState) -> [Dot] {
        exchanges.offers.filter { offer in
            guard let author = exchanges[offer]?.author, state.seats.contains(author) else {
                return false
            }
            let isSettled = state.settled.contains {
                $0.origin == offer.origin && $0.sequence >= offer.sequence
            }
            return !isSettled && !exchanges.hasAnswered(author, offer)
        }
    }

    private func hasAnswered(_ offer: Dot) -> (ParticipantID) -> Bool {
        { exchanges.hasAnswered($0, offer) }
    }

    private func answer(to offer: Dot, in state: MatchState) -> World.Draft? {
        guard let author = exchanges[offer]?.author, let seat = state.seats.firstIndex(of: author)
        else { return nil }
        let content = Exchange.answer(to: offer).content(with: [])
        return addition(.exchangeAnswer, slot: UInt64(seat), content)
    }

    // MARK: Cheating

    /// An answer to an offer that asks others; nil if there is none.
    func unaskedAnswer() -> World.Draft? {
        guard let state = game?.legal?.state, state.seats.contains(me) else { return nil }
        let offer = exchanges.offers.first { offer in
            exchanges[offer]?.author != me && exchanges.asked(by: offer)?.contains(me) == false
        }
        guard let offer, var draft = answer(to: offer, in: state) else { return nil }
        draft.isJudged = false
        return draft
    }
}
