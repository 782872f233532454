/// A conversation as people and programs see it.
extension Conversation {
    /// The transcript in order of place: the shown messages, and the lines that replaced ones left.
    package func transcript() -> [TranscriptLine] {
        entries { _ in true }.sorted()
    }

    /// The entries of the sessions that `isWanted` accepts, in any order.
    private func entries(of isWanted: (SessionState) -> Bool) -> [TranscriptLine] {
        var entries: [TranscriptLine] = []
        for (index, session) in sessions.enumerated() where isWanted(session) {
            guard let shown = session.register.shown else { continue }
            let place = session.shownLine?.place ?? 0
            entries.append(.message(session: Int32(index), place: place, dot: shown.dot))
            for line in session.linesOfReplaced {
                entries.append(.summary(session: Int32(index), line))
            }
        }
        return entries
    }

    /// As many entries before the newest ones that are skipped, without marks.
    package func transcript(last count: Int, skipping skipped: Int) -> [TranscriptLine] {
        guard skipped > 0 else { return transcript(last: count) }
        return Array(entries { !$0.isMark }.sorted().dropLast(skipped).suffix(count))
    }

    /// The last entries of the transcript, at most `count`, without marks: sessions that consist of
    /// a tombstone and only tell that their author takes part.
    package func transcript(last count: Int) -> [TranscriptLine] {
        guard count > 0 else { return [] }
        var last: [TranscriptLine] = []
        for (index, session) in sessions.enumerated() where !session.isMark {
            guard let shown = session.register.shown else { continue }
            let place = session.shownLine?.place ?? 0
            let message = TranscriptLine.message(
                session: Int32(index),
                place: place,
                dot: shown.dot
            )
            last.keep(message, ofLast: count)
            for line in session.linesOfReplaced {
                last.keep(.summary(session: Int32(index), line), ofLast: count)
            }
        }
        return last
    }

    /// The session with this number in the conversation.
    package func view(_ session: Int32) -> SessionView? {
        guard sessions.indices.contains(Int(session)) else { return nil }
        let state = sessions[Int(session)]
        return SessionView(
            conversation: number,
            tag: state.tag,
            row: state.row,
            position: feed.position(of: session) ?? 0,
            heads: state.register.heads.compactMap { view($0, of: state) },
            lines: state.linesOfReplaced
        )
    }

    /// The session known by `tag`.
    package func view(_ tag: SessionTag) -> SessionView? {
        sessionNumbers[tag].flatMap { view($0) }
    }

    /// The session that has the envelope with this dot as a head; all sessions are searched.
    package func view(withHead dot: Dot) -> SessionView? {
        // Read in place: a copy of a session costs more than the search.
        let session = sessions.indices.first { index in
            sessions[index].register.heads.contains { $0.dot == dot }
        }
        return session.flatMap { view(Int32($0)) }
    }

    /// The sessions with more than one head.
    package func conflicts() -> [SessionView] {
        sessions.indices.filter { sessions[$0].register.isConflict }.compactMap {
            view(Int32($0))
        }
    }

    /// The number of messages of this device that no other node has said to have on disk.
    ///
    /// The messages of others are not counted: their authors had them on disk before they sent
    /// them. Nor are the ends of sessions that never showed anything.
    package var unconfirmedMessages: Int {
        var count = 0
        for (index, session) in sessions.enumerated()
        where feed.position(of: Int32(index)) ?? 0 > storedElsewhere {
            count += session.register.heads.count { head in
                origins[head.dot.origin]?.device == device
                    && (head.revision > 1 || session.record(of: head.dot)?.isTombstone != true)
            }
        }
        return count
    }

    /// The tag of a session that this node may read.
    package func tag(
        of session: SessionUUID,
        using crypto: some Cryptography
    ) -> SessionTag? {
        keys.tag(of: session, using: crypto)
    }

    /// The UUID of a session whose shown message could be opened here.
    package func sessionUUID(_ tag: SessionTag) -> SessionUUID? {
        session(tag)?.shownLine?.session
    }

    /// The body of an envelope of a conversation that this node may read.
    package func open(_ envelope: Slice, using crypto: some Cryptography) -> MessageBody? {
        // Every stored envelope can be decoded. A body that does not open is shown as unreadable.
        guard let decoded = try? Envelope(decoding: envelope),
            let key = keys.bodyKey(of: decoded.header.dot.origin, using: crypto)
        else { return nil }
        return open(decoded, bodyKey: key, using: crypto)
    }

    /// The device and the participant behind an origin, if it is known.
    package func author(of origin: OriginID) -> AuthorView? {
        origins[origin].map { AuthorView(device: $0.device, participant: $0.participant) }
    }

    private func view(_ head: Head, of state: SessionState) -> HeadView? {
        guard let record = state.record(of: head.dot) else { return nil }
        return HeadView(
            dot: head.dot,
            revision: head.revision,
            next: record.next,
            blobs: record.blobs,
            isTombstone: record.isTombstone,
            envelope: record.envelope,
            author: author(of: head.dot.origin)
        )
    }
}

extension SessionState {
    /// Whether the session is a mark: its only message is its end.
    fileprivate var isMark: Bool {
        guard let shown = register.shown, shown.revision == 1 else { return false }
        return record(of: shown.dot)?.isTombstone ?? false
    }
}

extension [TranscriptLine] {
    /// Inserts an entry into the sorted last `count` entries, unless it comes before all of them.
    fileprivate mutating func keep(_ entry: TranscriptLine, ofLast count: Int) {
        if self.count == count {
            guard let first, first < entry else { return }
            removeFirst()
        }
        insert(entry, at: lastIndex { $0 < entry }.map { $0 + 1 } ?? 0)
    }
}
