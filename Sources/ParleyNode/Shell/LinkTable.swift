import ParleyCore
import ParleyTransport

/// Which connection is which link, and how many strangers are about.
struct LinkTable {
    private var connections: [LinkID: ConnectionID] = [:]
    /// Connections that came in and have proven nothing, with where they are from.
    private var strangers: [ConnectionID: IPAddress] = [:]
    private var dials: [ParleyTransport.DialID: Dialled] = [:]
    /// Connections of which the machine wants to hear when the kernel has taken all.
    private var draining: Set<ConnectionID> = []

    /// A dial of the machine.
    struct Dialled {
        let dial: ParleyCore.DialID
        let address: String
    }

    func connection(of link: LinkID) -> ConnectionID? { connections[link] }

    /// Whether one more stranger may come from `source`.
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

    /// The peer of the link shares a conversation: it is no stranger any more.
    mutating func proved(_ link: LinkID) {
        guard let id = connections[link] else { return }
        strangers[id] = nil
    }

    /// Where a connection that has proven nothing is from.
    func source(of id: ConnectionID) -> IPAddress? { strangers[id] }

    mutating func awaitDrain(of id: ConnectionID) { draining.insert(id) }

    /// Whether the machine wants to hear that the kernel has taken all; it does once.
    mutating func drained(_ id: ConnectionID) -> Bool { draining.remove(id) != nil }

    mutating func closed(_ id: ConnectionID) -> LinkID? {
        strangers[id] = nil
        draining.remove(id)
        let link = LinkID(id.number)
        return connections.removeValue(forKey: link) == nil ? nil : link
    }

    mutating func dialled(_ id: ParleyTransport.DialID, _ dial: ParleyCore.Dial) {
        dials[id] = Dialled(dial: dial.id, address: dial.address)
    }

    mutating func ended(_ id: ParleyTransport.DialID) -> Dialled? {
        dials.removeValue(forKey: id)
    }
}
