import ParleyLoop

/// The state of one dial: staggered attempts on the addresses of one device.
///
/// The next attempt starts when the last one has failed or after a short delay, and the first
/// attempt that succeeds wins.
struct DialAttempts {
    /// The protocol of the connection.
    let offered: TransportProtocol
    /// Addresses whose attempts have not started.
    var waiting: [SocketAddress] = []
    /// The connections of attempts that are running.
    var running: [ConnectionID] = []
    /// Names for which the resolver has not answered yet.
    var names: Set<Endpoint> = []
    var failures: [DialFailure] = []
    /// All addresses that were ever in `waiting`.
    var tried: Set<SocketAddress> = []
    /// Starts the next attempt while others run.
    let stagger: LoopTimer
    /// Ends the wait for the resolver.
    let resolveDeadline: LoopTimer

    /// Whether the dial has failed: no attempt runs, and nothing is left to try.
    var isHopeless: Bool { waiting.isEmpty && running.isEmpty && names.isEmpty }

    /// Adds new addresses to try, up to `limit` in all.
    mutating func add(_ addresses: [SocketAddress], limit: Int) {
        for address in addresses where tried.count < limit {
            if tried.insert(address).inserted { waiting.append(address) }
        }
    }
}
