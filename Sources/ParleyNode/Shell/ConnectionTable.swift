import ParleyCore
import ParleyTransport

/// Maps the connections and dials of the transport to the links and dials of the machine, and
/// limits the number of strangers.
struct ConnectionTable {
    private var connections: [LinkID: ConnectionID] = [:]
    /// The source addresses of accepted connections whose peers have not proven a conversation.
    private var strangers: [ConnectionID: IPAddress] = [:]
    private var dials: [TransportDialID: Dialled] = [:]
    /// The connections for which the machine waits until the kernel has accepted all bytes.
    private var draining: Set<ConnectionID> = []

    /// The dial of the machine that a dial of the transport carries out.
    struct Dialled {
        let dial: ParleyCore.DialID
        let address: String
    }

    func connection(of link: LinkID) -> ConnectionID? { connections[link] }

    /// Admits a stranger from `source` if the limits allow one more.
    mutating func admit(_ id: ConnectionID, from source: IPAddress, limits: Limits) -> Bool {
        guard strangers.count < limits.strangers,
            strangers.values.count(where: { $0 == source }) < limits.strangersPerSource
        else { return false }
        strangers[id] = source
        return true
    }

    mutating func opened(_ id: ConnectionID) -> LinkID {
        let link = LinkID(id.number)
        connections[link] = id
        return link
    }

    /// The peer of the link has proven a conversation, so it is not a stranger any more.
    mutating func proved(_ link: LinkID) {
        guard let id = connections[link] else { return }
        strangers[id] = nil
    }

    /// The source address of a stranger's connection.
    func source(of id: ConnectionID) -> IPAddress? { strangers[id] }

    mutating func awaitDrain(of id: ConnectionID) { draining.insert(id) }

    /// Whether the machine waits for the connection to drain; each request is answered once.
    mutating func drained(_ id: ConnectionID) -> Bool { draining.remove(id) != nil }

    mutating func closed(_ id: ConnectionID) -> LinkID? {
        strangers[id] = nil
        draining.remove(id)
        let link = LinkID(id.number)
        return connections.removeValue(forKey: link) == nil ? nil : link
    }

    mutating func dialled(_ id: TransportDialID, _ dial: ParleyCore.Dial) {
        dials[id] = Dialled(dial: dial.id, address: dial.address)
    }

    mutating func ended(_ id: TransportDialID) -> Dialled? {
        dials.removeValue(forKey: id)
    }
}
