import ParleyCore

/// Draws a scenario from a seed: the kinds of faults, their severity and rate, and the workload.
///
/// Not every run has every kind of fault: many runs that each specialize find more than one uniform
/// mix does (swarm testing). The ranges are those of TigerBeetle's simulator, for a local network.
struct Swarm {
    var random: SeededRandom
    let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed &* 0x2545_f491_4f6c_dd1d &+ 0x1234_5678)
    }

    mutating func scenario(_ options: SimulationOptions) -> Scenario {
        let drawnNodes = nodes()
        let nodes = options.nodes ?? (options.isBrief ? min(drawnNodes, 5) : drawnNodes)
        let length = between(8_000...80_000)
        let drawnChaos = Interval.milliseconds(options.isBrief ? length / 12 : length)
        var scenario = Scenario(
            settings: settings(),
            nodes: nodes,
            chaos: options.chaos ?? drawnChaos
        )
        // Now and then the idle phase is long enough for idle links to be wrongly taken for dead.
        if seed % 8 == 7 { scenario.idle = .seconds(40) }
        scenario.keepsBytes = chance(1, in: 2)
        scenario.settings.limits = limits()
        if nodes > 2, chance(1, in: 5) { scenario.byzantineNodes = [nodes - 1] }
        if chance(1, in: 5) { scenario.newerNodes = [0] }
        var workload = WorkloadMix(
            nodes: nodes,
            end: scenario.chaos,
            isEndless: seed % 16 == 13,
            random: fork()
        )
        var faults = FaultMix(nodes: nodes, end: scenario.chaos, random: fork())
        var intrusions = IntrusionMix(nodes: nodes, end: scenario.chaos, random: fork())
        scenario.actions = workload.actions() + faults.actions() + intrusions.actions()
        addRot(to: &scenario)
        for node in scenario.byzantineNodes {
            scenario.actions += byzantineActs(of: node, until: scenario.chaos)
        }
        let hasBursts = addCrowds(to: &scenario)
        // Some damage is found only by two audits, half a minute apart: rows that vanished from a
        // disk, contradictory claims of a Byzantine writer about an envelope, and the reuse of feed
        // positions by an unnoticed copy of a data directory.
        let needsAudits = scenario.actions.contains { scheduled in
            switch scheduled.action {
            case .fault(.lostRow), .byzantine: true
            case .intrude(let intrusion):
                ![.announces, .floods, .inventsGuests, .signals, .knocks, .returns]
                    .contains(intrusion.kind)
            // A device that is out finds other links first, and one that was away its new keys.
            case .rotate: true
            case .fault(.restore(_, let inPlace)), .fault(.clone(_, let inPlace)): inPlace
            default: false
            }
        }
        if needsAudits || hasBursts { scenario.convergenceLimit = .seconds(150) }
        // A separate generator leaves all other draws of a seed unchanged.
        let idleRandom = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 &+ 1)
        var idle = IdleMix(nodes: nodes, end: scenario.chaos, random: idleRandom)
        scenario.actions += idle.actions()
        scenario.actions = scenario.actions.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        if chance(2, in: 3), !options.isBrief, options.chaos == nil { addLull(to: &scenario) }
        return scenario
    }

    /// Lets disks damage blobs in every fourth run, in which pictures are sent, and all nodes look
    /// for damage more often than real ones do.
    ///
    /// The faults come from random numbers of their own, so that the other draws of a seed stay.
    private func addRot(to scenario: inout Scenario) {
        var own = SeededRandom(seed: seed ^ 0x726f_7421)
        scenario.settings.limits.scrubPause = .seconds(Int64.random(in: 2...8, using: &own))
        scenario.settings.limits.scrubBytesPerSecond = 16 << 20
        guard own.chance(1, in: 4) else { return }
        var rot = FaultMix(
            nodes: scenario.nodes,
            end: scenario.chaos,
            random: SeededRandom(seed: own.next())
        )
        scenario.actions += rot.rot()
        var pictures = PictureMix(
            nodes: scenario.nodes,
            end: scenario.chaos,
            random: SeededRandom(seed: own.next())
        )
        scenario.actions += pictures.actions()
        // A node may have to find the damage first, with a slow clock, and then to wait for its
        // turn to ask again.
        scenario.convergenceLimit = .seconds(90)
    }

    /// Adds strangers that announce themselves, floods, guests, and bursts, by random numbers of
    /// their own.
    ///
    /// - Returns: whether there are bursts, which take their time to arrive everywhere.
    private func addCrowds(to scenario: inout Scenario) -> Bool {
        let (nodes, end) = (scenario.nodes, scenario.chaos)
        var announcers = AnnouncerMix(nodes: nodes, end: end, random: SeededRandom(seed: ~seed))
        scenario.actions += announcers.draw(&scenario.settings.limits)
        var floods = FloodMix(nodes: nodes, end: end, seed: seed)
        scenario.actions += floods.draw(&scenario.settings)
        var guests = GuestMix(nodes: nodes, end: end, seed: seed)
        scenario.actions += guests.draw(&scenario.settings.limits)
        var matches = MatchMix(nodes: nodes, end: end, seed: seed)
        scenario.actions += matches.actions()
        var signals = SignalMix(nodes: nodes, end: end, seed: seed)
        scenario.actions += signals.actions()
        var knocks = KnockMix(nodes: nodes, end: end, seed: seed)
        scenario.actions += knocks.actions()
        var room = RoomMix(nodes: nodes - scenario.byzantineNodes.count, end: end, seed: seed)
        let changes = room.actions()
        scenario.actions += changes
        scenario.settings.ownedNodes = changes.isEmpty ? 0 : 2
        var bursts = BurstMix(nodes: nodes, end: end, seed: seed)
        let actions = bursts.actions()
        scenario.actions += actions
        return !actions.isEmpty
    }

    /// Inserts a pause in which no action begins, as when people go to lunch.
    ///
    /// In the pause, earlier faults continue, idle links time out, audits happen, and back-off
    /// grows.
    private mutating func addLull(to scenario: inout Scenario) {
        let start = between(0...scenario.chaos.milliseconds)
        let length = between(10_000...120_000)
        scenario.chaos = .milliseconds(scenario.chaos.milliseconds + length)
        for index in scenario.actions.indices {
            let time = scenario.actions[index].time.milliseconds
            guard time >= start else { continue }
            scenario.actions[index].time = .milliseconds(time + length)
        }
    }

    /// Acts of a Byzantine writer at random times, of a few kinds or of all.
    private mutating func byzantineActs(of node: Int, until end: Interval) -> [ScheduledAction] {
        let all = ByzantineAct.allCases
        let kinds = chance(1, in: 3) ? all : (0..<3).map { _ in all[Int(between(0...13))] }
        let pace = between(100...3_000)
        var actions: [ScheduledAction] = []
        var time = between(200...3_000)
        while time < end.milliseconds {
            let act = kinds[Int(between(0...Int64(kinds.count - 1)))]
            let conversation = chance(1, in: 6) ? 2 : 1
            let action = Action.byzantine(node: node, conversation: conversation, act)
            actions.append(ScheduledAction(.milliseconds(time), action))
            time += between(1...2 * pace)
        }
        return actions
    }

    // MARK: Drawing

    private mutating func fork() -> SeededRandom { SeededRandom(seed: random.next()) }

    private mutating func chance(_ count: Int, in total: Int) -> Bool {
        random.chance(count, in: total)
    }

    private mutating func between(_ range: ClosedRange<Int64>) -> Int64 {
        Int64.random(in: range, using: &random)
    }

    /// Mostly few nodes: three nodes suffice for most mistakes.
    private mutating func nodes() -> Int {
        switch between(0...9) {
        case 0: 2
        case 1...5: Int(between(3...4))
        case 6...8: Int(between(5...8))
        default: Int(between(9...16))
        }
    }

    private mutating func settings() -> WorldSettings {
        var settings = WorldSettings()
        settings.seed = seed
        settings.remembers = false
        settings.groupsCommits = true
        let least = chance(1, in: 3) ? between(0...30_000) : between(50...1_000)
        settings.wireDelay = least...least + between(0...2_000)
        settings.wireDelayMean = chance(1, in: 2) ? between(200...5_000) : between(5_000...60_000)
        settings.commitDelay = 200...between(500...4_000)
        settings.commitDelayMean =
            chance(1, in: 5) ? between(20_000...500_000) : between(500...10_000)
        settings.kernelBytes = chance(1, in: 3) ? 0 : Int(between(2_000...400_000))
        settings.iterationDelay = chance(1, in: 4) ? 0 : between(20...4_000)
        if chance(1, in: 4) { settings.bandwidth = Int(between(20_000...2_000_000)) }
        if chance(1, in: 3) { settings.breaksPer10000 = Int(between(1...40)) }
        if chance(1, in: 3) { settings.dialFailuresPer100 = Int(between(1...30)) }
        if chance(1, in: 4) { settings.halfDialsPer100 = Int(between(1...20)) }
        settings.cutsBytes = chance(2, in: 3)
        return settings
    }

    private mutating func limits() -> Limits {
        var limits = Limits()
        if chance(1, in: 4) { limits.cacheBytes = Int(between(0...8_000)) }
        if chance(1, in: 5) { limits.outboxBytes = Int(between(400...16_000)) }
        if chance(1, in: 8) { limits.commitQueueBytes = Int(between(4_000...60_000)) }
        return limits
    }
}

extension Scenario {
    /// The scenario that follows from a seed.
    package init(seed: UInt64, options: SimulationOptions = SimulationOptions()) {
        var swarm = Swarm(seed: seed)
        self = swarm.scenario(options)
    }
}
