import ParleyNode

/// Sessions that changed while an app was closed, in the order of their latest change.
struct MissedSessions {
    private var changes: [SessionID: UInt64] = [:]
    private var lastChange: UInt64 = 0

    /// The session has changed, perhaps once more.
    mutating func add(_ session: SessionID) {
        lastChange += 1
        changes[session] = lastChange
    }

    var inOrder: [SessionID] {
        changes.sorted { $0.value < $1.value }.map(\.key)
    }
}
