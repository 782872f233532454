/// The links of a node, and the decisions on which devices have links.
package struct LinkTable: Sendable {
    /// The links themselves, and all that concerns nothing but links.
    package var all: LinkList
    private var names: DeviceNames
    /// The traffic of all links since the start.
    package internal(set) var figures = NodeFigures()
    /// Whether the node stops, so that no more links are opened.
    package internal(set) var isStopping = false
    /// The encoded segments of feeds that some link has yet to send.
    package var segments = SegmentCache()
    /// The members that need a link.
    package internal(set) var mesh: Mesh
    /// The choice of members that get slots.
    var slots = MemberSlots()
    /// Members that broke the protocol.
    var refused = RefusedPeers()
    /// Pairings, which links to members and to strangers carry.
    package internal(set) var pairings: PairingTable
    /// The devices to which there may be links.
    package internal(set) var gate: DeviceGate
    /// When to compare stores with the peers next.
    package internal(set) var audits = AuditTimer()

    /// A table without links of the process `own`.
    package init(own: LinkList.Process, names: DeviceNames, gate: DeviceGate = DeviceGate()) {
        self.gate = gate
        all = LinkList(own: own)
        mesh = Mesh(of: own.device)
        pairings = PairingTable(of: own.device)
        self.names = names
    }

    /// Devices with a link that answers, and devices in the passive view, by the first eight bytes
    /// of the IDs.
    package var linkedHints: [UInt64] {
        var hints = mesh.passiveView.hints
        for index in indices where !self[index].liveness.isSuspect {
            hints.append(self[index].device.hint)
        }
        return hints
    }

    // MARK: Names

    /// The name from the latest link of a device, else the last name of the device as a member.
    package func name(of device: DeviceID) -> String? {
        for index in indices.reversed() where self[index].device == device {
            if let name = self[index].hello?.deviceName, !name.isEmpty { return name }
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
        guard let name = self[index].hello?.deviceName,
            names.learn(name, of: self[index].device, isOpen: isOpen)
        else { return nil }
        return name
    }

    // MARK: Outboxes

    /// Counts a frame other than an envelope, its announcements, and the work of handling it.
    mutating func count(
        _ frame: Frame,
        on index: Int,
        among conversations: Int
    ) throws(Refusal) {
        figures.received(frame.type)
        self[index].charge(frame.work(among: conversations))
        guard case .have(let list) = frame, self[index].isMember else { return }
        try self[index].announcementsReceived(list.entries.count { $0.isEnvelope })
    }

    /// Hands over the gathered bytes, asks for `drained` where necessary, and reports the work.
    package mutating func handOver(into step: inout Step) {
        for index in indices {
            figures.sent(self[index].outbox.takeFramesAppended())
            self[index].handOver(into: &step)
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
        for index in indices { self[index].addDeadlines(to: &next) }
        return next.moment
    }
}

extension LinkTable: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { all.endIndex }

    #if DEBUG
    // Debug builds of Swift 6.3.1 read parts of a yielded value after the access.
    package subscript(index: Int) -> Link {
        get { all[index] }
        _modify { yield &all[index] }
    }

    package subscript(index: ReplicationIndex) -> Replication {
        get { all[index] }
        _modify { yield &all[index] }
    }
    #else
    package subscript(index: Int) -> Link {
        _read { yield all[index] }
        _modify { yield &all[index] }
    }

    package subscript(index: ReplicationIndex) -> Replication {
        _read { yield all[index] }
        _modify { yield &all[index] }
    }
    #endif
}
