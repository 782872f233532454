/// The transcript of a conversation, whose order is kept up to date.
extension Conversation {
    /// At most `count` lines of the transcript, oldest first, without marks; empty on a relay.
    package func transcript(_ span: TranscriptSpan, count: Int) -> TranscriptPart {
        let (keys, next) = order.part(span, count: count)
        return TranscriptPart(lines: keys.compactMap(line), next: next)
    }

    /// The whole transcript, without a limit.
    package func transcript() -> [TranscriptLine] {
        transcript(.first(after: nil), count: .max).lines
    }

    private func line(_ key: TranscriptKey) -> TranscriptLine? {
        let index = Int(key.session)
        guard sessions[index].register.shown?.dot != key.dot else {
            return .message(session: key.session, place: key.place, dot: key.dot)
        }
        return sessions[index].lines.lines.first { $0.dot == key.dot }
            .map { .summary(session: key.session, $0) }
    }

    /// Moves the lines of a changed session to their places.
    mutating func reorder(_ session: Int32, from before: Few<TranscriptKey>) {
        order.move(before, to: keysInTranscript(of: session))
    }

    /// The keys of the lines of a session, or none on a relay.
    func keysInTranscript(of session: Int32) -> Few<TranscriptKey> {
        keys.canRead ? sessions[Int(session)].keysInTranscript(session) : []
    }
}

extension SessionState {
    /// The keys of the session's lines, from the shown message on; a mark has none.
    fileprivate func keysInTranscript(_ number: Int32) -> Few<TranscriptKey> {
        guard let shown = register.shown, !isMark else { return [] }
        // A message that cannot be opened has the place 0.
        let place = shownLine?.place ?? 0
        var keys = Few(only: TranscriptKey(place: place, dot: shown.dot, session: number))
        for line in linesOfReplaced {
            keys.append(TranscriptKey(place: line.place, dot: line.dot, session: number))
        }
        return keys
    }

    /// Whether the session is a mark: a tombstone alone, to show that its author takes part.
    private var isMark: Bool {
        guard let shown = register.shown, shown.revision == 1 else { return false }
        return record(of: shown.dot)?.isTombstone ?? false
    }
}
