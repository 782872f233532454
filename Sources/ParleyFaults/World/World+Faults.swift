package import ParleyCore

/// What goes wrong, and how it ends.
extension World {
    // MARK: Faults with a length

    /// Does a fault now; one with a length ends by itself.
    package func strike(_ fault: Fault) {
        hash.add(fault.kind.rawValue)
        emit(.fault(fault))
        guard begin(fault) else { return }
        faultCounts.add(fault.kind)
        guard let length = fault.length else { return }
        queue.add(.faultEnds(fault, generation: faultGeneration), at: now + length)
    }

    /// Whether there was anything to do.
    private func begin(_ fault: Fault) -> Bool {
        switch fault {
        case .crash(let node, let power, _):
            guard isRunning(node) else { return false }
            crash(node, losesPower: power)
        case .crashAfter(let node, let steps, let down):
            guard isRunning(node) else { return false }
            nodes[node].crashSteps = steps
            nodes[node].crashDown = down
        case .restart(let node, _):
            guard isRunning(node), !nodes[node].isPaused else { return false }
            stop(node)
        case .pause(let node, _, _):
            guard isRunning(node) else { return false }
            pause(node)
        case .deaf(let node, _):
            guard isRunning(node) else { return false }
            stopReading(node)
        case .cut(let from, let to, let bothWays, _): changeCuts(from, to, bothWays, by: 1)
        case .slow(let from, let to, let microseconds, _): slow(from, to, by: microseconds)
        case .reset(let one, let other): resetWires(one, other)
        case .networkChange(let node): give(.networkChanged, to: node)
        default: return beginMore(fault)
        }
        return true
    }

    private func beginMore(_ fault: Fault) -> Bool {
        switch fault {
        case .disk(let node, let failure, let commits, _):
            guard nodes.indices.contains(node) else { return false }
            nodes[node].trouble = DiskTrouble(failure, after: commits)
        case .diskStall(let node, _):
            guard isRunning(node) else { return false }
            stopCommitting(node)
        case .lostRow(let node, let pick): return damage(node, pick) { $0.lose($1) }
        case .damagedRow(let node, let pick): return damage(node, pick) { $0.damage($1) }
        case .damagedBlob(let node, let pick):
            guard nodes.indices.contains(node), let blob = nodes[node].disk.blob(pick: pick) else {
                return false
            }
            nodes[node].disk.spoil(blob)
        case .backup(let node):
            guard nodes.indices.contains(node) else { return false }
            nodes[node].backup = Backup(
                disk: nodes[node].disk,
                nextConversation: nodes[node].nextConversation
            )
        case .restore(let node, let inPlace): return restore(node, inPlace: inPlace)
        case .clone(let node, let inPlace): return startClone(of: node, inPlace: inPlace)
        case .wallClock(let node, let milliseconds):
            guard nodes.indices.contains(node) else { return false }
            nodes[node].wallOffset += milliseconds
        case .clockRate(let node, let rate): return changeClock(node, rate)
        default: return false
        }
        return true
    }

    func end(_ fault: Fault) {
        switch fault {
        case .crash(let node, _, _), .crashAfter(let node, _, _), .restart(let node, _): start(node)
        case .pause(let node, let sleep, _):
            resume(node)
            if sleep, isRunning(node) { input(.networkChanged, to: node) }
        case .deaf(let node, _): resumeReading(node)
        case .cut(let from, let to, let bothWays, _): changeCuts(from, to, bothWays, by: -1)
        case .slow(let from, let to, let microseconds, _): slow(from, to, by: -microseconds)
        case .disk(let node, _, _, _): nodes[node].trouble = nil
        case .diskStall(let node, _): resumeCommitting(node)
        default: break
        }
    }

    /// Ends all faults, and starts every node that is not running; what was on its way arrives or
    /// its connection breaks.
    package func calm(keepsBytes: Bool = true) {
        faultGeneration += 1
        settings.breaksPer10000 = 0
        settings.dialFailuresPer100 = 0
        settings.halfDialsPer100 = 0
        heal(keepsBytes: keepsBytes)
        for from in nodes.indices {
            for to in nodes.indices { paths[from][to].slowness = 0 }
        }
        for node in nodes.indices {
            nodes[node].trouble = nil
            nodes[node].crashSteps = nil
            resume(node)
            start(node)
            resumeReading(node)
            resumeCommitting(node)
        }
        emit(.calm)
    }

    func isRunning(_ node: Int) -> Bool {
        nodes.indices.contains(node) && nodes[node].isRunning
    }

    // MARK: Nodes come and go

    @discardableResult
    package func addNode() -> Int {
        let number = nodes.count
        let letter = Unicode.Scalar(UInt8(ascii: "a") + UInt8(number % 26))
        add(SimulatedNode(name: String(Character(letter)), key: UInt64(number) + 1))
        return number
    }

    func add(_ node: SimulatedNode) {
        nodes.append(node)
        for index in paths.indices { paths[index].append(Path()) }
        paths.append(Array(repeating: Path(), count: nodes.count))
    }

    /// A copy of a node's data directory on another machine, not yet started.
    package func addClone(of node: Int) -> Int {
        let count = nodes.count { $0.device == nodes[node].device }
        let base = nodes[node].name.prefix { $0.isLetter }
        let clone = SimulatedNode(name: "\(base)\(count + 1)", copying: nodes[node].crypto)
        clone.disk = nodes[node].disk
        clone.limits = nodes[node].limits
        clone.defects = nodes[node].defects
        clone.nextConversation = nodes[node].nextConversation
        add(clone)
        return nodes.count - 1
    }

    private func startClone(of node: Int, inPlace: Bool) -> Bool {
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

    /// Tells `node` the address of `other`, now and whenever it starts.
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
        nodes[node].beginProcess()
        guard !nodes[node].isLiar else { return startLiar(node) }
        var configuration = NodeConfiguration(
            deviceName: nodes[node].name,
            software: "test 1",
            limits: nodes[node].limits ?? settings.limits
        )
        configuration.defects = nodes[node].defects
        configuration.wireVersions = nodes[node].wireVersions
        var machine = Machine(
            configuration: configuration,
            crypto: nodes[node].crypto,
            random: SeededRandom(seed: random.next()),
            recovery: nodes[node].disk.recovery
        )
        for row in nodes[node].disk.sortedRows { machine.recover(row) }
        let effects = machine.start(at: nodes[node].clock.moment(at: now))
        nodes[node].machine = machine
        note(node, "starts")
        emit(.started(node: node))
        execute(effects, of: node)
        for found in nodes[node].addresses { input(.addressFound(found), to: node) }
    }

    private func startLiar(_ node: Int) {
        nodes[node].liar = Liar(
            crypto: nodes[node].crypto,
            conversations: settings.conversations,
            random: SeededRandom(seed: random.next())
        )
        let ids = (1...max(1, settings.conversations)).map { SimulatedConversation(UInt64($0)).id }
        emit(.intruded(nodes[node].device, ids))
        note(node, "starts, and lies")
    }

    /// A liar lies.
    package func lie(_ lie: Lie, by node: Int, conversation: Int) {
        guard isRunning(node), !nodes[node].isPaused,
            let effects = nodes[node].liar?.tell(lie, conversation: conversation)
        else { return }
        for signed in nodes[node].liar?.takeSigned() ?? [] {
            noteLie(signed.bytes, in: signed.conversation)
        }
        note(node, "lies: \(lie)")
        faultCounts.add(.lie)
        execute(effects, of: node)
    }

    /// Stops a node and starts it with limits of its own.
    package func restart(_ node: Int, _ limits: Limits) {
        stop(node)
        nodes[node].limits = limits
        start(node)
    }

    /// Ends a node without a word: of its unfinished commits the first ones may have been done.
    package func crash(_ node: Int, losesPower: Bool = false) {
        guard nodes[node].isRunning else { return }
        settleDisk(of: node)
        note(node, losesPower ? "loses its power" : "crashes")
        if losesPower {
            darken(node)
        } else {
            die(node, bytesArrive: random.chance(1, in: 2))
        }
        emit(.ended(node: node, losesPower ? .lostPower : .crashed))
    }

    /// Crashes a node between two effects, after so many more of its.
    package func crash(_ node: Int, afterSteps steps: Int) {
        nodes[node].crashSteps = steps
        nodes[node].crashDown = nil
    }

    /// Counts an effect of a node; tells whether it crashed before it.
    func crashesNow(_ node: Int) -> Bool {
        guard let left = nodes[node].crashSteps else { return false }
        nodes[node].crashSteps = left - 1
        guard left == 0 else { return false }
        nodes[node].crashSteps = nil
        crash(node)
        if let down = nodes[node].crashDown {
            let fault = Fault.crash(node: node, power: false, down: down)
            queue.add(.faultEnds(fault, generation: faultGeneration), at: now + down)
        }
        return true
    }

    /// Ends a node in an orderly way.
    package func stop(_ node: Int) {
        guard nodes[node].isRunning else { return }
        note(node, "stops")
        input(.stopping, to: node)
        guard nodes[node].isRunning else { return }
        if !nodes[node].isBlocked {
            for persist in nodes[node].uncommitted {
                nodes[node].disk.apply(persist.writes)
                emit(.persisted(node: node, persist))
            }
        }
        die(node, bytesArrive: true)
        emit(.ended(node: node, .stopped))
    }

    private func die(_ node: Int, bytesArrive: Bool) {
        nodes[node].endProcess()
        for (link, wire) in nodes[node].wires.sorted(by: { $0.key < $1.key }) {
            if bytesArrive {
                closeEnd(link, of: node, "the process ended")
            } else if let open = wires[wire], !isStalled(open, lane: 0), !isStalled(open, lane: 1) {
                schedule(.reset(wire: wire), in: settings.wireDelay)
            }
        }
        nodes[node].wires = [:]
    }

    private func darken(_ node: Int) {
        nodes[node].endProcess()
        nodes[node].isWithoutPower = true
        for wire in nodes[node].wires.values.sorted() { wires[wire]?.isDead = true }
        nodes[node].wires = [:]
    }

    /// A process stands still.
    package func pause(_ node: Int) {
        nodes[node].isPaused = true
        note(node, "stands still")
    }

    /// A process goes on, with what happened to it meanwhile.
    package func resume(_ node: Int) {
        guard nodes[node].isPaused else { return }
        nodes[node].isPaused = false
        note(node, "goes on")
        let held = nodes[node].heldEvents
        nodes[node].heldEvents = []
        for event in held { queue.add(event, at: now) }
        releaseWires()
    }

    private func releaseWires() {
        for number in wires.keys.sorted() { release(number) }
    }

    // MARK: Disks and clocks

    private func damage(
        _ node: Int,
        _ pick: UInt64,
        _ body: (inout SimulatedDisk, SessionTag) -> Void
    ) -> Bool {
        guard nodes.indices.contains(node), let tag = nodes[node].disk.tag(pick: pick) else {
            return false
        }
        let wasRunning = nodes[node].isRunning
        crash(node)
        body(&nodes[node].disk, tag)
        note(node, "loses \(word(tag)) from its disk")
        if wasRunning { start(node) }
        return true
    }

    private func restore(_ node: Int, inPlace: Bool) -> Bool {
        guard nodes.indices.contains(node), let backup = nodes[node].backup else { return false }
        let wasRunning = nodes[node].isRunning
        crash(node)
        nodes[node].disk = backup.disk
        nodes[node].nextConversation = backup.nextConversation
        if !inPlace { nodes[node].disk.forgetEpoch() }
        note(node, "has its backup restored")
        if wasRunning { start(node) }
        return true
    }

    private func changeClock(_ node: Int, _ rate: Int64) -> Bool {
        guard nodes.indices.contains(node) else { return false }
        nodes[node].clock.run(at: rate, from: now)
        // What was asked for comes at another moment now.
        if isRunning(node) { give(.timer, to: node) }
        return true
    }

    // MARK: The network

    /// Whether two nodes can open a connection.
    package func canReach(_ one: Int, _ other: Int) -> Bool {
        !paths[one][other].isCut && !paths[other][one].isCut
    }

    /// Nothing passes between two nodes any more, and neither is told.
    package func cut(_ one: Int, _ other: Int) {
        paths[one][other].cuts = 1
        paths[other][one].cuts = 1
    }

    /// Cuts `nodes` off from all others.
    package func isolate(_ island: [Int]) {
        for node in island {
            for other in nodes.indices where !island.contains(other) { cut(node, other) }
        }
    }

    /// Everybody reaches everybody; what was on its way arrives, or its connection breaks.
    package func heal(keepsBytes: Bool = true) {
        let stalled = wires.keys.sorted().filter { number in
            wires[number].map { isStalled($0, lane: 0) || isStalled($0, lane: 1) } ?? false
        }
        for from in nodes.indices {
            for to in nodes.indices { paths[from][to].cuts = 0 }
        }
        for number in stalled {
            let isWhole = wires[number]?.ends.allSatisfy { isLive($0.node, $0.process) } ?? false
            if keepsBytes, isWhole {
                release(number)
            } else {
                schedule(.reset(wire: number), in: settings.wireDelay)
            }
        }
    }

    /// Everybody can connect to everybody; what was stuck stays so.
    package func uncut() {
        for from in nodes.indices {
            for to in nodes.indices { paths[from][to].cuts = 0 }
        }
    }

    /// Two nodes reach one another again; what was on its way arrives.
    package func mend(_ one: Int, _ other: Int) {
        paths[one][other].cuts = 0
        paths[other][one].cuts = 0
        for number in wires.keys.sorted() where wires[number]?.joins(one, other) == true {
            release(number)
        }
    }

    private func changeCuts(_ from: [Int], _ to: [Int], _ bothWays: Bool, by change: Int) {
        for one in from {
            for other in to where one != other {
                guard nodes.indices.contains(one), nodes.indices.contains(other) else { continue }
                paths[one][other].cuts = max(0, paths[one][other].cuts + change)
                guard bothWays else { continue }
                paths[other][one].cuts = max(0, paths[other][one].cuts + change)
            }
        }
        if change < 0 { releaseWires() }
    }

    private func slow(_ from: [Int], _ to: [Int], by microseconds: Int64) {
        for one in from {
            for other in to where one != other {
                guard nodes.indices.contains(one), nodes.indices.contains(other) else { continue }
                paths[one][other].slowness = max(0, paths[one][other].slowness + microseconds)
            }
        }
    }

    /// Breaks the connections between two nodes.
    package func resetWires(_ one: Int, _ other: Int) {
        for number in wires.keys.sorted() where wires[number]?.joins(one, other) == true {
            reset(number)
        }
    }

    /// A node takes nothing that arrives any more.
    package func stopReading(_ node: Int) {
        nodes[node].isReading = false
    }

    /// A node takes what arrived and what will.
    package func resumeReading(_ node: Int) {
        nodes[node].isReading = true
        releaseWires()
    }
}

extension Fault {
    /// How long it lasts; nil if it has no end or is over at once.
    package var length: Interval? {
        switch self {
        case .crash(_, _, let length), .restart(_, let length), .pause(_, _, let length),
            .deaf(_, let length), .cut(_, _, _, let length), .slow(_, _, _, let length),
            .disk(_, _, _, let length), .diskStall(_, let length):
            length
        case .crashAfter, .reset, .networkChange, .lostRow, .damagedRow, .damagedBlob, .backup,
            .restore, .clone, .wallClock, .clockRate:
            nil
        }
    }
}
