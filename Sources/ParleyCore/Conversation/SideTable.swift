/// The sessions of a conversation with a sticker or an addition among their heads.
struct SideTable: Sendable {
    /// A head on a target.
    private struct Side: Sendable {
        let session: Int32
        /// The kind of an addition; 0 for a sticker.
        let kind: UInt8
        let author: ParticipantID?
    }

    /// What each sticker or addition is on, by the dot of the head.
    private var targets: [Dot: SideTarget] = [:]
    /// The heads on each target, in order of arrival.
    private var sides: [SideTarget: Few<Side>] = [:]

    /// The exchanges beside games.
    private var exchanges: [SessionUUID: GameExchanges] = [:]

    /// Notes that the head of a session is on a target.
    mutating func place(
        _ head: Dot,
        of session: Int32,
        on target: SideTarget,
        kind: UInt8 = 0,
        by author: ParticipantID? = nil
    ) {
        guard targets.updateValue(target, forKey: head) == nil else { return }
        sides[target, default: []].append(Side(session: session, kind: kind, author: author))
    }

    /// Notes that an addition is of an exchange.
    mutating func place(
        _ exchange: Exchange,
        _ head: Dot,
        of session: Int32,
        slot: UInt64,
        by author: ParticipantID,
        to game: SessionUUID
    ) {
        exchanges[game, default: GameExchanges()]
            .place(exchange, head, of: session, slot: slot, by: author)
    }

    /// The exchanges that stand beside a game.
    func exchanges(of game: SessionUUID) -> GameExchanges { exchanges[game] ?? GameExchanges() }

    /// Forgets a head that was replaced or dropped.
    mutating func remove(_ head: Dot, of session: Int32) {
        guard !targets.isEmpty, let target = targets.removeValue(forKey: head) else { return }
        if case .session(let game) = target, !exchanges.isEmpty {
            exchanges[game]?.remove(head)
            if exchanges[game]?.isEmpty ?? false { exchanges[game] = nil }
        }
        guard var others = sides[target],
            let index = others.firstIndex(where: { $0.session == session })
        else { return }
        others.remove(at: index)
        sides[target] = others.isEmpty ? nil : others
    }

    /// The latest sessions on a target, at most `count`.
    func sessions(on target: SideTarget, last count: Int) -> [Int32] {
        sides[target]?.suffix(count).map(\.session) ?? []
    }

    /// The participants with a standing addition of a kind to a session.
    func authors(of kind: SideMessage.Kind, to session: SessionUUID) -> [ParticipantID] {
        sides[.session(session)]?.filter { UInt64($0.kind) == kind.rawValue }
            .compactMap(\.author) ?? []
    }
}

extension GameExchanges {
    /// The exchanges beside a game of a conversation.
    package init(of game: SessionUUID, in conversation: Conversation) {
        self = conversation.roles.sides.exchanges(of: game)
    }
}
