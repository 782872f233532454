extension NodeMachine {
    /// The session shows another message: read it, leave a line where the old one stood.
    mutating func show(_ envelope: Envelope, _ head: Head, slot: Int, session: Int32) {
        let place = Int(session)
        let number = conversations[slot].number
        let tag = conversations[slot].sessions[place].tag
        guard conversations[slot].keys.canRead else { return }
        if let old = conversations[slot].sessions[place].shownLine {
            conversations[slot].sessions[place].lines.add(
                old,
                countMax: configuration.limits.summariesPerSession
            )
        }
        let line = shownLine(envelope, head, slot: slot)
        conversations[slot].sessions[place].shownLine = line
        conversations[slot].placeSeen(line?.place ?? 0)
        commits.afterNext(
            .shown(ShownMessage(conversation: number, tag: tag, dot: head.dot))
        )
    }

    /// What a person sees of an envelope, or nil if it cannot be opened.
    mutating func shownLine(_ envelope: Envelope, _ head: Head, slot: Int) -> ShownLine? {
        guard let key = bodyKey(of: head.dot.origin, slot: slot),
            let body = conversations[slot].open(envelope, bodyKey: key, using: crypto)
        else { return nil }
        return ShownLine(
            dot: head.dot,
            place: body.place,
            revision: head.revision,
            sentAt: body.sentAt,
            session: body.session,
            summaryText: body.summaryText
        )
    }

    /// The key of an origin's bodies, derived once.
    mutating func bodyKey(of origin: OriginID, slot: Int) -> Bytes32? {
        if let key = conversations[slot].origins[origin]?.bodyKey { return key }
        let key = conversations[slot].keys.bodyKey(of: origin, using: crypto)
        conversations[slot].origins[origin]?.bodyKey = key
        return key
    }

    mutating func reportConflict(slot: Int, session: Int32) {
        let state = conversations[slot].sessions[Int(session)]
        commits.afterNext(
            .conflict(
                SessionConflict(
                    conversation: conversations[slot].number,
                    tag: state.tag,
                    heads: state.register.heads.map(\.dot)
                )
            )
        )
    }

    /// Whether whoever wrote `dot` was named by what it replaces, as far as that is here.
    mutating func reportTurn(
        of dot: Dot,
        replacing replaced: [Head],
        slot: Int,
        session: Int32
    ) {
        let place = Int(session)
        for old in replaced {
            guard let index = conversations[slot].sessions[place].index(of: old.dot),
                !conversations[slot].sessions[place].heads[index].next.isEmpty,
                let participant = conversations[slot].origins[dot.origin]?.participant,
                !conversations[slot].sessions[place].heads[index].next.contains(participant)
            else { continue }
            commits.afterNext(
                .outOfTurn(
                    conversation: conversations[slot].number,
                    tag: conversations[slot].sessions[place].tag,
                    dot,
                    by: participant
                )
            )
            return
        }
    }

    mutating func reportDropped(_ dot: Dot, _ tag: SessionTag, _ slot: Int) {
        turn.effects.deliveries.append(
            .headDropped(conversation: conversations[slot].number, tag: tag, dot)
        )
    }
}
