/// A conversation as people and programs see it.
extension Conversation {
    /// The session with this number in the conversation.
    package func view(_ session: Int32) -> SessionView? {
        guard sessions.indices.contains(Int(session)) else { return nil }
        let state = sessions[Int(session)]
        return SessionView(
            conversation: number,
            tag: state.tag,
            row: state.row,
            position: feed.position(of: session) ?? 0,
            heads: state.register.heads.compactMap { head in
                state.record(of: head.dot)
                    .map { HeadView(head, $0, author: author(of: head.dot.origin)) }
            },
            lines: state.linesOfReplaced,
            match: roles.matches.view(of: session)
        )
    }

    /// The session known by `tag`.
    package func view(_ tag: SessionTag) -> SessionView? {
        sessions.numbers[tag].flatMap { view($0) }
    }

    /// The session with this dot as a head.
    package func view(withHead dot: Dot) -> SessionView? {
        sessions.number(withHead: dot).flatMap { view($0) }
    }

    /// The latest sessions with a sticker or an addition on a target, at most `count`.
    package func sides(on target: SideTarget, last count: Int) -> [SessionView] {
        roles.sides.sessions(on: target, last: count).compactMap { view($0) }
    }

    /// The first `count` sessions after `tag` with more than one head.
    package func conflicts(after tag: SessionTag? = nil, count: Int = .max) -> [SessionView] {
        var views: [SessionView] = []
        let start = tag.flatMap { sessions.numbers[$0] }.map { Int($0) + 1 } ?? 0
        for index in start..<sessions.count where sessions[index].register.isConflict {
            guard views.count < count, let view = view(Int32(index)) else { break }
            views.append(view)
        }
        return views
    }

    /// The number of messages of this device that no other node has confirmed.
    ///
    /// Messages of others do not count, because their authors stored them before sending. Nor does
    /// the end of a session that never showed anything.
    package var unconfirmedMessages: Int {
        var count = 0
        for (index, session) in sessions.enumerated()
        where feed.position(of: Int32(index)) ?? 0 > storedElsewhere {
            count += session.register.heads.count { head in
                origins.device(of: head.dot.origin) == device
                    && (head.revision > 1 || session.record(of: head.dot)?.isTombstone != true)
            }
        }
        return count
    }

    /// The tag of a session, or nil on a relay.
    package func tag(
        of session: SessionUUID,
        using crypto: some Cryptography
    ) -> SessionTag? {
        keys.tag(of: session, using: crypto)
    }

    /// The UUID of a session whose shown message could be opened.
    package func sessionUUID(_ tag: SessionTag) -> SessionUUID? {
        session(tag)?.shownLine?.session
    }

    /// The opened body of an envelope, or nil.
    package func open(_ envelope: Slice, using crypto: some Cryptography) -> MessageBody? {
        // Every stored envelope can be decoded. A body that does not open is shown as unreadable.
        guard let decoded = try? Envelope(decoding: envelope),
            let key = keys.bodyKey(
                of: decoded.header.dot.origin,
                in: decoded.header.generation,
                using: crypto
            )
        else { return nil }
        return keys.open(decoded.items, bodyKey: key, using: crypto)
    }

    /// The author behind an origin, or nil for an unknown origin.
    package func author(of origin: OriginID) -> AuthorView? { origins[origin]?.author }
}
