/// One line of a conversation as a person sees it.
package enum TranscriptLine: Sendable, Equatable {
    /// The shown message of a session.
    case message(session: Int32, place: UInt64, dot: Dot)
    /// The line that a replaced message of a session has left at its old place.
    case summary(session: Int32, ShownLine)

    /// The number of the session on this node.
    package var session: Int32 {
        switch self {
        case .message(let session, _, _): session
        case .summary(let session, _): session
        }
    }

    package var dot: Dot {
        switch self {
        case .message(_, _, let dot): dot
        case .summary(_, let line): line.dot
        }
    }
}

/// Where a line is in the transcript of its conversation.
///
/// The order is by place, and by dot among messages written concurrently. Only a Byzantine writer
/// uses a dot in two sessions; then the numbers of the sessions decide.
package struct TranscriptKey: Hashable, Sendable {
    package let place: UInt64
    package let dot: Dot
    /// The number of the session on this node.
    package let session: Int32

    package init(place: UInt64, dot: Dot, session: Int32) {
        self.place = place
        self.dot = dot
        self.session = session
    }
}

extension TranscriptKey: Comparable {
    package static func < (left: TranscriptKey, right: TranscriptKey) -> Bool {
        if left.place != right.place { return left.place < right.place }
        if left.dot != right.dot { return left.dot < right.dot }
        return left.session < right.session
    }
}

/// The choice of lines of a transcript.
package enum TranscriptSpan: Sendable, Equatable {
    /// The last ones of those before a key, or of all.
    case last(before: TranscriptKey?)
    /// The first ones of those after a key, or of all.
    case first(after: TranscriptKey?)
}

/// Lines of a transcript that follow one another.
package struct TranscriptPart: Sendable, Equatable {
    package let lines: [TranscriptLine]
    /// The key at the end of the lines from which others of the same direction go on; nil if there
    /// are none.
    package let next: TranscriptKey?
}
