public import Foundation
public import Messages
public import ParleyNode

/// Matches: games with seats, turns and an end, of an app with `HostedApp(seats:)`.
///
/// A match is one session. Everybody has the same state of the match, and the nodes check it:
/// seats, turn and winners. The app's own data stays in the URL.
extension ParleyConversation {
    /// The handler of a request, called once the own node has stored what follows from it.
    public typealias MatchAnswer = @MainActor (Result<Void, HostError>) -> Void

    // MARK: Looking

    /// The match of a message, as the latest message of its session tells; nil without one.
    public func match(of message: MSMessage) -> ParleyMatch? {
        message.session.flatMap { match(in: $0) }
    }

    /// The match of a session; nil without one.
    public func match(in session: MSSession) -> ParleyMatch? {
        panel.model.match(in: SessionID(session.identifier))
    }

    /// How often each participant has won a match of this app, in the sessions that are known here.
    public var score: [UUID: Int] { panel.model.score(of: panel.app.speaks) }

    /// What participants have answered in the session of a match, in the order of arrival.
    public func answers(in message: MSMessage) -> [ParleyAnswer] {
        guard let session = message.session else { return [] }
        return panel.model.additions.on(SessionID(session.identifier), .answer).map {
            ParleyAnswer(
                participant: $0.sender,
                slot: $0.addition.slot,
                content: $0.addition.content
            )
        }
    }

    // MARK: Before sending

    /// Makes a message the offer of a match; insert or send it afterwards.
    ///
    /// Others take seats then, and this device's node confirms them, whether the app runs or not.
    ///
    /// - Parameters:
    ///   - message: The first message of its session.
    ///   - seats: How many play, within 1 to 16.
    ///   - watching: Whether this device takes no seat itself; it starts the match all the same.
    public func offerMatch(
        _ message: MSMessage,
        seats: ClosedRange<Int>,
        watching: Bool = false
    ) {
        let seats = seats.clamped(to: 1...16)
        panel.note(message) { notes in
            var match = Match(.offered, least: seats.lowerBound, most: seats.upperBound)
            match.seats = watching ? [] : [panel.model.me.id]
            match.clock = notes.clock
            notes.offer = match
        }
    }

    /// Sets whose turn it is after a message of a running match.
    ///
    /// Without this call the next seat has the turn, and the clock stays the same.
    ///
    /// - Parameters:
    ///   - participants: Participants with a seat, one or several.
    ///   - clock: The seconds for the turn, 15 to 2,592,000; nil for those of the turn before.
    ///   - mayUndo: Whether the message may be taken back until somebody moves.
    ///   - message: The message, which is inserted or sent afterwards.
    public func setTurn(
        _ participants: [UUID],
        clock: Int? = nil,
        mayUndo: Bool = false,
        for message: MSMessage
    ) {
        panel.note(message) { notes in
            notes.turn = participants
            notes.clock = clock
            notes.mayUndo = mayUndo
        }
    }

    /// Sets the seconds for each turn, 15 to 2,592,000, in the first message of a match.
    public func setClock(_ seconds: Int?, for message: MSMessage) {
        panel.note(message) { notes in
            notes.clock = seconds
            notes.offer?.clock = seconds
        }
    }

    /// Has dice rolled with a message of a running match, which is inserted or sent afterwards.
    ///
    /// The dice come with `matchDidChange`, in `ParleyMatch.roll`, once all nodes that have a part
    /// in the roll have given it. Nobody can move before. A hidden roll is shown before the next
    /// one.
    ///
    /// - Parameters:
    ///   - roll: Who has a part in the roll, and who sees it.
    ///   - participants: Those who are still in the match; who is not has no turn from then on. Nil
    ///     for all who were in.
    ///   - message: The message.
    public func setRoll(
        _ roll: ParleyRoll.Call,
        of participants: [UUID]? = nil,
        for message: MSMessage
    ) {
        panel.note(message) { notes in
            notes.roll = roll
            notes.rollers = participants
        }
    }

    /// Shows everybody's hidden dice with a message, which is inserted or sent afterwards.
    public func showRoll(with message: MSMessage) {
        panel.note(message) { $0.showsRoll = true }
    }

    /// Has a new deck shuffled with a message of a running match, which is inserted or sent
    /// afterwards.
    ///
    /// The machines of all players shuffle one after the other; `ParleyMatch.deck` says when the
    /// deck is ready. Cards may be dealt with the same message already. The hand before must be
    /// over.
    ///
    /// - Parameters:
    ///   - count: The number of cards, 1 to 64.
    ///   - participants: The players who shuffle and can get cards, at least two; nil for all of
    ///     the deck before, or of the match.
    ///   - message: The message. Sending fails for another number of cards, or while a secret of
    ///     the deck before is missing.
    public func setDeck(of count: Int, for participants: [UUID]? = nil, with message: MSMessage) {
        panel.note(message) { notes in
            notes.deckCount = count
            notes.shufflers = participants
        }
    }

    /// Deals the next cards of the deck with a message, which is inserted or sent afterwards.
    ///
    /// - Parameters:
    ///   - count: The number of cards; sending the message fails if the deck has not as many.
    ///   - participant: A player who shuffles, and sees the cards alone; nil for everybody. Nobody
    ///     else gets a card.
    ///   - message: The message.
    public func deal(_ count: Int = 1, to participant: UUID?, with message: MSMessage) {
        panel.note(message) { $0.dealing += Array(repeating: participant, count: max(0, count)) }
    }

    /// Shows own cards to everybody with a message, which is inserted or sent afterwards.
    ///
    /// Sending the message fails for cards of others.
    public func show(_ cards: [ParleyDeck.Card], with message: MSMessage) {
        panel.note(message) { $0.showing += cards.map(\.position) }
    }

    /// Ends the hand with a message, which is inserted or sent afterwards: then all cards can be
    /// seen, folded hands as well, and cheaters are told.
    public func endDeck(with message: MSMessage) {
        panel.note(message) { $0.endsDeck = true }
    }

    /// Seals something for one player with a message of a running match, which is inserted or sent
    /// afterwards.
    ///
    /// The player has the content in `ParleyMatch.parts`, and nobody else on another device. A part
    /// stays in the match, at most 16 do; a later one of the same author for the same player
    /// replaces it. The app is registered with `HostedApp(parts: true)`.
    ///
    /// - Parameters:
    ///   - content: At most 2,020 bytes.
    ///   - participant: A participant with a seat.
    ///   - message: The message.
    public func seal(_ content: Data, for participant: UUID, with message: MSMessage) {
        panel.note(message) { $0.parts[participant] = content }
    }

    /// Makes an exchange that all have answered part of the game, with a message of a running
    /// match, which is inserted or sent afterwards.
    ///
    /// The app writes what follows from it into the message. Sending fails if somebody has not
    /// answered, or if the exchange is gone.
    public func settle(_ exchange: ParleyExchange, with message: MSMessage) {
        panel.note(message) { $0.settling.append(exchange.id) }
    }

    /// Ends the match with a message, which is inserted or sent afterwards.
    ///
    /// - Parameters:
    ///   - outcomes: The result of each seat, in the order of the seats; who has left gets `quit`.
    ///   - message: The last message of the match.
    public func setOutcomes(_ outcomes: [ParleyOutcome], for message: MSMessage) {
        panel.note(message) { $0.outcomes = outcomes }
    }

    // MARK: At once

    /// Asks for a seat in an offered match; too late, and the place is among those who wait.
    public func takeSeat(in message: MSMessage, _ done: MatchAnswer? = nil) {
        choose(.takeSeat, message, done)
    }

    /// Gives the seat in an offered match back.
    public func leaveSeat(in message: MSMessage, _ done: MatchAnswer? = nil) {
        choose(.leaveSeat, message, done)
    }

    /// Starts an offered match: for its author, or after a minute for anybody with a seat.
    ///
    /// The message goes on with the same data; the first seat has the first turn.
    public func start(_ message: MSMessage, _ done: MatchAnswer? = nil) {
        choose(.start, message, done)
    }

    /// Goes on without the participant whose time is over, or who has left.
    ///
    /// If only one other is left, the match is over; else it is the turn of the next seat.
    public func claimTurn(in message: MSMessage, _ done: MatchAnswer? = nil) {
        choose(.claimTurn, message, done)
    }

    /// Leaves a running match, in any turn.
    public func resign(from message: MSMessage, _ done: MatchAnswer? = nil) {
        choose(.resign, message, done)
    }

    /// Offers a rematch, or joins the one that somebody has offered.
    ///
    /// Its first message is that of `ParleyApp.newMatch`. Once all who had a seat have joined, it
    /// begins, with everybody one seat further.
    public func rematch(_ message: MSMessage, _ done: MatchAnswer? = nil) {
        choose(.rematch, message, done)
    }

    /// Takes the own last message back, if it was sent with `mayUndo` and nobody has moved since.
    public func undo(_ message: MSMessage, _ done: MatchAnswer? = nil) {
        choose(.undo, message, done)
    }

    /// Asks whoever has the turn to move, with a notice that is no message; at most once a minute.
    public func nudge(_ message: MSMessage, _ done: MatchAnswer? = nil) {
        choose(.nudge, message, done)
    }

    /// Adds an answer to a match, in any turn, which replaces an earlier one in the same slot.
    ///
    /// - Parameters:
    ///   - content: At most 8,192 bytes, of which only the app knows the meaning.
    ///   - message: A message of the match.
    ///   - slot: Tells several answers of one participant apart, 0 to 15.
    ///   - done: Called once the answer is stored, or with the failure.
    public func answer(
        _ content: Data,
        in message: MSMessage,
        slot: Int = 0,
        _ done: MatchAnswer? = nil
    ) {
        guard let session = message.session else {
            done?(.failure(.nothingThere))
            return
        }
        var addition = Addition(to: SessionID(session.identifier), .answer, content: content)
        addition.slot = slot
        ask(done) { panel.host.matches.add(addition, panel.model, $0) }
    }

    /// Offers something to one or more other players of a running match, in any turn.
    ///
    /// They have it in `ParleyMatch.exchanges`, and answer. Each player has one exchange at a time.
    ///
    /// - Parameters:
    ///   - data: At most 7,900 bytes, of which only the app knows the meaning.
    ///   - participants: Participants with a seat.
    ///   - message: A message of the match.
    ///   - done: Called once the offer is stored, or with the failure.
    public func offerExchange(
        _ data: Data,
        to participants: [UUID],
        in message: MSMessage,
        _ done: MatchAnswer? = nil
    ) {
        exchange(.offer(data, to: participants), message, done)
    }

    /// Answers an exchange that asks this device; a later answer replaces it until it is settled.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - data: At most 7,900 bytes, of which only the app knows the meaning: a no as well.
    ///   - message: A message of the match.
    ///   - done: Called once the answer is stored, or with the failure.
    public func answerExchange(
        _ exchange: ParleyExchange,
        with data: Data,
        in message: MSMessage,
        _ done: MatchAnswer? = nil
    ) {
        self.exchange(.answer(exchange.id, data), message, done)
    }

    /// Takes an own exchange back; if somebody settles it at this moment, it is settled.
    public func cancelExchange(
        _ exchange: ParleyExchange,
        in message: MSMessage,
        _ done: MatchAnswer? = nil
    ) {
        self.exchange(.cancel(exchange.id), message, done)
    }

    private func exchange(
        _ step: ParleyExchange.Step,
        _ message: MSMessage,
        _ done: MatchAnswer?
    ) {
        guard let session = message.session else {
            done?(.failure(.exchange(.gone)))
            return
        }
        ask(done) { panel.exchange(step, in: SessionID(session.identifier), $0) }
    }

    private func choose(
        _ choice: ParleyMatch.Choice,
        _ message: MSMessage,
        _ done: MatchAnswer?
    ) {
        guard let session = message.session else {
            done?(.failure(.cannot(choice)))
            return
        }
        ask(done) { panel.choose(choice, in: SessionID(session.identifier), $0) }
    }

    /// Sends for the app if its host allows that now.
    private func ask(_ done: MatchAnswer?, _ send: (@escaping MatchAnswer) -> Void) {
        do throws(HostError) {
            try panel.check(.sendMessage, isVisible: panel.isOpen && !panel.isHeadless)
            panel.gate.sent()
            send { done?($0) }
        } catch {
            done?(.failure(error))
        }
    }
}

/// What a participant has answered in a match.
public struct ParleyAnswer: Hashable, Sendable {
    /// The participant.
    public let participant: UUID
    /// Tells several answers of one participant apart.
    public let slot: Int
    /// The answer.
    public let content: Data
}
