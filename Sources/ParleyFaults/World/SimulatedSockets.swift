package import ParleyCore

/// The connections of a node, as a kernel and a shell keep them.
package struct SimulatedSockets {
    /// The number of the latest link.
    package private(set) var latest: UInt64 = 0
    /// The wire of each open link.
    package private(set) var wires: [LinkID: Int] = [:]
    /// Whether the node reads from its connections; if not, senders stall.
    package var isReading = true
    /// The bytes handed over for each link since it was last drained.
    package private(set) var undrained: [LinkID: Int] = [:]
    /// Whether the node is to be told which links are drained.
    private var isDrainDue = false
    /// Accepted connections that have not proved a conversation, by the number of their source.
    private var strangers = StrangerTable(limits: Limits())

    package init() {}

    // MARK: Links

    /// The number that a later link gets, if the next one is the first.
    package func link(_ later: Int) -> LinkID { LinkID(latest + UInt64(later)) }

    package mutating func nextLink() -> LinkID {
        latest += 1
        return LinkID(latest)
    }

    /// Opens a link that has a number of this node.
    package mutating func open(_ link: LinkID, on wire: Int) { wires[link] = wire }

    /// Forgets a link; returns its wire, if the link was open.
    package mutating func close(_ link: LinkID, at now: Moment) -> Int? {
        undrained[link] = nil
        strangers.ended(link, at: now)
        return wires.removeValue(forKey: link)
    }

    /// Forgets all links; returns their wires in the order of the links.
    package mutating func closeAll() -> [(link: LinkID, wire: Int)] {
        defer { wires = [:] }
        return wires.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Begins a process, which has no links yet; the numbers go on.
    package mutating func restart(_ limits: Limits) {
        let latest = latest
        self = SimulatedSockets()
        self.latest = latest
        strangers = StrangerTable(limits: limits)
    }

    // MARK: Bytes

    /// Counts bytes until the link is drained.
    package mutating func sent(_ bytes: Int, on link: LinkID) {
        undrained[link, default: 0] += bytes
    }

    package mutating func drained(_ link: LinkID) { undrained[link] = 0 }

    /// Asks for a report of drained links; returns whether it is the first since the last report.
    package mutating func wantDrains() -> Bool {
        defer { isDrainDue = true }
        return !isDrainDue
    }

    /// The node is told now which links are drained.
    package mutating func reportDrains() { isDrainDue = false }

    // MARK: Strangers

    /// A connection of a stranger arrives from a source with this number.
    package mutating func admit(_ link: LinkID, from source: Int, at now: Moment)
        -> StrangerTable.Admission
    {
        let address = Bytes16(0, UInt64(bitPattern: Int64(source)))
        var random = SeededRandom(seed: link.value)
        return strangers.admit(link, from: address, at: now, random: &random)
    }

    /// A link came closer to its proof, proved a conversation, or ended.
    package mutating func changed(_ notice: LinkNotice, at now: Moment) {
        switch notice.change {
        case .greeted: strangers.progressed(notice.link)
        case .joined: strangers.proved(notice.link)
        case .closed: strangers.ended(notice.link, at: now)
        case .suspected, .full: break
        }
    }

    /// A stranger's connection that was never a link ended.
    mutating func idleEnded(_ link: LinkID, at now: Moment) { strangers.ended(link, at: now) }
}
