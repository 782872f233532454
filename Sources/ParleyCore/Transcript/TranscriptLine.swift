/// A line of a conversation's transcript.
package enum TranscriptLine: Sendable, Equatable {
    /// The shown message of a session.
    case message(session: Int32, place: UInt64, dot: Dot)
    /// The line of a replaced message, at its old place.
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

/// The position of a line in the transcript.
///
/// Lines are ordered by place, and concurrent messages by dot. Only a Byzantine writer uses a dot
/// in two sessions; then the numbers of the sessions decide.
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
    /// The last lines before a key, or of all lines.
    case last(before: TranscriptKey?)
    /// The first lines after a key, or of all lines.
    case first(after: TranscriptKey?)
}

/// Consecutive lines of a transcript.
package struct TranscriptPart: Sendable, Equatable {
    package let lines: [TranscriptLine]
    /// The key from which the next part in the same direction continues, or nil.
    package let next: TranscriptKey?
}
