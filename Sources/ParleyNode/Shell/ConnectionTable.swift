import ParleyCore
import ParleyTransport

/// Maps the connections and dials of the transport to the links and dials of the machine, and
/// knows the strangers among them.
struct ConnectionTable {
    /// The links whose connections have not ended.
    private var open: Set<LinkID> = []
    /// The accepted connections whose peers have not proven a conversation.
    private var strangers: StrangerTable
    private var random = SystemRandomNumberGenerator()
    /// The dials of the machine that the transport carries out.
    private var dials: [TransportDialID: ParleyCore.Dial] = [:]
    /// The connections for which the machine waits until the kernel has accepted all bytes.
    private var draining: Set<ConnectionID> = []

    /// A table without connections, for as many strangers as `limits` allow.
    init(limits: Limits) {
        strangers = StrangerTable(limits: limits)
    }

    /// A stranger has connected from `source`.
    ///
    /// A connection that is dropped in its favour counts as ended already.
    mutating func admit(
        _ id: ConnectionID,
        from source: IPAddress,
        at now: Moment
    ) -> StrangerTable.Admission {
        strangers.admit(LinkID(id.number), from: source.mapped, at: now, random: &random)
    }

    /// A stranger came closer to proving a conversation.
    mutating func progressed(_ link: LinkID) { strangers.progressed(link) }

    /// The TLS handshake of a connection is done, so that the machine has a link.
    mutating func opened(_ id: ConnectionID) -> LinkID {
        let link = LinkID(id.number)
        strangers.progressed(link)
        open.insert(link)
        return link
    }

    /// The peer of the link has proven a conversation, so it is not a stranger any more.
    mutating func proved(_ link: LinkID) {
        strangers.proved(link)
    }

    /// The source address of a stranger's connection.
    func source(of id: ConnectionID) -> IPAddress? {
        strangers.source(of: LinkID(id.number)).map { IPAddress(mapped: $0) }
    }

    mutating func awaitDrain(of id: ConnectionID) { draining.insert(id) }

    /// Whether the machine waits for the connection to drain; each request is answered once.
    mutating func drained(_ id: ConnectionID) -> Bool { draining.remove(id) != nil }

    mutating func closed(_ id: ConnectionID, at now: Moment) -> LinkID? {
        let link = LinkID(id.number)
        strangers.ended(link, at: now)
        draining.remove(id)
        return open.remove(link)
    }

    mutating func dialled(_ id: TransportDialID, _ dial: ParleyCore.Dial) {
        dials[id] = dial
    }

    mutating func ended(_ id: TransportDialID) -> ParleyCore.Dial? {
        dials.removeValue(forKey: id)
    }
}
