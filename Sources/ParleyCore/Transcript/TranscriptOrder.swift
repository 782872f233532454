/// The order of the lines of a transcript, of which reading a part costs as much as the part.
struct TranscriptOrder: Sendable {
    private var keys = SortedChunks<TranscriptKey>()

    /// At most `count` lines of a span, oldest first, and the key from which the next part in the
    /// same direction continues, or nil.
    func part(
        _ span: TranscriptSpan,
        count: Int
    ) -> (keys: ArraySlice<TranscriptKey>, next: TranscriptKey?) {
        // One more line tells whether there are others.
        let wanted = min(max(0, count), Int.max - 1)
        switch span {
        case .last(let key):
            let found = keys.last(wanted + 1, before: key)
            let part = found.suffix(wanted)
            return (part, found.count > wanted ? part.first ?? key : nil)
        case .first(let key):
            let found = keys.first(wanted + 1, after: key)
            let part = found.prefix(wanted)
            return (part, found.count > wanted ? part.last ?? key : nil)
        }
    }

    /// Moves the lines of a changed session to their places.
    mutating func move(_ before: Few<TranscriptKey>, to after: Few<TranscriptKey>) {
        guard after != before else { return }
        for key in before where !after.contains(key) { keys.remove(key) }
        for key in after where !before.contains(key) { keys.insert(key) }
    }
}
