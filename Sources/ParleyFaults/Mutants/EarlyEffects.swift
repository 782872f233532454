import ParleyCore

/// Lets some of what waits for a commit leave before it.
///
/// A copy of the machine is told that the commit is done, and shows what would leave then. The
/// machine itself goes on as if nothing had happened, so that all else waits as it should.
struct EarlyEffects {
    /// Deliveries that do not wait.
    var isDelivered: (Delivery) -> Bool = { _ in false }
    /// Frames that do not wait.
    var isSent: (RawFrame) -> Bool = { _ in false }

    /// How many deliveries left early and are still to come out of the machine.
    private var ahead = 0

    init() {}

    /// The effects of a step with what does not wait, and without what left before.
    mutating func advance(
        _ effects: Effects,
        of machine: World.Machine,
        at now: Moment
    ) -> Effects {
        var advanced = effects
        advanced.deliveries = effects.deliveries.filter { delivery in
            guard ahead > 0, isDelivered(delivery) else { return true }
            ahead -= 1
            return false
        }
        guard let persist = effects.persist else { return advanced }
        var copy = machine
        let later = copy.handle(.committed(persist.ticket), at: now)
        let early = later.deliveries.filter(isDelivered).dropFirst(ahead)
        ahead += early.count
        advanced.deliveries += early
        advanced.sends += later.sends.compactMap { $0.keeping(isSent) }
        return advanced
    }
}
