import ParleyNode

/// Sessions that changed while an app was closed, in the order of their latest change.
struct MissedSessions {
    private var places: [SessionID: UInt64] = [:]
    private var lastPlace: UInt64 = 0

    /// The session has changed, perhaps once more.
    mutating func add(_ session: SessionID) {
        lastPlace += 1
        places[session] = lastPlace
    }

    var inOrder: [SessionID] {
        places.sorted { $0.value < $1.value }.map(\.key)
    }
}
