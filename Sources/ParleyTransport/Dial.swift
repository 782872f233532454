import ParleyLoop

/// One wish to reach a device: its addresses are tried one after the other, each a little after the
/// one before or as soon as that has failed, and the first that answers wins.
struct Dial {
    let id: DialID
    /// Addresses that wait for their turn.
    var waiting: [SocketAddress] = []
    /// Attempts under way.
    var running: [ConnectionID] = []
    /// Names that the resolver has not answered.
    var names: Set<Endpoint> = []
    var failures: [DialFailure] = []
    /// All that was ever put into `waiting`.
    var tried: Set<SocketAddress> = []
    /// Starts the next attempt while others run.
    let stagger: LoopTimer
    /// Gives up on the resolver.
    let resolveDeadline: LoopTimer

    /// Whether nothing more can come of this dial.
    var isHopeless: Bool { waiting.isEmpty && running.isEmpty && names.isEmpty }

    /// Adds addresses that were not there yet, up to `limit` in all.
    mutating func add(_ addresses: [SocketAddress], limit: Int) {
        for address in addresses where tried.count < limit {
            if tried.insert(address).inserted { waiting.append(address) }
        }
    }
}
