/// Decides which refusals are reported singly: a few per window; the others are counted.
struct RefusalWindow: Sendable {
    private var began: Duration?
    private var said = 0
    private(set) var unsaid = 0
    /// All refusals since the start.
    private(set) var total = 0

    /// Counts a refusal; returns whether to report it singly.
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

    /// The time at which `close` must be called, or nil.
    var wakeAt: Duration? { began.map { $0 + DiscoveryLimits.refusalWindow } }

    /// Ends the window if its time is over; returns how many refusals in it were not reported.
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
