import ParleyNode

/// The latest sessions that changed while an app was closed, in the order of the changes.
struct MissedSessions: Equatable {
    private var changes: [SessionID: UInt64] = [:]
    private var lastChange: UInt64 = 0

    /// The most sessions in the list.
    static let countMax = 1_024

    /// The session has changed, perhaps once more.
    mutating func add(_ session: SessionID) {
        lastChange += 1
        changes[session] = lastChange
        // Forgetting half at once makes sorting rare.
        guard changes.count >= 2 * Self.countMax else { return }
        let recent = Set(inOrder)
        changes = changes.filter { recent.contains($0.key) }
    }

    /// The sessions, at most `countMax`.
    var inOrder: [SessionID] {
        changes.sorted { $0.value < $1.value }.suffix(Self.countMax).map(\.key)
    }
}
