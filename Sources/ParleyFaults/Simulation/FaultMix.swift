import ParleyCore

/// Draws the faults of a run: some families of faults, each at its own rate.
struct FaultMix {
    private enum Family: Int, CaseIterable {
        case crashes, crashesBetweenEffects, powerLosses, restarts, pauses, deafness
        case partitions, oneWayCuts, flapping, swizzle, slowness, resets, networkChanges
        case fullDisks, failingDisks, stalledDisks, damage, copies, clocks
    }

    private let nodes: Int
    private let end: Interval
    private var random: SeededRandom
    private var drawn: [ScheduledAction] = []

    init(nodes: Int, end: Interval, random: SeededRandom) {
        self.nodes = nodes
        self.end = end
        self.random = random
    }

    mutating func actions() -> [ScheduledAction] {
        for family in Family.allCases where random.chance(rarity(family), in: 100) {
            // The rate is between one fault in a run and several per second.
            let pace =
                random.chance(1, in: 4)
                ? between(300...1_500) : between(1_500...max(1_501, end.milliseconds))
            var time = between(0...pace)
            while time < end.milliseconds {
                add(family, at: time)
                time += between(pace / 2...pace * 2)
            }
        }
        return drawn
    }

    /// Bits that change in stored blobs: some in a run, on every disk.
    mutating func rot() -> [ScheduledAction] {
        let pace = between(500...max(501, end.milliseconds / 2))
        var time = between(0...pace)
        while time < end.milliseconds {
            add(.damagedBlob(node: node(), pick: random.next()), at: time)
            time += between(pace / 2...pace * 2)
        }
        return drawn
    }

    /// The percentage of runs that have faults of this family.
    private func rarity(_ family: Family) -> Int {
        switch family {
        case .crashes, .crashesBetweenEffects, .partitions, .oneWayCuts: 30
        case .powerLosses, .restarts, .pauses, .flapping, .slowness, .resets: 20
        case .deafness, .swizzle, .fullDisks, .failingDisks, .stalledDisks, .clocks: 15
        case .networkChanges, .damage, .copies: 8
        }
    }

    // MARK: Drawing

    private mutating func between(_ range: ClosedRange<Int64>) -> Int64 {
        Int64.random(in: range, using: &random)
    }

    private mutating func node() -> Int { Int.random(in: 0..<nodes, using: &random) }

    /// Mostly short; now and then longer than the timeouts of links and people.
    private mutating func length() -> Interval {
        switch random.next() % 8 {
        case 0...3: .milliseconds(between(5...500))
        case 4...6: .milliseconds(between(500...5_000))
        default: .milliseconds(between(5_000...20_000))
        }
    }

    private mutating func some() -> [Int] {
        var chosen = (0..<nodes).filter { _ in random.chance(1, in: 2) }
        if chosen.isEmpty || chosen.count == nodes { chosen = [node()] }
        return chosen
    }

    private mutating func add(_ fault: Fault, at milliseconds: Int64) {
        drawn.append(ScheduledAction(.milliseconds(milliseconds), .fault(fault)))
    }

    private mutating func add(_ family: Family, at time: Int64) {
        switch family {
        case .crashes: add(.crash(node: node(), power: false, down: length()), at: time)
        case .crashesBetweenEffects:
            let steps = Int(between(0...30))
            add(.crashAfter(node: node(), steps: steps, down: length()), at: time)
        case .powerLosses: powerLoss(time)
        case .restarts: add(.restart(node: node(), down: length()), at: time)
        case .pauses:
            let sleeps = random.chance(1, in: 3)
            add(.pause(node: node(), sleep: sleeps, for: length()), at: time)
        case .deafness: add(.deaf(node: node(), for: length()), at: time)
        case .partitions, .oneWayCuts, .flapping, .swizzle, .slowness: addNetwork(family, time)
        case .resets: add(.reset(node(), node()), at: time)
        case .networkChanges: add(.networkChange(node: node()), at: time)
        case .fullDisks:
            add(.disk(node: node(), .full, after: Int(between(0...9)), for: length()), at: time)
        case .failingDisks:
            add(.disk(node: node(), .error, after: Int(between(0...9)), for: length()), at: time)
        case .stalledDisks: add(.diskStall(node: node(), for: length()), at: time)
        case .damage, .copies, .clocks: addRare(family, time)
        }
    }

    /// One machine or all machines lose power.
    private mutating func powerLoss(_ time: Int64) {
        guard random.chance(1, in: 4) else {
            return add(.crash(node: node(), power: true, down: length()), at: time)
        }
        for node in 0..<nodes { add(.crash(node: node, power: true, down: length()), at: time) }
    }

    private mutating func addNetwork(_ family: Family, _ time: Int64) {
        let here = random.chance(1, in: 2) ? [node()] : some()
        let there = (0..<nodes).filter { !here.contains($0) }
        switch family {
        case .partitions: add(.cut(from: here, to: there, bothWays: true, for: length()), at: time)
        case .oneWayCuts: add(.cut(from: here, to: there, bothWays: false, for: length()), at: time)
        case .flapping:
            let bothWays = random.chance(1, in: 2)
            let beat = between(100...1_000)
            for count in 0..<between(2...10) {
                let length = Interval.milliseconds(beat / 2)
                let fault = Fault.cut(from: here, to: there, bothWays: bothWays, for: length)
                add(fault, at: time + count * beat)
            }
        case .swizzle:
            // Nodes are cut off one after the other and return in another order.
            for (index, node) in some().enumerated() {
                let others = (0..<nodes).filter { $0 != node }
                let length = Interval.milliseconds(between(500...6_000))
                let fault = Fault.cut(from: [node], to: others, bothWays: true, for: length)
                add(fault, at: time + Int64(index) * between(20...300))
            }
        default:
            let delay = between(5_000...800_000)
            add(.slow(from: here, to: there, microseconds: delay, for: length()), at: time)
        }
    }

    private mutating func addRare(_ family: Family, _ time: Int64) {
        switch family {
        case .damage:
            let pick = random.next()
            switch random.next() % 3 {
            case 0: add(.lostRow(node: node(), pick: pick), at: time)
            case 1: add(.damagedRow(node: node(), pick: pick), at: time)
            default: add(.damagedBlob(node: node(), pick: pick), at: time)
            }
        case .copies:
            let node = node()
            let inPlace = random.chance(1, in: 2)
            if random.chance(1, in: 3) {
                add(.clone(node: node, inPlace: inPlace), at: time)
            } else {
                add(.backup(node: node), at: time)
                add(.restore(node: node, inPlace: inPlace), at: time + between(50...8_000))
            }
        default:
            if random.chance(1, in: 2) {
                let days = between(-20_000...20_000)
                add(.wallClock(node: node(), milliseconds: days * 86_400_000), at: time)
            } else {
                add(.clockRate(node: node(), rate: between(500...2_000)), at: time)
            }
        }
    }
}
