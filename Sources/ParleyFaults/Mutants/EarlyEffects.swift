import ParleyCore

/// Lets some effects leave before the commit that they must wait for.
///
/// A copy of the machine is told that the commit is done, and returns the effects that would
/// follow. The machine itself is not told, so all other effects wait as they should.
struct EarlyEffects {
    /// Whether a delivery leaves early.
    var isDelivered: (Delivery) -> Bool = { _ in false }
    /// Whether a frame leaves early.
    var isSent: (RawFrame) -> Bool = { _ in false }

    /// The number of deliveries that left early and that the machine has yet to return.
    private var ahead = 0

    init() {}

    /// The effects of a step, with early effects, and without effects that left before.
    mutating func advance(
        _ effects: Effects,
        of machine: NodeMachine,
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
