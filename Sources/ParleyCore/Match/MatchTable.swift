/// The turn games of a conversation, by the numbers of their sessions.
struct MatchTable: Sendable {
    private struct Entry: Sendable {
        var game = MatchGame()
        /// The envelope of the last legal message, to be shown when a later one displaced it.
        var envelope: Slice?
        /// The envelope of the message before that one, for the rules of the app.
        var envelopeBefore: Slice?
        /// Ascending in the order of the latest messages.
        var number: UInt64 = 0
    }

    private var entries: [Int32: Entry] = [:]
    private var latest: UInt64 = 0
    /// The rules of the apps on this node; nil if nobody has named any.
    var rules: MatchRules?

    var isEmpty: Bool { entries.isEmpty }
    /// The sessions of the games, ascending.
    var sessions: [Int32] { entries.keys.sorted() }

    subscript(session: Int32) -> MatchGame? { entries[session]?.game }

    /// The game of a session as people and programs see it.
    func view(of session: Int32) -> MatchView? {
        guard !entries.isEmpty, let entry = entries[session] else { return nil }
        return MatchView(game: entry.game, envelope: entry.envelope)
    }

    /// Takes a judged message.
    mutating func take(_ judge: Judge, of session: Int32, envelope: Slice?) {
        var entry = takeEntry(of: session)
        let last = entry.game.legal
        if entry.game.take(judge.move, judge.verdict(), isFirm: judge.isFirm) {
            if rules != nil, entry.game.before == last { entry.envelopeBefore = entry.envelope }
            entry.envelope = envelope?.compacted()
        }
        entries[session] = entry
    }

    /// The envelope of the last legal message of a game or the one before, if it is kept.
    func envelope(of dot: Dot, in session: Int32) -> Slice? {
        guard let entry = entries[session] else { return nil }
        return entry.game.legal?.dot == dot
            ? entry.envelope : entry.game.before?.dot == dot ? entry.envelopeBefore : nil
    }

    /// Takes a message that is none of the game, in the session of a game.
    mutating func takeOther(
        _ head: Head,
        of session: Int32,
        by author: ParticipantID,
        isEnd: Bool
    ) {
        guard let game = entries[session]?.game, game.legal != nil else { return }
        if isEnd, game.mayEnd(author) {
            entries[session] = nil
        } else {
            entries[session]?.game.add(.noGame, to: head, by: author)
        }
    }

    /// Notes an addition to a game that is against the rules.
    mutating func note(
        _ fault: MatchFault,
        of head: Head,
        by author: ParticipantID,
        to session: Int32
    ) {
        entries[session]?.game.add(fault, to: head, by: author, isAddition: true)
    }

    /// Takes a message against the rules again, as an addition may allow it now.
    ///
    /// - Returns: whether it is allowed.
    mutating func takeAgain(_ judge: Judge, of session: Int32, envelope: Slice?) -> Bool {
        let verdict = judge.verdict()
        guard verdict == .legal || verdict == .notChecked else { return false }
        take(judge, of: session, envelope: envelope)
        return true
    }

    /// The entry of a session; beyond the limit another one gives way, first the oldest game that
    /// is over.
    private mutating func takeEntry(of session: Int32) -> Entry {
        latest += 1
        var entry = entries.removeValue(forKey: session) ?? Entry()
        entry.number = latest
        guard entries.count >= Limits.matches else { return entry }
        let oldest = entries.min { one, other in
            let (isOver, isOtherOver) = (one.value.game.end != nil, other.value.game.end != nil)
            return isOver == isOtherOver ? one.value.number < other.value.number : isOver
        }
        if let oldest { entries[oldest.key] = nil }
        return entry
    }

    // MARK: Rows

    /// The game of a session as it is stored, with the envelope of the last legal message if that
    /// is not among `heads`; nil without a game.
    func row(of session: Int32, heads: some Sequence<Dot>) -> [UInt8]? {
        guard let entry = entries[session] else { return nil }
        let isHead = entry.game.legal.map { legal in heads.contains(legal.dot) } ?? true
        var writer = CBORWriter()
        writer.array(count: 2)
        writer.byteString(entry.game.encoded())
        writer.byteString(isHead ? .empty : entry.envelope ?? .empty)
        return writer.finish()
    }

    /// Takes the stored game of a session back; bytes that cannot be read are left out.
    mutating func recover(_ row: [UInt8]?, of session: Int32, heads: Few<StoredHead>) {
        guard let row else { return }
        do {
            var reader = CBORReader(Slice(row))
            try reader.openArray(of: 2)
            let bytes = try reader.byteString(lengthMax: row.count)
            let envelope = try reader.byteString(lengthMax: row.count)
            reader.closeArray()
            try reader.finish()
            var entry = takeEntry(of: session)
            entry.game = try MatchGame(decoding: bytes)
            let head = heads.first { $0.dot == entry.game.legal?.dot }?.envelope
            entry.envelope = (envelope.isEmpty ? head : envelope)?.compacted()
            entries[session] = entry
        } catch {}
    }
}

/// The turn game of a session as people and programs see it.
package struct MatchView: Sendable {
    package let game: MatchGame
    /// The envelope of the last legal message, if that was here.
    package let envelope: Slice?
}
