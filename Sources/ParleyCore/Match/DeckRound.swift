/// One deck of a game, with what its players have given to it.
package struct DeckRound<Crypto: Cryptography> {
    /// The next step of the players.
    private enum Stage: Equatable {
        /// The player of this index masks and shuffles.
        case shuffling(Int)
        /// The player of this index puts locks in place of the mask.
        case locking(Int)
        case ready
        /// Somebody has worked on other points than those of the player before.
        case void
    }

    package let deck: MatchDeck
    private let id: Bytes32
    /// The message that calls for the present step.
    private let message: MatchMove
    /// The players in the order of their seats.
    private let players: [ParticipantID]
    /// The additions of the players; nil for a player without one.
    private let given: [DeckTable.Entry?]
    private let crypto: Crypto

    /// The deck in a message of a game; nil without a deck.
    package init?(
        in message: MatchMove,
        of game: SessionUUID,
        _ table: DeckTable,
        using crypto: Crypto
    ) {
        guard let deck = message.state.chance.deck else { return nil }
        self.deck = deck
        self.message = message
        self.crypto = crypto
        players = deck.seats.map { message.state.seats[$0] }
        let id = deck.id(in: game, of: players, using: crypto)
        self.id = id
        given = players.map {
            table[game, deck.number, $0].flatMap { $0.share.deck == id ? $0 : nil }
        }
    }

    private var isOver: Bool { deck.isOver || message.state.phase == .over }

    private var shares: [DeckShare] {
        given.map { entry in
            entry.flatMap { $0.share.isMisfit(of: deck.count) ? nil : $0.share }
                ?? DeckShare(of: id)
        }
    }

    /// The seats whose numbers of points differ from the number of cards, or whose keys nobody
    /// needs.
    package var misfits: [Int] {
        zip(deck.seats, given).compactMap { seat, entry in
            let isMisfit =
                entry?.share.isMisfit(of: deck.count) ?? false
                || entry?.share.keys.contains { $0.owner == seat } ?? false
            return isMisfit ? seat : nil
        }
    }

    private var stage: Stage {
        let shares = shares
        for isLocking in [false, true] {
            for (index, share) in shares.enumerated() {
                if share.points(isLocking).isEmpty {
                    return isLocking ? .locking(index) : .shuffling(index)
                }
                let named = share.inputs.dropFirst(isLocking ? 1 : 0).first
                if named != digest(input(of: index, isLocking, shares)) { return .void }
            }
        }
        return .ready
    }

    /// The points that a player shuffles or locks.
    private func input(of index: Int, _ isLocking: Bool, _ shares: [DeckShare]) -> [Bytes32] {
        if index > 0 { return shares[index - 1].points(isLocking) }
        return isLocking
            ? shares[shares.count - 1].shuffled
            : DeckSteps.cards(deck.count, of: id, using: crypto)
    }

    private func digest(_ points: [Bytes32]) -> Bytes32 {
        crypto.sha256([UInt8]("parley points 1".utf8) + points.flatMap(\.bytes))
    }

    private func steps(_ seed: Bytes32) -> DeckSteps<Crypto> {
        DeckSteps(seed: seed, using: crypto)
    }

    // MARK: The view of a player

    /// The deck as the player of a seat sees it; nil for who watches.
    ///
    /// - Parameters:
    ///   - seat: The seat.
    ///   - chains: What makes the secret of the player; nil for who watches.
    ///   - guest: The private key of a guest; nil for this device.
    /// - Returns: the deck, with the cards that the player sees.
    package func view(
        of seat: Int?,
        _ chains: ChainSteps<Crypto>?,
        guest: Bytes32? = nil
    ) -> DeckView {
        let (stage, shares) = (stage, shares)
        var view = DeckView(deck: deck, isShuffled: stage == .ready, isVoid: stage == .void)
        let own = seat.flatMap { seat in deck.seats.firstIndex(of: seat) }
        view.missing = shares.indices.filter { isMissing($0, stage, shares) }.map { deck.seats[$0] }
        view.isDue = own.map { isDue($0, stage, shares) } ?? false
        guard view.isShuffled else { return view }
        let points = DeckSteps.cards(deck.count, of: id, using: crypto)
        let cards = Dictionary(zip(points, points.indices), uniquingKeysWith: { first, _ in first })
        let ownSeed = own == nil ? nil : chains?.deckSeed(id, guest: guest)
        for position in deck.dealt.indices {
            let locks = shares.indices.compactMap { index -> Bytes32? in
                let isOwn = index == own && deck.dealt[position] == deck.seats[index]
                let seed = shares[index].seed ?? (isOwn ? ownSeed : nil)
                return shares[index].key(at: position)?.lock
                    ?? seed.map { steps($0).lock(at: position) }
            }
            let isOpenable = locks.count == shares.count
            if isOpenable {
                view.cards[position] = opened(position, locks, shares).flatMap { cards[$0] }
            }
            if view.cards[position] == nil, isOpenable || isSpoiled(position, shares) {
                view.spoiled.append(position)
            }
        }
        return view
    }

    private func opened(
        _ position: Int,
        _ locks: [Bytes32],
        _ shares: [DeckShare]
    ) -> Bytes32? {
        guard let point = shares.last?.locked[position], let first = locks.first,
            case let all = locks.dropFirst().reduce(first, crypto.group.product),
            let key = crypto.group.inverse(of: all)
        else { return nil }
        return crypto.group.multiply(point, by: key)
    }

    /// Whether something of a player is to come.
    private func isMissing(_ index: Int, _ stage: Stage, _ shares: [DeckShare]) -> Bool {
        if isOver { return given[index]?.share.seed == nil }
        return switch stage {
        case .shuffling(let next), .locking(let next): next == index
        case .ready: !keysDue(of: index, shares).isEmpty
        case .void: false
        }
    }

    /// Whether a player is to give something now.
    private func isDue(_ index: Int, _ stage: Stage, _ shares: [DeckShare]) -> Bool {
        guard isMissing(index, stage, shares), given[index]?.isBroken != true,
            given[index]?.share.isMisfit(of: deck.count) != true
        else { return false }
        // One player's message alone shows nobody's cards, if it could not be checked.
        guard isOver, !message.isSound else { return true }
        return players.indices.contains {
            $0 != index && players[$0] != message.author && given[$0]?.share.seed != nil
        }
    }

    /// The positions whose keys a player has to give.
    private func keysDue(of index: Int, _ shares: [DeckShare]) -> [Int] {
        let seat = deck.seats[index]
        return deck.dealt.indices.filter { position in
            guard deck.dealt[position] != seat, shares[index].key(at: position) == nil,
                !isSpoiled(position, shares)
            else { return false }
            let isHidden = shares.contains { $0.key(at: position)?.owner == seat }
            return !isHidden || message.isSound || message.author == players[index]
        }
    }

    /// Whether keys for a card were given to another player, so that a further key would show the
    /// card to both: two messages at once may have dealt one position twice.
    private func isSpoiled(_ position: Int, _ shares: [DeckShare]) -> Bool {
        guard let owner = deck.dealt[position] else { return false }
        return shares.contains { share in
            share.key(at: position).map { $0.owner != owner } ?? false
        }
    }

    // MARK: The next step

    /// The next addition of the player of a seat, with all of before; nil if nothing is due.
    package func next(
        of seat: Int,
        _ chains: ChainSteps<Crypto>,
        guest: Bytes32? = nil
    ) -> DeckShare? {
        let (stage, shares) = (stage, shares)
        guard let own = deck.seats.firstIndex(of: seat), isDue(own, stage, shares) else {
            return nil
        }
        var share = shares[own]
        let seed = chains.deckSeed(id, guest: guest)
        if isOver {
            share.seed = seed
            return share
        }
        switch stage {
        case .shuffling:
            let input = input(of: own, false, shares)
            guard let points = steps(seed).shuffled(input) else { return nil }
            share.shuffled = points
            share.inputs = [digest(input)]
        case .locking:
            let input = input(of: own, true, shares)
            guard let points = steps(seed).locked(input) else { return nil }
            share.locked = points
            share.inputs.append(digest(input))
        case .ready:
            for position in keysDue(of: own, shares) {
                let lock = steps(seed).lock(at: position)
                share.keys.append(
                    DeckShare.Key(position: position, owner: deck.dealt[position], lock: lock)
                )
            }
        case .void: return nil
        }
        return share
    }

    // MARK: After the hand

    /// Whether all players have given their secrets, except those in `quit`; nil if nobody can
    /// tell.
    ///
    /// A missing secret may have been given and taken back, except that of the next message's
    /// author, all of whose additions to the deck may have been left out. A node's own message has
    /// to wait for all.
    func isShown(
        besides quit: [ParticipantID],
        for author: ParticipantID,
        isOwn: Bool,
        isLeftOut: Bool = false
    ) -> Bool? {
        let left = zip(players, given).filter { !quit.contains($0.0) && $0.1?.share.seed == nil }
        if left.isEmpty { return true }
        let isMissing = left.contains { $0.0 == author && !(isLeftOut && $0.1 == nil) }
        return isOwn || isMissing ? false : nil
    }

    /// The seats whose steps do not follow from the secret that they have given.
    ///
    /// A step upon other points than the present ones is not judged: the hand ended there.
    package var cheats: [Int] {
        let all = given.map { $0?.share ?? DeckShare(of: id) }
        return given.indices.filter { index in
            guard let entry = given[index], let seed = entry.share.seed, !entry.isBroken else {
                return false
            }
            let (share, steps) = (entry.share, steps(seed))
            if share.keys.contains(where: { $0.lock != steps.lock(at: $0.position) }) {
                return true
            }
            let made = [false, true].filter { !share.points($0).isEmpty }
            guard share.inputs.count == made.count else { return true }
            return zip(made, share.inputs).contains { isLocking, named in
                let input = input(of: index, isLocking, all)
                let points = isLocking ? steps.locked(input) : steps.shuffled(input)
                return named == digest(input) && share.points(isLocking) != points
            }
        }
        .map { deck.seats[$0] }
    }
}

/// A deck as one player sees it.
package struct DeckView: Sendable, Equatable {
    package let deck: MatchDeck
    /// Whether all players have shuffled and locked the deck.
    package let isShuffled: Bool
    /// Whether the deck will never be ready, as somebody has cheated.
    package let isVoid: Bool
    /// The cards that the player sees, from 0, by their positions.
    package internal(set) var cards: [Int: Int] = [:]
    /// The dealt positions that will never open for the player.
    package internal(set) var spoiled: [Int] = []
    /// The seats that have something to do.
    package internal(set) var missing: [Int] = []
    /// Whether the player has something to do now.
    package internal(set) var isDue = false
}
