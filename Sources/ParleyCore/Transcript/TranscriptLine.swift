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

    package var place: UInt64 {
        switch self {
        case .message(_, let place, _): place
        case .summary(_, let line): line.place
        }
    }

    package var dot: Dot {
        switch self {
        case .message(_, _, let dot): dot
        case .summary(_, let line): line.dot
        }
    }
}

extension TranscriptLine: Comparable {
    /// The order of a transcript: by place, and by dot among messages written concurrently.
    ///
    /// Only a Byzantine writer uses a dot in two sessions; then the numbers of the sessions decide.
    package static func < (left: TranscriptLine, right: TranscriptLine) -> Bool {
        if left.place != right.place { return left.place < right.place }
        if left.dot != right.dot { return left.dot < right.dot }
        return left.session < right.session
    }
}
