/// Says a few refusals per window one by one, and counts the others.
struct RefusalWindow: Sendable {
    private var began: Duration?
    private var said = 0
    private(set) var unsaid = 0
    /// All refusals since the start.
    private(set) var total = 0

    /// Whether this refusal is to be said.
    mutating func admit(at now: Duration) -> Bool {
        total += 1
        if began == nil { began = now }
        guard said < DiscoveryLimits.refusalsPerWindow else {
            unsaid += 1
            return false
        }
        said += 1
        return true
    }

    /// When `close` is to be called, if at all.
    var wakeAt: Duration? { began.map { $0 + DiscoveryLimits.refusalWindow } }

    /// Ends the window if its time has come; how many refusals in it were not said.
    mutating func close(at now: Duration) -> Int {
        guard let wakeAt, now >= wakeAt else { return 0 }
        defer {
            began = nil
            said = 0
            unsaid = 0
        }
        return unsaid
    }
}
