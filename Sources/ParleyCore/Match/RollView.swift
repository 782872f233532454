/// A roll as one participant can know it, with the participant's duties.
package struct RollView: Sendable, Equatable {
    package let roll: MatchRoll
    /// The values by seat; that of an open roll stands for each seat.
    package internal(set) var values: [Int: Bytes32] = [:]
    /// The seats whose links are still to come.
    package internal(set) var missing: [Int] = []
    /// The kind of the addition that the participant owes.
    package internal(set) var due: SideMessage.Kind?
}

/// Computes the values of rolls in one game from the chains.
package struct RollTable<Crypto: Cryptography> {
    let game: SessionUUID
    let chains: GameChains
    let crypto: Crypto

    package init(game: SessionUUID, chains: GameChains, crypto: Crypto) {
        self.game = game
        self.chains = chains
        self.crypto = crypto
    }

    /// The view of the player `own`; nil for a watcher.
    ///
    /// The private key is that of a guest with the seat; nil for this device.
    package func view(
        of roll: MatchRoll,
        in seats: [ParticipantID],
        by own: ParticipantID?,
        guest: Bytes32?
    ) -> RollView {
        var view = RollView(roll: roll)
        let known = seats.map { chains.broken.contains($0) ? nil : chains.known[$0] }
        view.missing = roll.seats.filter { seat in
            guard let chain = known[seat] else { return true }
            let isGiving = roll.giving.contains(seat)
            return chain.open.number < (isGiving ? roll.number : 1)
                || roll.kind == .shown && chain.hidden.number < roll.number
        }
        let mine = own.flatMap { own in seats.firstIndex(of: own) }
        if let mine, roll.seats.contains(mine) {
            let hasAnchors = roll.seats.allSatisfy { known[$0] != nil }
            if chains.known[seats[mine]] == nil {
                view.due = .seat
            } else if hasAnchors, view.missing.contains(mine) {
                view.due = .draw
            }
        }
        guard let salt = salt(of: roll, seats, known) else { return view }
        let links = roll.giving.map { seat in
            known[seat].flatMap { link(roll.number, $0.open, of: seats[seat]) }
        }
        for (index, seat) in roll.giving.enumerated() {
            var given = links
            if roll.kind != .open {
                let isMine = seat == mine
                given[index] =
                    isMine
                    ? ChainSteps(game, of: seats[seat], using: crypto)
                        .own(0, roll.number, guest: guest).hidden.link
                    : known[seat].flatMap { link(roll.number, $0.hidden, of: seats[seat]) }
            }
            let all = given.compactMap(\.self)
            guard all.count == given.count else { continue }
            view.values[seat] = value(of: roll, salt, all)
        }
        if roll.kind == .open, let value = view.values.values.first {
            for seat in roll.seats { view.values[seat] = value }
        }
        return view
    }

    /// The links with which this seat answers a roll; nil if the chains say that nothing is to be
    /// revealed.
    func reveal(
        for roll: MatchRoll,
        of message: Dot,
        in seats: [ParticipantID],
        by own: ParticipantID,
        guest: Bytes32?
    ) -> RollReveal? {
        let view = view(of: roll, in: seats, by: own, guest: guest)
        guard view.due == .draw, let seat = seats.firstIndex(of: own),
            let chain = chains.known[own]
        else { return nil }
        // What earlier rolls had stays revealed.
        let before = roll.number - 1
        let open =
            roll.giving.contains(seat) ? roll.number : max(1, min(chain.open.number, before))
        let hidden = roll.kind == .shown ? roll.number : min(chain.hidden.number, before)
        let steps = ChainSteps(game, of: own, using: crypto)
        return RollReveal(steps.own(open, hidden, guest: guest), for: message)
    }

    /// The links that answer a roll, by the seats that give them; nil if one is missing.
    func answers(to roll: MatchRoll, of seats: [ParticipantID]) -> [Bytes32]? {
        var links: [Bytes32] = []
        for seat in seats {
            guard let chain = chains.known[seat], !chains.broken.contains(seat),
                let link = link(roll.number, chain[roll.kind], of: seat)
            else { return nil }
            links.append(link)
        }
        return links
    }

    /// Whether links answer a roll; nil if somebody has two chains, or nobody can tell.
    ///
    /// `seats` are the answering participants, as far as known here. The chains of `leftOut` may be
    /// missing here, and the quits of `absent`: then no answer of theirs is needed.
    func isAnswered(
        _ roll: MatchRoll,
        by links: [Bytes32],
        of seats: [ParticipantID],
        leftOut: [ParticipantID],
        absent: [ParticipantID]
    ) -> Bool? {
        guard links.count == seats.count || !absent.isEmpty else { return false }
        var rest = links[...]
        var isCertain = true
        for seat in seats {
            if chains.broken.contains(seat) { return nil }
            let isGiven: Bool
            if let chain = chains.known[seat] {
                let steps = ChainSteps(game, of: seat, using: crypto)
                let tip = chain[roll.kind]
                isGiven = rest.first.map { steps.follows($0, roll.number, from: tip) } ?? false
            } else {
                isCertain = false
                // Nobody can tell whether one of the links is of this seat.
                if leftOut.contains(seat), absent.contains(seat) { return nil }
                isGiven = leftOut.contains(seat)
            }
            if isGiven {
                rest = rest.dropFirst()
            } else {
                guard absent.contains(seat) else { return false }
                isCertain = false
            }
        }
        guard rest.isEmpty else { return false }
        return isCertain ? true : nil
    }

    private func link(_ number: UInt64, _ tip: Chain.Tip, of seat: ParticipantID) -> Bytes32? {
        guard tip.number >= number else { return nil }
        return ChainSteps(game, of: seat, using: crypto)
            .link(tip.number - number, before: tip.link)
    }

    /// The salt of a roll: all who are in had to fix their chains before any of it was known.
    private func salt(
        of roll: MatchRoll,
        _ seats: [ParticipantID],
        _ known: [Chain?]
    ) -> Bytes32? {
        var input = [UInt8]("parley salt 1".utf8)
        game.value.append(to: &input)
        for seat in roll.seats {
            guard let chain = known[seat], let link = link(1, chain.open, of: seats[seat]) else {
                return nil
            }
            link.append(to: &input)
        }
        return crypto.sha256(Slice(input))
    }

    private func value(of roll: MatchRoll, _ salt: Bytes32, _ links: [Bytes32]) -> Bytes32 {
        var input = [UInt8]("parley roll 1".utf8)
        salt.append(to: &input)
        for shift in [24, 16, 8, 0] {
            input.append(UInt8(truncatingIfNeeded: roll.number >> shift))
        }
        for link in links { link.append(to: &input) }
        return crypto.sha256(Slice(input))
    }
}
