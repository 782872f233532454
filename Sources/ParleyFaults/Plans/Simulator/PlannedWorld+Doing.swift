import ParleyCore

/// Carries out the steps of a plan in the simulator.
extension PlannedWorld {
    /// Carries out an action, which may take virtual time.
    ///
    /// - Returns: the reason why the action is impossible, nil if it was done.
    func perform(_ act: PlanAct) -> String? {
        switch act {
        case .send(let messages): return send(messages)
        case .batch(let batch):
            let process = world.nodes[batch.by.index].process
            batches.append(SimulatedBatch(batch, process: process, start: now))
            pumpBatches()
            return batch.isMeanwhile ? nil : finish()
        case .finish: return finish()
        case .fault(.intrude(let intrusion)): return intrude(intrusion)
        case .fault(let fault): perform(fault)
        // Plans with programs are refused before the run.
        case .run: return "the simulator runs no programs"
        case .expect, .pass, .count: break
        }
        return nil
    }

    // MARK: Messages

    private func send(_ messages: [PlanMessage]) -> String? {
        var requests: [RequestID] = []
        for message in messages {
            var draft = World.Draft(session: message.session, text: message.url)
            let conversation = conversations[message.conversation]
            draft.next = message.next.map { world.participant($0.index, in: conversation) }
            draft.summary = message.summary
            draft.following = message.deliveries > 0 ? .awaited : .no
            if case .named(let name) = message.replacing {
                guard let dot = run.book.named[name].flatMap({ dots[$0] }) else {
                    return "\(name) was never stored"
                }
                draft.replacing = [dot]
            }
            if message.pictureBytes > 0 {
                let bytes = PlanPicture.bytes(message.pictureBytes, url: message.url)
                draft.picture = InlinePicture(type: "image/png", bytes: Slice(bytes))
            }
            requests += world.send([draft], by: message.by.index, in: conversation)
        }
        let areAnswered = advance(upTo: Self.patience) {
            requests.allSatisfy { world.answer($0) != nil }
        }
        guard areAnswered else { return "no answer after \(Self.patience.words)" }
        for (message, request) in zip(messages, requests) {
            if let failure = run.answered(message, outcome(request)) { return failure }
            if let failure = awaitDelivery(message, request) { return failure }
        }
        return nil
    }

    private func outcome(_ request: RequestID) -> PlanOutcome {
        switch world.answer(request) {
        case .stored(let message)?: .stored(id: id(message.dot), revision: message.revision)
        case .stale?: .refused("stale")
        case .notYourTurn?: .refused("notYourTurn")
        case .notPlayable?: .refused("notPlayable")
        case .tooLarge?: .refused("tooLarge")
        case .storeFull?: .refused("storeFull")
        case .sessionFull?: .refused("sessionFull")
        case .conversationFull(.allConversations, _)?: .refused("storeFull")
        case .conversationFull?: .refused("conversationFull")
        case .readOnly?: .refused("readOnly")
        case .unknownConversation?: .refused("unknownConversation")
        case .notMember?: .refused("notMember")
        case .unknownGuest?: .refused("unknownGuest")
        case .malformed?: .refused("badDraft")
        case nil: .refused("notYet")
        }
    }

    private func awaitDelivery(_ message: PlanMessage, _ request: RequestID) -> String? {
        guard message.deliveries > 0 else { return nil }
        let node = message.by.index
        let isDelivered = advance(upTo: Self.patience) {
            world.nodes[node].person.deliveries.count { delivery in
                guard case .delivered(request, let count) = delivery else { return false }
                return count >= message.deliveries
            } > 0
        }
        return isDelivered ? nil : "not on \(message.deliveries) nodes after \(Self.patience.words)"
    }

    private func finish() -> String? {
        let limit = Interval.seconds(120)
        let areOver = advance(upTo: limit) { batches.allSatisfy(\.isOver) }
        return areOver ? nil : "a batch has not ended after \(limit.words)"
    }

    /// The text that stands for a message.
    func id(_ dot: Dot) -> String {
        let words = dot.origin.value.words
        let id = "\(words.0)-\(words.1)-\(dot.sequence)"
        dots[id] = dot
        return id
    }

    // MARK: Faults

    private func perform(_ fault: PlanFault) {
        switch fault {
        case .close(let paths): close(paths)
        case .open(let paths): open(paths)
        case .heal(let hosts, let paths):
            for host in hosts { changePaths(of: host) { $0.lossPer10000 = 0 } }
            open(paths)
        case .slow(let host, let bits): changePaths(of: host) { $0.rate = bits / 8 }
        case .loss(let host, let share): changePaths(of: host) { $0.lossPer10000 = share }
        case .delay(let host, let by):
            changePaths(of: host) { $0.slowness = by.nanoseconds / 1_000 }
        case .reorder(let host, let most):
            changePaths(of: host) { $0.jitter = most.nanoseconds / 1_000 }
        case .stop(let host): world.stop(host.index)
        case .kill(let host): world.crash(host.index)
        case .start(let host): start(host)
        case .pause(let host): world.pause(host.index)
        case .resume(let host): world.resume(host.index)
        case .avahi(let host, let act):
            hosts[host.index].hasAvahi = Self.isUp(after: act)
            meet()
        case .bus(let host, let act):
            hosts[host.index].hasBus = Self.isUp(after: act)
            // The avahi-daemon ends together with its bus.
            if act != .resume { hosts[host.index].hasAvahi = false }
            meet()
        case .clone, .backup, .restore, .fillDisk, .freeDisk, .clock: performOnDisk(fault)
        // The step itself injects intruders; a plan with the others is refused before.
        case .intrude, .program, .duplicate: break
        }
    }

    private func intrude(_ planned: PlanIntrusion) -> String? {
        guard world.network.canReach(planned.by.index, planned.at.index) else {
            return "\(plan.name(planned.at)) cannot be reached from \(plan.name(planned.by))"
        }
        var intrusion = Intrusion(
            planned.kind,
            node: planned.at.index,
            other: planned.at.index,
            pick: UInt64(world.intruders.count) + 1
        )
        intrusion.bytes = planned.bytes ?? []
        intrusion.stay = .seconds(60)
        let name = planned.manner.rawValue
        return world.intrude(intrusion) ? nil : "there is no occasion for a \(name)"
    }

    private static func isUp(after act: PlanFault.DaemonAct) -> Bool {
        switch act {
        case .kill, .stop, .hang: false
        case .start, .restart, .resume: true
        }
    }

    private func performOnDisk(_ fault: PlanFault) {
        switch fault {
        case .clone(let source, let target):
            let original = world.nodes[source.index]
            let name = plan.name(target)
            let clone = SimulatedNode(name: name, cloning: original)
            clone.disk.forgetEpoch()
            world.nodes[target.index] = clone
            hosts[target.index].wasJoined = true
        case .backup(let host): world.strike(.backup(node: host.index))
        case .restore(let host): world.strike(.restore(node: host.index, inPlace: false))
        case .fillDisk(let host):
            world.nodes[host.index].commits.trouble = DiskTrouble(.full, after: 0)
        case .freeDisk(let host): world.nodes[host.index].commits.trouble = nil
        case .clock(let host, let by):
            world.strike(.wallClock(node: host.index, milliseconds: by.milliseconds))
        default: break
        }
    }

    func close(_ paths: Set<HostPath>) {
        for path in paths {
            world.network.change(from: [path.from.index], to: [path.to.index]) { $0.cuts = 1 }
        }
    }

    private func changePaths(of host: HostID, _ change: (inout Path) -> Void) {
        world.network.change(between: [host.index], and: Array(world.nodes.indices), change)
    }

    private func open(_ paths: Set<HostPath>) {
        let stalled = world.network.stalled
        for path in paths {
            world.network.change(from: [path.from.index], to: [path.to.index]) { $0.cuts = 0 }
        }
        for number in stalled {
            guard let wire = world.network.wires[number] else { continue }
            if wire.ends.allSatisfy(world.isLive) {
                world.release(number)
            } else if !world.network.isStalled(wire) {
                world.reset(number)
            }
        }
        meet()
    }

    // MARK: Nodes

    /// Starts a node; the first time it joins its conversations.
    func start(_ host: HostID) {
        let index = host.index
        world.nodes[index].addresses = plan.host(host).peers.map { peer in
            FoundAddress(text: "node-\(plan.name(peer))", source: .configured)
        }
        hosts[index].found = []
        for other in hosts.indices { hosts[other].found.remove(host) }
        world.start(index)
        meet()
        guard !hosts[index].wasJoined else { return }
        hosts[index].wasJoined = true
        for (number, conversation) in plan.conversations.enumerated() {
            guard let role = conversation.role(of: host) else { continue }
            world.join(conversations[number], [index], as: Self.role(role))
        }
    }

    private static func role(_ role: PlanRole) -> Capability.Role {
        switch role {
        case .writer: .writer
        case .reader: .reader
        case .relay: .relay
        }
    }

    /// Tells each node the addresses of the announced nodes that it can hear.
    private func meet() {
        for one in plan.hostIDs where hosts[one.index].isAnnounced && world.isRunning(one.index) {
            for other in plan.hostIDs where other != one {
                guard hosts[other.index].isAnnounced, world.isRunning(other.index),
                    world.network.canReach(one.index, other.index),
                    hosts[one.index].found.insert(other).inserted
                else { continue }
                world.introduce(one.index, to: other.index, source: .discovered)
            }
        }
    }
}
