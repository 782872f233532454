import ParleyLoop

/// A proxy: where it listens, where it leads, its toxics and its counters.
final class ProxyEntry {
    let name: String
    /// As the client of the control wrote it, and resolved once the proxy listens.
    var listen: String
    var upstream: String
    /// The seed of its faults.
    let seed: UInt64
    var isEnabled = false
    var loop: AcceptLoop?
    private(set) var toxics: [Toxic] = []
    var connections: Set<UInt64> = []
    /// Whether the last attempt to reach the server has failed.
    var isUnreachable = false
    /// The connections that were accepted so far.
    var accepted: UInt64 = 0
    /// The bytes of connections that have ended.
    var past = StreamCounts()
    /// What each toxic did, by its name.
    var hits: [String: UInt64] = [:]

    init(name: String, listen: String, upstream: String, seed: UInt64) {
        self.name = name
        self.listen = listen
        self.upstream = upstream
        self.seed = seed
    }

    /// The toxics of the upstream, and then those of the downstream, as Toxiproxy lists them.
    var listed: [Toxic] {
        toxics.filter { $0.directions.contains(.upstream) }
            + toxics.filter { !$0.directions.contains(.upstream) }
    }

    /// The toxic of that kind that the connection has before its streams begin.
    func early(_ kind: ToxicKind, connection: UInt64, from address: [UInt8]) -> Toxic? {
        toxics.first { toxic in
            let draws = FaultDraws(seed: seed).part(name).part(connection).part(toxic.name)
            return toxic.kind == kind && toxic.concerns(address)
                && draws.share(0) < Double(toxic.toxicity)
        }
    }

    /// Whether connections are refused altogether, so that nothing listens.
    var refusesAll: Bool {
        toxics.contains { $0.kind == .refuse && $0.toxicity >= 1 && $0.clients.isEmpty }
    }

    func toxic(_ name: String) -> Toxic? {
        toxics.first { $0.name == name }
    }

    func add(_ toxic: Toxic) {
        toxics.append(toxic)
    }

    func replace(_ toxic: Toxic) {
        guard let index = toxics.firstIndex(where: { $0.name == toxic.name }) else { return }
        toxics[index] = toxic
    }

    func remove(_ name: String) {
        toxics.removeAll { $0.name == name }
        hits[name] = nil
    }
}

/// The bytes of both streams of a connection, or of many.
package struct StreamCounts: Hashable, Sendable {
    package var received: [StreamDirection: UInt64] = [:]
    package var sent: [StreamDirection: UInt64] = [:]

    mutating func add(_ flow: StreamFlow?, _ direction: StreamDirection) {
        received[direction, default: 0] += flow?.received ?? 0
        sent[direction, default: 0] += flow?.sent ?? 0
    }
}
