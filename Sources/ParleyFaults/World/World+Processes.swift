package import ParleyCore

/// Adds nodes, and starts, stops, crashes and pauses their processes.
extension World {
    @discardableResult
    package func addNode() -> Int {
        let number = nodes.count
        let letter = Unicode.Scalar(UInt8(ascii: "a") + UInt8(number % 26))
        // Beyond 26 nodes, each round of the alphabet has one letter more.
        let name = String(repeating: Character(letter), count: 1 + number / 26)
        add(Owner.node(number, named: name, settings))
        return number
    }

    func add(_ node: SimulatedNode) {
        nodes.append(node)
        network.addNode(at: "node-\(node.name)")
    }

    /// A copy of a node's data directory on another machine, not yet started.
    package func addClone(of node: Int) -> Int {
        let count = nodes.count { $0.device == nodes[node].device }
        let base = nodes[node].name.prefix { $0.isLetter }
        add(SimulatedNode(name: "\(base)\(count + 1)", cloning: nodes[node]))
        return nodes.count - 1
    }

    func startClone(of node: Int, inPlace: Bool) -> Bool {
        guard nodes.indices.contains(node), nodes.count < 24, nodes[node].disk.epoch != nil else {
            return false
        }
        let clone = addClone(of: node)
        if !inPlace { nodes[clone].disk.forgetEpoch() }
        nodes[clone].addresses = nodes[node].addresses
        introduce(clone, to: node)
        start(clone)
        return true
    }

    /// Tells `node` the address of `other`, now and at each start.
    package func introduce(
        _ node: Int,
        to other: Int,
        source: FoundAddress.Source = .configured
    ) {
        let found = FoundAddress(text: "node-\(nodes[other].name)", source: source)
        nodes[node].addresses.append(found)
        if nodes[node].isRunning { give(.addressFound(found), to: node) }
    }

    /// Tells every node the addresses of all others.
    package func introduceAll() {
        for node in nodes.indices {
            for other in nodes.indices where other != node { introduce(node, to: other) }
        }
    }

    /// Starts a node from its disk.
    package func start(_ node: Int) {
        guard !nodes[node].isRunning else { return }
        guard !nodes[node].isByzantine else { return startByzantineWriter(node) }
        let random = SeededRandom(seed: timeline.random.next())
        let effects = nodes[node].start(limits: settings.limits, random: random, at: now)
        note(node, "starts")
        emit(.started(node: node))
        execute(effects, of: node)
        for found in nodes[node].addresses { input(.addressFound(found), to: node) }
    }

    private func startByzantineWriter(_ node: Int) {
        nodes[node]
            .start(
                ByzantineWriter(
                    crypto: nodes[node].crypto,
                    conversations: settings.conversations,
                    random: SeededRandom(seed: timeline.random.next())
                )
            )
        let ids = (1...max(1, settings.conversations)).map { SimulatedConversation(UInt64($0)).id }
        emit(.intruded(nodes[node].device, ids))
        note(node, "starts as a Byzantine writer")
    }

    /// Makes a Byzantine writer break a rule.
    package func perform(_ act: ByzantineAct, by node: Int, conversation: Int) {
        guard isRunning(node), !nodes[node].isPaused,
            let performance = nodes[node].perform(act, conversation: conversation)
        else { return }
        for signed in performance.signed {
            noteByzantineWrite(signed.bytes, in: signed.conversation)
        }
        note(node, "acts Byzantine: \(act)")
        faultCounts.add(.byzantineAct)
        execute(performance.effects, of: node)
    }

    /// Restarts a node with limits of its own.
    package func restart(_ node: Int, _ limits: Limits) {
        stop(node)
        nodes[node].limits = limits
        start(node)
    }

    /// Crashes a node; the first of its pending commits may have become durable.
    package func crash(_ node: Int, losesPower: Bool = false) {
        guard nodes[node].isRunning else { return }
        let settled = nodes[node].commits
            .settled(inGroups: settings.groupsCommits, using: &timeline.random)
        write(settled, of: node)
        note(node, losesPower ? "loses its power" : "crashes")
        if losesPower {
            darken(node)
        } else {
            die(node, bytesArrive: timeline.random.chance(1, in: 2))
        }
        emit(.ended(node: node, losesPower ? .lostPower : .crashed))
    }

    /// Crashes a node between two effects, after this many further effects.
    package func crash(_ node: Int, afterSteps steps: Int) {
        nodes[node].loop.crash = SimulatedLoop.Crash(steps: steps)
    }

    /// Counts an effect of a node; returns whether the node crashed before it.
    func crashesNow(_ node: Int) -> Bool {
        guard let planned = nodes[node].loop.crashBeforeStep() else { return false }
        crash(node)
        if let down = planned.down {
            let fault = Fault.crash(node: node, power: false, down: down)
            timeline.plan(.faultEnds(fault, generation: faultGeneration), after: down)
        }
        return true
    }

    /// Shuts a node down properly.
    package func stop(_ node: Int) {
        guard nodes[node].isRunning else { return }
        note(node, "stops")
        input(.stopping, to: node)
        guard nodes[node].isRunning else { return }
        if !nodes[node].commits.isBlocked { write(nodes[node].commits.waiting[...], of: node) }
        die(node, bytesArrive: true)
        emit(.ended(node: node, .stopped))
    }

    private func die(_ node: Int, bytesArrive: Bool) {
        nodes[node].end(losesPower: false)
        for (link, wire) in nodes[node].sockets.closeAll() {
            guard let open = network.wires[wire] else { continue }
            if bytesArrive {
                let lane = open.lane(of: node, link)
                network.send(.end("the process ended"), on: open, lane: lane, settings, &timeline)
            } else if !network.isStalled(open) {
                timeline.plan(.reset(wire: wire), in: settings.wireDelay)
            }
        }
    }

    private func darken(_ node: Int) {
        nodes[node].end(losesPower: true)
        for (_, wire) in nodes[node].sockets.closeAll() { network.wires[wire]?.isDead = true }
    }

    /// Suspends a process.
    package func pause(_ node: Int) {
        nodes[node].loop.pause()
        note(node, "stands still")
    }

    /// Continues a process, with the events that were held back.
    package func resume(_ node: Int) {
        guard nodes[node].isPaused else { return }
        note(node, "goes on")
        for event in nodes[node].loop.resume() { timeline.plan(event, at: now) }
        releaseWires()
    }

    func releaseWires() { network.releaseAll(settings, &timeline) }
}
