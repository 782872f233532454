import Foundation
import ParleyNode

/// The matches of a conversation.
extension ConversationModel {
    /// The match of a message; nil if the message is not of one.
    func match(of message: Message) -> ParleyMatch? {
        let (now, session) = (now(), message.session)
        return matchView(of: message)?
            .made(
                at: now,
                watchers: everybody.map(\.id),
                present: boards.present(in: session, at: now)
            )
    }

    /// The match of a session that is remembered.
    func match(in session: SessionID) -> ParleyMatch? {
        sessions[session].flatMap { match(of: $0.shown) }
    }

    func matchView(of message: Message) -> MatchStanding? {
        guard let match = message.content?.match, !message.isEnd else { return nil }
        let known = sessions[message.session]
        let before = message.session.ofMatchBefore
        let seatsBefore = sessions[before]?.shown.content?.match?.seats
        let isShown = known?.shown.id == message.id && known?.hasSides ?? false
        let quitters = Set(participants(with: .quit, in: message.session))
        return MatchStanding(
            match: match,
            session: message.session,
            author: message.sender.id,
            joined: participants(with: .seat, in: message.session),
            previous: match.previous ?? seatsBefore.map { _ in before },
            hasWaited: seatsBefore.map { !$0.contains(me.id) } ?? false
                && participants(with: .seat, in: before).contains(me.id),
            rematchSeats: match.previous.flatMap { sessions[$0] }?.shown.content?.match?
                .seatsOfRematch,
            quitters: quitters,
            me: me.id,
            canWrite: conversation.role == .writer,
            violations: (known?.violations ?? []).map {
                ParleyViolation(participant: $0.sender.id, reason: reason(against: $0) ?? "")
            },
            chance: known?.chance ?? ChanceDetail(),
            opened: known?.opened ?? [:],
            exchanges: match.phase == .running
                ? ParleyExchange.all(of: match, in: message.session, additions, without: quitters)
                : [],
            seenAt: isShown ? known?.seenAt : nil,
            mayNudgeAt: boards.mayNudge(in: message.session)
        )
    }

    /// Why a message of a match does not count, in a sentence; nil if it does.
    func reason(against message: Message) -> String? {
        message.fault.map { fault in
            let content = fault == .appRule ? message.content : nil
            return content.flatMap { reason(against: $0, in: message.session, by: message.sender) }
                ?? fault.description
        }
    }

    /// The reason why a message after the shown one is against the rules of the app; nil if it is
    /// within them.
    func reason(
        against content: MessageContent,
        in session: SessionID,
        by author: Participant
    ) -> String? {
        guard let known = sessions[session], let before = known.shown.content,
            before.match != nil, let match = content.match, match.phase != .offered
        else { return nil }
        return rules.reason(
            MoveDetail(
                from: before,
                to: content,
                in: session,
                by: author.id,
                quit: Set(participants(with: .quit, in: session)),
                chance: known.chance.seenByAll(in: before.match)
            )
        )
    }

    /// Has a draft overrule what does not count, and asks the rules of its app.
    ///
    /// - Throws: `againstTheRules`.
    func goOn(with draft: inout Draft) throws(HostError) {
        draft.content.match?.overruled = overruled(in: draft.session)
        let reason = reason(against: draft.content, in: draft.session, by: me)
        if let reason { throw .againstTheRules(reason) }
    }

    /// The latest match of an app that is not over and has an own seat.
    func ownMatch(of app: String) -> SessionID? {
        messages(of: app).last { message in
            guard let match = message.content?.match else { return false }
            return match.phase != .over && match.seats.contains(me.id)
        }?.session
    }

    private func participants(with kind: Addition.Kind, in session: SessionID) -> [UUID] {
        additions.on(session, kind).map(\.sender).reduce(into: []) { found, sender in
            if !found.contains(sender) { found.append(sender) }
        }
    }

    /// How often each participant has won a match of an app here, in the remembered sessions.
    func score(of app: String) -> [UUID: Int] {
        var wins: [UUID: Int] = [:]
        for message in messages(of: app) {
            guard message.fault == nil, let match = message.content?.match,
                let outcomes = match.outcomes
            else {
                continue
            }
            for (participant, outcome) in zip(match.seats, outcomes) where outcome.result == .won {
                wins[participant, default: 0] += 1
            }
        }
        return wins
    }

    /// When something of a match changes next without a message.
    func nextAlarm(after now: Date) -> Date? {
        let alarms = sessions.values.flatMap { matchView(of: $0.shown)?.alarms ?? [] }
        return (alarms + boards.ends.map(\.time)).filter { $0 > now }.min()
    }

    /// The matches with such a time since `start`.
    func matches(dueSince start: Date, at now: Date) -> [SessionID] {
        let gone = boards.ends.filter { start < $0.time && $0.time <= now }.map(\.session)
        return sessions.values.map(\.shown).filter { shown in
            let alarms = matchView(of: shown)?.alarms ?? []
            return gone.contains(shown.session) || alarms.contains { start < $0 && $0 <= now }
        }
        .map(\.session)
    }
}
