import Foundation
import Messages
package import ParleyNode

/// What an app says about a message before the message is inserted or sent.
struct MessageNotes {
    let status: MessageStatus
    /// The participants who may replace the message.
    var next: [UUID]?
    /// The match that the message offers.
    var offer: Match?
    /// Whose turn it is in the match after the message.
    var turn: [UUID]?
    /// The seconds for that turn; nil for the clock of the turn before.
    var clock: Int?
    /// Whether the message may be taken back.
    var mayUndo = false
    /// The roll that the message calls for.
    var roll: ParleyRoll.Call?
    /// The participants who are still in for that roll; nil for all who were before.
    var rollers: [UUID]?
    /// The secrets that go with the message, by their recipients.
    var parts: [UUID: Data] = [:]
    /// The exchanges that the message settles.
    var settling: [MessageID] = []
    /// Whether the message shows the hidden roll.
    var showsRoll = false
    /// The number of cards of a new deck.
    var deckCount: Int?
    /// The participants who shuffle; nil for all who were in the deck before.
    var shufflers: [UUID]?
    /// The participants who see the further cards, each; nil for all.
    var dealing: [UUID?] = []
    /// The positions of the cards that all see from now on.
    var showing: [Int] = []
    /// Whether the hand is over with the message.
    var endsDeck = false
    /// The results, which end the match.
    var outcomes: [ParleyOutcome]?

    /// Adds rolls and parts to the match after the message.
    func complete(_ match: inout Match, after view: MatchStanding) {
        let sealing = match.seats.indices.compactMap { seat in
            parts[match.seats[seat]].map { Match.PartDraft(to: seat, content: $0) }
        }
        match.sealing = sealing.isEmpty ? nil : sealing
        if let roll {
            let seats = view.active.filter { rollers?.contains(match.seats[$0]) ?? true }
            match.roll = match.nextRoll(roll, of: seats, by: view.mySeat)
        } else if showsRoll, match.roll?.kind == .hidden {
            match.roll?.kind = .shown
        }
        deal(&match, after: view)
    }

    private func deal(_ match: inout Match, after view: MatchStanding) {
        if let deckCount {
            let number = (match.deck?.number ?? 0) + 1
            let before = match.deck?.seats ?? Array(match.seats.indices)
            let seats = view.active.filter { seat in
                before.contains(seat) && shufflers?.contains(match.seats[seat]) ?? true
            }
            match.deck = Match.Deck(number: number, count: deckCount, seats: seats)
        }
        guard var deck = match.deck else { return }
        for participant in dealing {
            // For somebody who does not shuffle nothing is dealt, not even openly.
            let seat = participant.flatMap { match.seats.firstIndex(of: $0) }
            if participant == nil || seat.map(deck.seats.contains) ?? false {
                deck.dealt.append(Match.Deck.Card(of: seat))
            }
        }
        for position in showing where deck.dealt.indices.contains(position) {
            deck.dealt[position].owner = nil
        }
        if endsDeck { deck.isOver = true }
        match.deck = deck
    }
}

/// The match that an app shows.
extension AppPanel {
    private var parleyApp: (any ParleyApp)? { running?.controller as? any ParleyApp }

    /// The session of which the app shows the match.
    var matchSession: SessionID? {
        let selected = running?.conversation.selectedMessage?.session
        return (parleyApp.map(\.matchSession) ?? selected).map { SessionID($0.identifier) }
    }

    /// The seats and buttons over the views of the app, or the offer of a match under them.
    var matchViews: (over: ParleyView, under: ParleyView) {
        let session = matchSession
        let bar = MatchBar(
            match: session.flatMap { model.match(in: $0) },
            mayOffer: makesMatches && draft == nil && session.flatMap { model.sessions[$0] } == nil,
            mayPlayAgain: makesMatches,
            isWatching: session.map(watched.contains) ?? false,
            isQuitting: session != nil && quitting == session,
            mayWatch: app.mayWatch,
            me: model.me.id,
            score: model.score(of: app.speaks)
        )
        let view = bar.view(
            offer: { [weak self] in self?.offerMatch() },
            watch: { [weak self] in if let session { self?.watched.insert(session) } },
            quit: { [weak self] in self?.quitting = $0 ? session : nil },
            choose: { [weak self] choice in
                self?.quitting = nil
                if let session { self?.choose(choice, in: session) { _ in } }
            }
        )
        return bar.match == nil ? (.empty, view) : (view, .empty)
    }

    /// Whether the app makes first messages of matches here, which the app is asked once.
    private var makesMatches: Bool {
        guard let running, let parleyApp, model.conversation.role == .writer else { return false }
        if running.makesMatches == nil {
            let session = MSSession()
            let message = parleyApp.newMatch(in: session, conversation: running.conversation)
            self.running?.makesMatches = message != nil
        }
        return self.running?.makesMatches ?? false
    }

    /// Tells the app that its match has changed.
    func matchChanged(_ session: SessionID) {
        guard isOpen, let shown = model.sessions[session]?.shown,
            shown.content?.app == app.speaks, parleyApp != nil
        else { return }
        known(shown) { [weak self] result in
            guard let self, case .success(let known) = result,
                model.sessions[session]?.shown.id == shown.id,
                let match = model.match(of: shown)
            else { return }
            tell { $0.matchDidChange(match, message: known.message, conversation: $1) }
            changed()
        }
    }

    // MARK: Choices

    /// Carries out a choice of a person or of the app.
    package func choose(
        _ choice: ParleyMatch.Choice,
        in session: SessionID,
        _ done: @escaping @MainActor (Result<Void, HostError>) -> Void
    ) {
        guard [.rematch, .newMatch].contains(choice) else {
            return host.matches.perform(choice, in: session, of: model) { [weak self] result in
                done(result)
                self?.changed()
            }
        }
        guard let before = model.sessions[session]?.shown,
            model.match(of: before)?.choices.contains(choice) ?? false,
            let match = before.content?.match, let seats = app.seats
        else { return done(.failure(.cannot(choice))) }
        let next = session.ofNextMatch
        // Somebody else was faster.
        if let known = model.sessions[next] {
            tap(known.shown.id)
            return host.matches.perform(.takeSeat, in: next, of: model, done)
        }
        let last = choice == .rematch ? session : nil
        begin(match.offer(rematchOf: last, seats, by: model.me.id), in: next, done)
    }

    /// Carries out the step of an exchange.
    package func exchange(
        _ step: ParleyExchange.Step,
        in session: SessionID,
        _ done: @escaping @MainActor (Result<Void, HostError>) -> Void
    ) {
        host.matches.exchange(step, in: session, of: model, done)
    }

    /// Sends the first message of a match that the app makes.
    private func begin(
        _ match: Match,
        in session: SessionID,
        _ done: @escaping MatchKeeper.MatchAnswer
    ) {
        guard let running, let parleyApp,
            let message = parleyApp.newMatch(
                in: MSSession(identifier: session.uuid),
                conversation: running.conversation
            )
        else { return done(.failure(.nothingThere)) }
        note(message) { notes in
            notes.offer = match
            notes.offer?.clock = notes.clock
        }
        running.conversation.send(message) { error in
            let failure = error.map { HostError.refused(.unknown, $0.localizedDescription) }
            MainActor.assumeIsolated { done(failure.map { .failure($0) } ?? .success(())) }
        }
        takeRequests()
    }

    private func offerMatch() {
        guard let seats = app.seats else { return }
        let session = matchSession ?? SessionID(MSSession().identifier)
        begin(.offer(seats, by: model.me.id), in: session) { _ in }
    }

    // MARK: Drafts

    /// Keeps what the app says about a message until the message is handed over.
    func note(_ message: MSMessage, _ change: (inout MessageNotes) -> Void) {
        // Entries of messages that are never sent would pile up, so all are dropped at a limit.
        if notes.count >= 256 { notes = [:] }
        let none = MessageNotes(status: message.status)
        change(&notes[ObjectIdentifier(message.status), default: none])
    }

    /// The state of the match in a message of the app; nil if the session has no match.
    func match(
        of session: SessionID,
        _ notes: MessageNotes?
    ) throws(HostError) -> Match? {
        guard let shown = model.sessions[session]?.shown, let view = model.matchView(of: shown)
        else { return notes?.offer }
        switch view.match.phase {
        case .offered:
            guard shown.sender.id == model.me.id else { throw .cannot(.start) }
            return view.match
        case .over: throw .matchIsOver
        case .running: break
        }
        let isUnderWay = underWay.contains { known[$0]?.draft?.session == session }
        guard view.isMyTurn, !isUnderWay else {
            throw .notYourTurn(next: (view.match.turn ?? []).map { view.match.seats[$0] })
        }
        let settling = notes?.settling ?? []
        for id in settling {
            let exchange = view.exchanges.first { $0.id == id }
            guard let exchange else { throw .exchange(.gone) }
            guard exchange.isAnswered else { throw .exchange(.unanswered) }
        }
        if let outcomes = notes?.outcomes {
            return view.match.ended(
                view.match.seats.indices.map { seat in
                    view.quitters.contains(view.match.seats[seat])
                        ? .quit
                        : outcomes.indices.contains(seat) ? outcomes[seat] : .lost
                }
            )
            .settling(settling)
        }
        let named = notes?.turn.map { turn in turn.compactMap(view.match.seats.firstIndex) }
        var match = view.match.moved(to: named ?? [view.seat(after: view.mySeat ?? 0)])
            .settling(settling)
        match.clock = notes?.clock ?? match.clock
        match.mayUndo = notes?.mayUndo ?? false ? true : nil
        notes?.complete(&match, after: view)
        return match
    }
}
