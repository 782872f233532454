import Foundation
package import ParleyNode

/// Who is at the board, and nudges.
extension MatchKeeper {
    /// Takes a signal, of a participant of this host as well.
    func heard(
        _ kind: SignalKind,
        by participant: UUID,
        in session: SessionID,
        of conversation: String
    ) {
        guard host?.hasMatches ?? false else { return }
        models.model(of: conversation) { [weak self] result in
            guard let self, case .success(let model) = result,
                model.participant(participant) != nil, let match = model.match(in: session)
            else { return }
            guard kind != .nudge else { return nudged(by: participant, match, session, model) }
            let isThere = kind == .atBoard
            let now = node.now
            guard model.boards.heard(isThere: isThere, participant, in: session, at: now) else {
                return
            }
            tell(session, model)
            setAlarm()
        }
    }

    /// Somebody with a seat asks this device to move.
    private func nudged(
        by participant: UUID,
        _ match: ParleyMatch,
        _ session: SessionID,
        _ model: ConversationModel
    ) {
        guard match.isMyTurn, participant != model.me.id,
            match.seats.contains(where: { $0.participant == participant && !$0.hasQuit }),
            model.boards.nudged(by: participant, in: session, at: node.now)
        else { return }
        let name = model.participant(participant)?.name ?? "Someone"
        let nudge = ParleyNudge(conversation: model.name, session: session, name: name)
        host?.nudgeObserver?(nudge)
    }

    /// Asks whoever has the turn to move.
    func nudge(_ session: SessionID, _ model: ConversationModel, _ done: MatchAnswer) {
        node.signal(.nudge, about: session, in: model.name)
        model.boards.nudges(in: session, at: node.now)
        done(.success(()))
        tell(session, model)
        setAlarm()
    }

    /// Tells the members which matches a person has open, if that has changed.
    func look(at panels: [AppPanel], of conversation: String) {
        guard let host, host.hasMatches, models[conversation] != nil else { return }
        let isSeen = host.isSeen(in: conversation)
        let open = Set(
            panels.filter { isSeen && $0.isOpen && !$0.isHeadless && $0.app.seats != nil }
                .compactMap(\.matchSession).filter { models[conversation]?.match(in: $0) != nil }
        )
        let told = Set(ownBoards.keys.filter { $0.conversation == conversation }.map(\.session))
        guard open != told else { return }
        for session in told.subtracting(open).sorted(by: Self.areInOrder) {
            ownBoards[PlacedSession(session: session, conversation: conversation)] = nil
            node.signal(.awayFromBoard, about: session, in: conversation)
        }
        for session in open.subtracting(told).sorted(by: Self.areInOrder) {
            tellBoard(PlacedSession(session: session, conversation: conversation))
        }
        setAlarm()
    }

    private func tellBoard(_ place: PlacedSession) {
        guard let me = models[place.conversation]?.me.id else { return }
        ownBoards[place] = node.now + Boards.beat(of: me)
        node.signal(.atBoard, about: place.session, in: place.conversation)
    }

    /// Tells again which matches are open.
    func beat() {
        for conversation in Set(ownBoards.keys.map(\.conversation)) {
            look(at: host?.panels(in: conversation) ?? [], of: conversation)
        }
        let now = node.now
        for place in ownBoards.filter({ $0.value <= now }).keys
            .sorted(by: { Self.areInOrder($0.session, $1.session) })
        {
            tellBoard(place)
        }
    }

    private static func areInOrder(_ one: SessionID, _ other: SessionID) -> Bool {
        one.description < other.description
    }
}

/// A participant asks this device to move.
package struct ParleyNudge: Hashable, Sendable {
    package let conversation: String
    package let session: SessionID
    /// The name of the participant, who waits.
    package let name: String
}
