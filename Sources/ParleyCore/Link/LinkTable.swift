/// The links of a node, ascending by ID: finds the link of a frame, resolves duplicates, and keeps
/// deadlines.
package struct LinkTable: Sendable {
    private var links: [Link] = []
    /// The IDs of all links, including ending ones, ascending.
    package private(set) var openLinks: [LinkID] = []
    private var names: DeviceNames
    /// The traffic of all links since the start.
    package internal(set) var figures = NodeFigures()
    /// Whether the node stops, so that no more links are opened.
    package internal(set) var isStopping = false
    /// The encoded segments of feeds that some link has yet to send.
    package var segments = SegmentCache()
    /// The members that need a link.
    package internal(set) var mesh: Mesh
    /// Members for which there was no slot.
    var turnedAway = TurnedAwayPeers()
    /// Members that broke the protocol.
    var refused = RefusedPeers()
    /// Pairings, which links to members and to strangers carry.
    package internal(set) var pairings: PairingTable
    /// This process, as peers know it.
    let own: Process
    /// The devices to which there may be links.
    package internal(set) var gate: DeviceGate
    /// When to compare stores with the peers next.
    package internal(set) var audits = AuditTimer()

    /// A table without links of the process `own`.
    package init(own: Process, names: DeviceNames, gate: DeviceGate = DeviceGate()) {
        self.gate = gate
        self.own = own
        mesh = Mesh(of: own.device)
        pairings = PairingTable(of: own.device)
        self.names = names
    }

    /// Adds a link in the order of the IDs, as handshakes may end in any order.
    ///
    /// - Returns: its index.
    package mutating func insert(_ link: Link) -> Int {
        let index = links.lastIndex { $0.id < link.id }.map { $0 + 1 } ?? 0
        links.insert(link, at: index)
        openLinks.insert(link.id, at: index)
        return index
    }

    /// Removes the ended links, and returns them in order.
    package mutating func removeClosing() -> [Link] {
        let closing = links.filter { $0.phase == .closing }
        if !closing.isEmpty { mesh.membersChanged() }
        links.removeAll { $0.phase == .closing }
        openLinks = links.map(\.id)
        return closing
    }

    // MARK: Finding links

    /// The index of a link that is not ending.
    package func index(of link: LinkID) -> Int? {
        let index = openLinks.partitioningIndex { $0 >= link }
        guard index < links.count, openLinks[index] == link, links[index].phase != .closing else {
            return nil
        }
        return index
    }

    package var memberCount: Int {
        var count = 0
        for index in links.indices where links[index].isMember { count += 1 }
        return count
    }

    package var areSomeClosing: Bool {
        for index in links.indices where links[index].phase == .closing { return true }
        return false
    }

    /// Devices with a link that answers, and devices in the passive view, by the first eight bytes
    /// of the IDs.
    package var linkedHints: [UInt64] {
        var hints = mesh.passiveView.hints
        for index in links.indices where !links[index].liveness.isSuspect {
            hints.append(links[index].device.hint)
        }
        return hints
    }

    /// Whether a live link leads to a member of a conversation.
    package func hasLiveLink(sharing conversation: UInt32) -> Bool {
        links.contains { $0.isLive && $0.replication(of: conversation) != nil }
    }

    /// The live links to members of a conversation, in order.
    package func liveLinks(sharing conversation: UInt32) -> [LinkID] {
        links.filter { $0.isLive && $0.replication(of: conversation) != nil }.map(\.id)
    }

    /// The link on which the author of an envelope pushes or announces it unasked.
    package func link(toAuthor device: DeviceID, of conversation: UInt32) -> LinkID? {
        links.first {
            $0.device == device && $0.isLive && $0.replication(of: conversation) != nil
        }?.id
    }

    // MARK: Names

    /// The name from the latest link of a device, else the last name of the device as a member.
    package func name(of device: DeviceID) -> String? {
        for index in links.indices.reversed() where links[index].device == device {
            if let name = links[index].hello?.deviceName, !name.isEmpty { return name }
        }
        return names[device]
    }

    package var nameCount: Int { names.count }

    /// Remembers the name of a member's device for the time when it is away.
    ///
    /// A link learns a single name, so frequent changes of a name cost one write per link.
    ///
    /// - Returns: the name to write, if it is a new one.
    package mutating func learnName(ofMember index: Int, isOpen: Bool) -> String? {
        guard let name = links[index].hello?.deviceName,
            names.learn(name, of: links[index].device, isOpen: isOpen)
        else { return nil }
        return name
    }

    // MARK: Outboxes

    /// The kernel has taken all bytes of a link.
    package mutating func drained(_ link: LinkID) {
        guard let index = index(of: link) else { return }
        links[index].outbox.drained()
    }

    /// Counts a frame other than an envelope, its announcements, and the work of handling it.
    mutating func count(
        _ frame: Frame,
        on index: Int,
        among conversations: Int
    ) throws(Refusal) {
        figures.received(frame.type)
        links[index].charge(frame.work(among: conversations))
        guard case .have(let list) = frame, links[index].isMember else { return }
        try links[index].announcementsReceived(list.entries.count { $0.isEnvelope })
    }

    /// Hands over the gathered bytes, asks for `drained` where necessary, and reports the work.
    package mutating func handOver(into step: inout Step) {
        for index in links.indices {
            if let work = links[index].takeWork() { step.effects.work.append(work) }
            figures.sent(links[index].outbox.takeFramesAppended())
            for bytes in links[index].outbox.take() {
                step.effects.sends.append(LinkSend(link: links[index].id, bytes: bytes))
            }
            guard links[index].outbox.asksForDrain(limit: links[index].outbox.capacity) else {
                continue
            }
            step.effects.drains.append(links[index].id)
        }
        step.effects.sends += step.farewells
    }

    // MARK: Deadlines

    /// The earliest moment at which something is due on a link.
    package var deadline: Moment? {
        var next = Earliest()
        next.add(audits.due)
        next.add(mesh.deadline)
        next.add(pairings.deadline)
        for index in links.indices {
            next.add(links[index].phase.deadline)
            next.add(links[index].duplicate?.deadline)
            next.add(links[index].liveness.deadline)
            guard links[index].isLive else { continue }
            links[index].addReplicationDeadlines(to: &next)
        }
        return next.moment
    }
}

extension LinkTable: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { links.count }

    /// Reads and changes a link in place: a copy costs more than most changes.
    #if DEBUG
    // Debug builds of Swift 6.3.1 read parts of a yielded value after the access.
    package subscript(index: Int) -> Link {
        get { links[index] }
        _modify { yield &links[index] }
    }
    #else
    package subscript(index: Int) -> Link {
        _read { yield links[index] }
        _modify { yield &links[index] }
    }
    #endif
}

extension LinkTable {
    /// The indices of a replication.
    package struct ReplicationIndex: Sendable, Equatable {
        /// The index of the link.
        package let link: Int
        /// The index of the replication on the link.
        package let replication: Int

        package init(link: Int, replication: Int) {
            self.link = link
            self.replication = replication
        }
    }

    /// Reads and changes a replication in place.
    package subscript(index: ReplicationIndex) -> Replication {
        _read { yield links[index.link].replications[index.replication] }
        _modify { yield &links[index.link].replications[index.replication] }
    }

    /// The replication of a conversation on a link, if it is shared there.
    func replication(of conversation: UInt32, on link: Int) -> ReplicationIndex? {
        links[link].replication(of: conversation)
            .map { ReplicationIndex(link: link, replication: $0) }
    }

    /// The replication and the conversation for the peer's number; nil if they are not shared here.
    ///
    /// - Throws: `.unexpected` for a frame before the peer's `feed`, `.overLimit` for a number
    ///   without a tag.
    package func shared(
        _ peerNumber: UInt32,
        by type: FrameType,
        on index: Int,
        _ conversations: ConversationTable
    ) throws(Refusal) -> (replication: ReplicationIndex, conversation: Int)? {
        guard let number = try links[index].replication(ofPeerNumber: peerNumber) else {
            return nil
        }
        let replication = ReplicationIndex(link: index, replication: number)
        guard let conversation = conversations.index(of: self[replication].conversation) else {
            return nil
        }
        guard type == .feed || self[replication].hasBegun else {
            throw .unexpected(type.rawValue)
        }
        return (replication, conversation)
    }
}
