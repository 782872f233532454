import ParleyCore

/// Observes the nodes of the simulator for the expectations of a plan.
extension PlannedWorld {
    func view(_ host: HostID, _ question: PlanQuestion) -> HostView {
        let index = host.index
        let node = world.nodes[index]
        var view = HostView(host)
        view.isRunning = node.isRunning
        guard let machine = node.machine else { return view }
        if question.parts.contains(.sessions) {
            view.sessions = sessions(host, question)
        }
        if question.parts.contains(.links) {
            let members = machine.links.filter(\.isMember)
            view.links = members.filter { !$0.isSuspect }.flatMap { others($0.device, host) }
            view.peers = members.flatMap { others($0.device, host) }
        }
        if question.parts.contains(.received) {
            view.received = .total(Int(machine.links.figures.envelopesReceived))
        }
        if question.parts.contains(.closures) {
            for case .link(let notice) in node.person.deliveries {
                guard case .closed(let cause) = notice.change, !Self.isOfTwo(cause) else {
                    continue
                }
                for other in others(notice.device, host) {
                    view.closures[other, default: 0] += 1
                }
            }
        }
        if question.parts.contains(.remembered) {
            let devices = node.disk.addresses.map(\.device)
            view.remembered = plan.hostIDs.filter { other in
                other != host && devices.contains(world.nodes[other.index].device)
            }
        }
        if question.parts.contains(.refusals) {
            view.turnedAway = turnedAway(index)
            view.intrudersEnded = intrudersEnded(index)
            view.saidDuplicate = node.person.deliveries.contains {
                if case .duplicateIdentity = $0 { true } else { false }
            }
        }
        return view
    }

    /// The running hosts with this device, except the observing one.
    private func others(_ device: DeviceID, _ host: HostID) -> [HostID] {
        plan.hostIDs.filter { other in
            let node = world.nodes[other.index]
            return other != host && node.isRunning && node.device == device
        }
    }

    /// Whether the closed link was a duplicate of another link between the same nodes.
    private static func isOfTwo(_ cause: CloseCause) -> Bool {
        switch cause {
        case .said(.duplicate, _), .heard(.duplicate, _): true
        case .said, .heard, .lost: false
        }
    }

    private func turnedAway(_ node: Int) -> Int {
        world.nodes[node].person.closeCauses.count { cause in
            switch cause {
            case .said(.nothingShared, _), .heard(.nothingShared, _): true
            case .said, .heard, .lost: false
            }
        }
    }

    /// The number of links of intruders that a node ended with a reason.
    private func intrudersEnded(_ node: Int) -> Int {
        let intruders = Set(world.intruders.map(\.device))
        return world.nodes[node].person.deliveries.count { delivery in
            guard case .link(let notice) = delivery, intruders.contains(notice.device),
                case .closed(.said) = notice.change
            else { return false }
            return true
        }
    }

    // MARK: Sessions

    private func sessions(_ host: HostID, _ question: PlanQuestion) -> [SessionSight] {
        let conversation = conversations[question.conversation]
        guard let machine = world.nodes[host.index].machine,
            let number = world.number(of: conversation, at: host.index),
            let state = machine.conversations.first(where: { $0.number == number })
        else { return [] }
        let withPictures = question.parts.contains(.pictures)
        var sights: [SessionSight] = []
        for session in state.sessions {
            guard let name = world.trace.sessions[session.tag],
                let view = machine.conversation(number)?.view(session.tag),
                let shown = view.heads.first
            else { continue }
            var sight = sight(name, shown, conversation, host.index, withPictures)
            sight.others = view.heads.dropFirst().map { id($0.dot) }.sorted()
            sights.append(sight)
        }
        return sights.sorted { $0.session < $1.session }
    }

    private func sight(
        _ name: String,
        _ shown: HeadView,
        _ conversation: SimulatedConversation,
        _ node: Int,
        _ withPicture: Bool
    ) -> SessionSight {
        let key = SightKey(node: node, dot: shown.dot)
        var sight: SessionSight
        if let known = opened[key] {
            sight = known
        } else {
            sight = SessionSight(
                session: name,
                id: id(shown.dot),
                revision: shown.revision,
                url: world.text(name, in: conversation, at: node) ?? ""
            )
            if !shown.blobs.isEmpty { sight.picture = .missing }
            if let inline = world.body(name, in: conversation, at: node)?.inline {
                let expected = PlanPicture.bytes(inline.bytes.count, url: sight.url)
                sight.picture = inline.bytes.bytes == expected ? .whole : .wrong
            }
            opened[key] = sight
        }
        if withPicture, sight.picture == .missing,
            let bytes = world.opened(name, in: conversation, at: node)
        {
            let expected = PlanPicture.bytes(bytes.count, url: sight.url)
            sight.picture = bytes == expected ? .whole : .wrong
            opened[key] = sight
        }
        return sight
    }
}
