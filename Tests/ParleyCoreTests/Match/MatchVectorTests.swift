import ParleyCore
import ParleyFaults
import Testing

/// `Tests/Vectors/match.json`: what nodes say of messages of turn games.
@Suite struct MatchVectorTests {
    @Test(arguments: MatchRow.all) func verdictsAreThoseOfTheFile(row: MatchRow) throws {
        var run = MatchRun(row)
        for step in row.steps { try run.take(step) }
    }

    @Test func eachFaultIsInTheFile() {
        let words = MatchRow.all.flatMap(\.steps).compactMap(\.verdict)
        // What is wrong with additions is in ChainTableTests, DeckTests and ExchangeTests.
        let ofAdditions: Set = [
            MatchFault.chainBroken, .revealedEarly, .deckBroken, .notAsked,
        ]
        let faults = Set(MatchFault.allCases).subtracting(ofAdditions)
        #expect(Set(faults.map(\.rawValue)).isSubset(of: words))
        #expect(MatchRow.all.count >= 100)
    }
}

/// A node that takes the messages of a row.
private struct MatchRun {
    private let row: MatchRow
    private let crypto = SimulatedCryptography(seed: 1)
    private var game = MatchGame()
    private var heads: [String: Head] = [:]
    private var sequences: UInt64 = 0
    private var now = Moment.start
    private var joined: [ParticipantID] = []
    private var quit: [ParticipantID] = []
    private var exchanges = GameExchanges()
    /// The sessions of the additions of exchanges: kind, slot and author.
    private var places: [String: Dot] = [:]
    /// What is said of the answers of messages that are there by their dots.
    private var answers: [Dot: String] = [:]
    /// The messages that are too long.
    private var tooLong: Set<Dot> = []
    /// What is said of the secrets of the decks before messages.
    private var shown: [Dot: String] = [:]
    /// The participants who may have been left out where messages came.
    private var leftOut: [Dot: [ParticipantID]] = [:]
    /// What the app says of messages.
    private var rulings: [Dot: String] = [:]

    init(_ row: MatchRow) { self.row = row }

    mutating func take(_ step: MatchRow.Step) throws {
        if let at = step.at { now = .start + .seconds(at) }
        let author = MatchRow.participant(step.by)
        switch step.adds {
        case "seat": joined.append(author)
        case "quit": quit.append(author)
        case "offer", "answer", "gone": try takeExchange(step, by: author)
        default: return try takeMessage(step, by: author)
        }
        for move in game.violations.compactMap(\.move) {
            let judge = judge(move, at: move.storedAt ?? now)
            let verdict = judge.verdict()
            if case .against = verdict { continue }
            let name = heads.first { $0.value.dot == move.dot }?.key ?? ""
            #expect(step.then?[name] == verdict.word, "\(row.name): \(name)")
            _ = game.take(move, verdict, isFirm: judge.isFirm)
        }
        let waiting = game.violations.compactMap { violation in
            heads.first { $0.value.dot == violation.head.dot }?.key
        }
        #expect(step.then.map { Set($0.keys).isDisjoint(with: waiting) } ?? true)
    }

    private mutating func takeExchange(_ step: MatchRow.Step, by author: ParticipantID) throws {
        let name = try #require(step.offer)
        let offer = offer(name)
        let asked = step.asks?.map(MatchRow.participant)
        let exchange = asked.map { Exchange.offer(to: $0) } ?? .answer(to: offer)
        let slot = asked == nil ? seat(of: name) : 0
        let place = Self.place(asked == nil ? .exchangeAnswer : .exchange, slot, author)
        sequences += 1
        let dot = asked == nil ? Dot(origin: OriginID(author.value), sequence: sequences) : offer
        if let before = places.updateValue(dot, forKey: place) { exchanges.remove(before) }
        guard step.adds != "gone" else { return }
        exchanges.place(exchange, dot, of: 0, slot: UInt64(slot), by: author)
    }

    private static func place(
        _ kind: SideMessage.Kind,
        _ slot: Int,
        _ author: ParticipantID
    ) -> String {
        "\(kind) \(slot) \(author)"
    }

    /// The step that makes an offer, here or later.
    private func offering(_ name: String) -> Int? {
        row.steps.firstIndex { $0.offer == name && $0.asks != nil }
    }

    private func offer(_ name: String) -> Dot {
        let index = offering(name)
        let author = MatchRow.participant(index.map { row.steps[$0].by } ?? "nobody")
        return Dot(origin: OriginID(author.value), sequence: 1_000 + UInt64(index ?? 0))
    }

    private func seat(of name: String) -> Int {
        let author = offering(name).map { MatchRow.participant(row.steps[$0].by) }
        return game.legal?.state.seats.firstIndex { $0 == author } ?? 0
    }

    private func isSettled(_ move: MatchMove) -> Bool? {
        guard case .after(let base) = game.base(of: move) else { return true }
        let new = move.state.settled.filter { !base.state.settled.contains($0) }
        let found = new.map { offer in
            exchanges.isSettled(
                offer,
                move.state.seats,
                quit: quit,
                by: ParticipantID(offer.origin.value)
            ) {
                places[Self.place($0, $1, $2)] != nil || leftOut[move.dot]?.contains($2) ?? false
            }
        }
        return found.contains(false) ? false : found.allSatisfy { $0 == true } ? true : nil
    }

    private mutating func takeMessage(_ step: MatchRow.Step, by author: ParticipantID) throws {
        let name = try #require(step.message)
        let head = head(of: step, by: author)
        heads[name] = head
        answers[head.dot] = step.answers
        rulings[head.dot] = step.app
        shown[head.dot] = step.shown
        if step.bytes ?? 0 > Limits.matchBytes { tooLong.insert(head.dot) }
        leftOut[head.dot] = step.leftOut?.map(MatchRow.participant)
        guard step.phase != nil else {
            let mayEnd = step.end == true && game.mayEnd(author)
            #expect(step.verdict == (mayEnd ? "legal" : "noGame"), "\(row.name): \(name)")
            if !mayEnd { game.add(.noGame, to: head, by: author) }
            return
        }
        let state = try state(of: step)
        let move = MatchMove(
            head,
            by: author,
            state,
            hash: state.hash(with: step.url, using: crypto),
            storedAt: step.late == true ? nil : now
        )
        let judge = judge(move, at: now)
        #expect(judge.verdict().word == step.verdict, "\(row.name): \(name)")
        _ = game.take(move, judge.verdict(), isFirm: judge.isFirm)
        // More seats than there are cannot be read, and get nowhere.
        guard state.seats.count <= state.size.upperBound else { return }
        // What a node keeps over a restart is the same, but for times.
        let stored = try MatchGame(decoding: Slice(game.encoded()))
        #expect(stored.encoded() == game.encoded())
        #expect(stored.legal?.dot == game.legal?.dot)
    }

    private func judge(_ move: MatchMove, at now: Moment) -> Judge {
        var judge = Judge(move, in: game, at: now)
        judge.joined = joined
        judge.isTooLong = tooLong.contains(move.dot)
        judge.leftOut = leftOut[move.dot] ?? []
        judge.quit = quit
        let answer = answers[move.dot]
        judge.isAnswered = answer == "unknown" ? nil : answer == nil
        let shown = shown[move.dot]
        judge.isDeckShown = shown == "unknown" ? nil : shown == nil
        let ruling = rulings[move.dot]
        judge.isSettled = isSettled(move)
        judge.isAllowed = ruling == "unknown" ? nil : ruling == nil
        judge.seatsBefore = row.seatsBefore?.map(MatchRow.participant)
        return judge
    }

    private mutating func head(of step: MatchRow.Step, by author: ParticipantID) -> Head {
        sequences += 1
        let known = known(in: step)
        let dot = Dot(origin: OriginID(author.value), sequence: sequences)
        let latest = Dictionary(grouping: known.map(\.dot), by: \.origin)
            .compactMap { $0.value.max { $0.sequence < $1.sequence } }
        return Head(
            dot: dot,
            revision: step.revision ?? (known.map(\.revision).max() ?? 0) + 1,
            context: latest.filter { $0.origin != dot.origin }.sorted(),
            tieBreak: Bytes16(step.order ?? 0, 0),
            digest: Bytes32(sequences, 0, 0, 0)
        )
    }

    /// The messages that the author of a step knew.
    private func known(in step: MatchRow.Step) -> [Head] {
        step.knows.map { names in names.compactMap { heads[$0] } }
            ?? heads.filter { $0.key != step.message }.map(\.value)
    }

    private func state(of step: MatchRow.Step) throws -> MatchState {
        let phase = try #require(step.phase.flatMap { MatchState.Phase(rawValue: $0) })
        let size = try #require(step.size)
        var state = MatchState(phase: phase, size: size[0]...size[1])
        state.seats = step.seats?.map(MatchRow.participant) ?? []
        let known = known(in: step).map(\.dot)
        let legal = [game.legal, game.before].compactMap { $0?.dot }.first(where: known.contains)
        state.base = try step.base.map(dot) ?? legal
        state.turn = step.turn ?? []
        state.clock = step.clock
        state.outcomes = try (step.outcomes ?? []).map { word in
            MatchOutcome(try #require(Self.results[word]))
        }
        state.claim = try step.claim.map { claim in
            MatchClaim(claim[1] == "skips" ? .skips : .ends, after: try dot(claim[0]))
        }
        state.previous = step.rematch == true ? SessionUUID(Bytes16(7, 7)) : nil
        state.undone = try step.undone.map(dot)
        state.overruled = try (step.overruled ?? []).map(dot)
        state.chance.roll = step.roll?.roll
        state.chance.deck = step.deck?.deck
        state.parts = step.parts?.map(\.part) ?? []
        state.mayUndo = step.mayUndo ?? false
        for name in step.settled ?? [] { state.settle(offer(name)) }
        return state
    }

    /// The dot of a message; of one that is not here, another dot.
    private func dot(_ name: String) throws -> Dot {
        heads[name]?.dot ?? Dot(origin: OriginID(Bytes16(0, 9)), sequence: 99)
    }

    private static let results: [String: MatchOutcome.Result] = [
        "won": .won, "lost": .lost, "tied": .tied, "placed": .placed, "quit": .quit,
    ]
}
