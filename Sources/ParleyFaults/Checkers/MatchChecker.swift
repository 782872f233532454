import ParleyCore

/// Every node that held the message before tells a message of a turn game that is against the
/// rules, with its author.
///
/// No message of an honest player is told.
package struct MatchChecker: Checker {
    package static let promise = Promise("cheats in games are told, and only cheats")
    package static let watches: WorldEvent.Kinds = [.authored, .delivered, .faults, .processes]

    private struct Cheat {
        let number: UInt32
        let base: Dot?
        /// What the message is, and in which session the game is.
        let role: MessageRole?
        let tag: SessionTag?

        /// Whether it can be judged only by the chains of all who are in.
        var needsChains: Bool {
            switch role {
            case .match(let state): state.chance.roll?.answers.contains(.zero) ?? false
            case .side(let side): RollReveal(side.content)?.chain.hidden.link == .zero
            case nil: false
            }
        }
    }

    /// A message that became the shown one at a node.
    private struct Sighting {
        let node: Int
        let dot: Dot
        /// What the node said of the game before.
        let before: MatchGame?
        let violation: MatchViolation?
        /// The time since the message before, by the node's clock.
        let elapsed: Interval?
        /// The last legal message now.
        let legal: Dot?
        /// Whether the message answers an offer that is not here, or the node left messages out.
        let isUncertain: Bool
    }

    private struct Place: Hashable {
        let node: Int
        let tag: SessionTag
    }

    /// The nodes that left messages out, which may have excused a cheat there.
    private var full: Set<Int> = []
    private var asked: [RequestID: Cheat?] = [:]
    private var cheats: [Dot: (node: Int, cheat: Cheat)] = [:]
    private var honest: Set<Dot> = []
    /// The requests and messages of honest players that go on without a message which came too
    /// early at their own nodes.
    private var askedEarly: Set<RequestID> = []
    private var overEarly: Set<Dot> = []
    /// The cheaters with cards, whose cheat may show only at an honest addition later.
    private var deckCheats: Set<ParticipantID> = []
    private var games: [Place: MatchGame] = [:]
    private var tags: Set<SessionTag> = []
    private var sightings: [Sighting] = []
    /// The places of unchecked messages: others may find fault with messages upon them.
    private var followers: Set<Place> = []
    /// Whether somebody gave two chains, which leaves rolls unchecked.
    private func areChainsBroken(besides dot: Dot) -> Bool {
        cheats.contains { $0.key != dot && $0.value.cheat.needsChains }
    }
    /// Whether a disk went back or lost a message, so that players wrote twice at one point.
    private var isDoubtful = false

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .authored(let requests)):
            for request in requests where request.body.role != nil {
                asked[request.request] = .some(cheat(request, at: node, world))
            }
        case .delivered(let node, .answer(let request, .stored(let message))):
            guard let cheat = asked.removeValue(forKey: request) else { return }
            if askedEarly.remove(request) != nil { overEarly.insert(message.dot) }
            if let cheat {
                cheats[message.dot] = (node, cheat)
            } else if !followers.contains(where: { $0.node == node }) {
                honest.insert(message.dot)
            }
        case .delivered(let node, .full): full.insert(node)
        case .delivered(let node, .shown(let shown)): look(at: shown, node, world)
        case .ended(let node, _): games = games.filter { $0.key.node != node }
        case .fault(.restore), .fault(.clone), .fault(.lostRow), .fault(.damagedRow):
            isDoubtful = true
        default: break
        }
    }

    /// The cheat in a request; nil for an honest one.
    private mutating func cheat(
        _ request: AuthorRequest,
        at node: Int,
        _ world: World
    ) -> Cheat? {
        let conversation = world.nodes[node].machine?.conversation(request.conversation)
        var view = request.replacing?.first.flatMap { conversation?.view(withHead: $0) }
        if case .side(let side) = request.body.role {
            view = conversation?.tag(of: side.session, using: world.nodes[node].crypto)
                .flatMap { conversation?.view($0) }
        }
        let game = view?.match?.game
        if let view, let legal = game?.legal, !legal.isFirm {
            followers.insert(Place(node: node, tag: view.tag))
        }
        if let game, request.isJudged, case .match(let state) = request.body.role,
            game.violations.contains(where: {
                Self.timed.contains($0.fault) && state.overruled.contains($0.head.dot)
            })
        {
            askedEarly.insert(request.request)
        }
        guard !request.isJudged else { return nil }
        if case .side(let side) = request.body.role, DeckShare(side) != nil, let conversation {
            deckCheats.insert(conversation.keys.ownParticipant)
        }
        return Cheat(
            number: request.conversation,
            base: game?.legal?.dot,
            role: request.body.role,
            tag: view?.tag
        )
    }

    private mutating func look(at shown: ShownMessage, _ node: Int, _ world: World) {
        guard let state = world.nodes[node].machine?.conversation(shown.conversation),
            case let tag = cheats[shown.dot]?.cheat.tag ?? shown.tag,
            let game = state.view(tag)?.match?.game
        else { return }
        let place = Place(node: node, tag: tag)
        let before = games[place]
        let now = world.nodes[node].clock.moment(at: world.now)
        sightings.append(
            Sighting(
                node: node,
                dot: shown.dot,
                before: before,
                violation: game.violations.first { $0.head.dot == shown.dot },
                elapsed: before?.legal?.storedAt.map { now - $0 },
                legal: game.legal?.dot,
                isUncertain: lacksOffer(cheats[shown.dot]?.cheat, state)
                    || full.contains(node)
            )
        )
        games[place] = game
        tags.insert(tag)
        if game.legal?.isFirm != true { followers.insert(place) }
    }

    private func lacksOffer(_ cheat: Cheat?, _ state: Conversation) -> Bool {
        guard case .side(let side) = cheat?.role, case .answer(let offer)? = Exchange(side) else {
            return false
        }
        return GameExchanges(of: side.session, in: state).asked(by: offer) == nil
    }

    package func finish(in world: World) {
        guard !isDoubtful, !world.agreement.hasCopies else { return }
        for sighting in sightings {
            guard let (author, cheat) = cheats[sighting.dot] else { continue }
            judge(sighting, cheat, by: author, world)
        }
        for node in world.nodes.indices {
            guard let machine = world.nodes[node].machine else { continue }
            for tag in tags.sorted() {
                let games = machine.conversations.compactMap { $0.view(tag)?.match?.game }
                for game in games { acquit(game, at: node, world) }
            }
            for conversation in machine.conversations { convict(in: conversation, node, world) }
        }
    }

    /// A cheat of the first player of a deck is told by every node that has all secrets.
    ///
    /// Some nodes cannot tell which points a later player was given.
    private func convict(in conversation: Conversation, _ node: Int, _ world: World) {
        let crypto = world.nodes[node].crypto
        for (dot, (_, cheat)) in cheats.sorted(by: { $0.key < $1.key }) {
            guard case .side(let side) = cheat.role, let share = DeckShare(side),
                let tag = conversation.tag(of: side.session, using: crypto),
                let game = conversation.view(tag)?.match?.game,
                let first = GameRolls(in: conversation).shown(in: side.session, using: crypto)?
                    .first,
                first.share.deck == share.deck, first.head.dot.origin == dot.origin,
                first.head.dot.sequence >= dot.sequence,
                game.violations.count < MatchGame.violationsMax,
                !game.violations.contains(where: {
                    $0.fault == .deckBroken && $0.head.dot.origin == dot.origin
                })
            else { continue }
            world.fail(Self.promise, by: [node], "does not tell the cheat with cards \(dot)")
        }
    }

    private func acquit(_ game: MatchGame, at node: Int, _ world: World) {
        // Clocks and paths differ: a claim may be in time for one node and too early for another.
        // The other node then finds fault with players who go on from the claim, or without it.
        let isTimed = game.violations.contains { Self.timed.contains($0.fault) }
        for violation in game.violations where honest.contains(violation.head.dot) {
            let mayDiffer = Self.timed.union([.builtOnFault, .overruledLegal])
            guard !isTimed || !mayDiffer.contains(violation.fault) else { continue }
            // A message that was on the way for longer than the rules allow for leaves less time:
            // a claim is in time for certain at one node and too early at another, whose player
            // goes on without it.
            if violation.fault == .overruledLegal, overEarly.contains(violation.head.dot) {
                continue
            }
            if violation.fault == .deckBroken, deckCheats.contains(violation.author) { continue }
            let what = "tells \(violation.fault) of an honest player's \(violation.head.dot)"
            world.fail(Self.promise, by: [node], what)
        }
    }

    private static let timed: Set<MatchFault> = [.claimedTooEarly, .notOfferer]

    private func judge(_ sighting: Sighting, _ cheat: Cheat, by author: Int, _ world: World) {
        guard let before = sighting.before, let base = before.legal, base.dot == cheat.base else {
            return
        }
        // Beside a legal message of the same moment, another one upon the same is not checked.
        if let legal = sighting.legal, legal != base.dot, legal != sighting.dot { return }
        if case .match(let state) = cheat.role {
            let isLate = sighting.elapsed.map { $0 >= .seconds(8) } ?? true
            if state.claim != nil, isLate { return }
            if !state.overruled.isEmpty, !base.isFirm { return }
        }
        if sighting.isUncertain { return }
        // What somebody does to a deck is judged when the hand is over.
        if case .side(let side) = cheat.role, DeckShare(side) != nil { return }
        // Who has no chain of somebody cannot tell a wrong link.
        if cheat.needsChains {
            let answers = base.state.chance.roll?.answers.count ?? 0
            guard before.isChecked, answers == base.state.seats.count,
                !areChainsBroken(besides: sighting.dot)
            else { return }
        }
        let names = [sighting.node, author]
        guard let violation = sighting.violation else {
            return world.fail(Self.promise, by: names, "does not tell the cheat \(sighting.dot)")
        }
        let conversation = world.nodes[author].machine?.conversation(cheat.number)
        let expected = conversation?.author(of: sighting.dot.origin)?.participant
        guard violation.author == expected ?? violation.author else {
            return world.fail(Self.promise, by: names, "tells a cheat of somebody else")
        }
    }
}
