import ParleyCore

/// The slots of half-open connections at each node, which the shell keeps for a real node.
extension World {
    /// A connection arrives at a node.
    ///
    /// Sources are numbers: dialling nodes have theirs, intruders have negative ones.
    ///
    /// - Returns: whether there is a slot for it, if need be after another stranger was dropped.
    func admit(_ link: LinkID, from source: Int, at node: Int) -> Bool {
        // A Byzantine writer has no shell that would tell when a link is proved.
        guard !nodes[node].isByzantine else { return true }
        switch nodes[node].sockets.admit(link, from: source, at: now) {
        case .admitted:
            return true
        case .replaces(let stranger):
            if let wire = nodes[node].sockets.wires[stranger] {
                reset(wire)
            } else if !SimulatedNetwork.isIdle(stranger) {
                give(.linkClosed(stranger, "another stranger takes its place"), to: node)
            }
            return true
        case .turnedAway:
            return false
        }
    }

    // MARK: Idle connections

    /// How many addresses the connections of an intruder come from.
    private static let idleSources = 12
    /// How long a node waits for TLS.
    private static let idleTime = Interval.seconds(5)

    /// Opens connections to a node on which nothing is ever sent.
    package func openIdleConnections(_ count: Int, to node: Int) {
        for number in 0..<count {
            let link = network.nextIdleLink()
            guard admit(link, from: -1 - number % Self.idleSources, at: node) else { continue }
            timeline.plan(event(.idleEnds(link), at: node), after: Self.idleTime)
        }
    }

    // MARK: Intruders

    /// Gives an input after a delay if the process still runs then.
    func giveLater(_ input: NodeInput, to node: Int, after delay: Interval) {
        timeline.plan(event(.give(input), at: node), after: delay)
    }

    /// Notes an envelope with a valid signature that a Byzantine writer made.
    func noteByzantineWrite(_ bytes: Slice, in conversation: ConversationID) {
        emit(.byzantineWrite(bytes, conversation))
        // It was encoded here, so it can be decoded.
        guard let header = (try? Envelope(decoding: bytes))?.header else { return }
        byzantineSessions.insert(header.tag)
    }
}
