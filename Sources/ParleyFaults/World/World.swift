package import ParleyCore

/// A deterministic simulation of nodes with disks, joined by wires, in virtual time: equal seeds
/// and equal calls give equal histories, in any process.
///
/// `World+Faults` injects faults, `World+Processes` starts and ends nodes, `World+Disks` has the
/// stores, and `World+People` the requests of people. `SimulatedNetwork` is the network, and
/// `WorldWords` writes the trace in the words of the glossary. Observers see every event.
package final class World {
    package enum Event {
        case timer(node: Int, process: Int, number: Int)
        case commit(node: Int, process: Int)
        case retryCommit(node: Int, process: Int)
        case read(node: Int, process: Int, StoreRead)
        case dial(node: Int, process: Int, Dial)
        case arrive(wire: Int, lane: Int)
        case drain(wire: Int, lane: Int)
        case drainAll(node: Int, process: Int)
        /// A node's event loop handles the gathered inputs.
        case iteration(node: Int, process: Int)
        /// The peer notices that a connection broke.
        case reset(wire: Int)
        /// A node reads its clocks for the machine.
        case clock(node: Int, process: Int)
        /// A node joins the visited conversation, with keys that it got at a door.
        case visit(node: Int, process: Int)
        /// A delayed input.
        case give(node: Int, process: Int, NodeInput)
        /// A node gives up a connection on which nothing was sent.
        case idleEnds(node: Int, process: Int, LinkID)
        /// A fault with a length ends, unless quiescence ended all faults before.
        case faultEnds(Fault, generation: Int)
    }

    package internal(set) var settings: WorldSettings
    package var nodes: [SimulatedNode] = []
    package var network = SimulatedNetwork()
    var timeline: Timeline
    package var trace = WorldTrace()
    /// The hash of the history so far; equal for equal seeds in any process.
    package internal(set) var hash = TraceHash()
    /// Violations of rules that hold in every world.
    package var problems: [String] = []
    /// The failures that the checkers reported.
    package internal(set) var failures: [Failure] = []
    /// The checkers, which see every event and the state of the world at that event.
    private var observers = Observers()
    /// The number of effects carried out so far.
    package internal(set) var steps = 0
    /// The number of faults of each kind.
    package internal(set) var faultCounts = FaultCounts()
    package internal(set) var figures = WorldFigures()
    /// The intruders so far.
    var intruders: [any Outsider] = []
    /// Sessions in which a Byzantine writer wrote.
    package var byzantineSessions: Set<SessionTag> = []
    /// The invites that were made and end.
    package internal(set) var doors: [KnockRequests.Door] = []
    /// Incremented when all faults end, so that scheduled ends do not end later faults.
    var faultGeneration = 0

    /// A world without nodes.
    package init(_ settings: WorldSettings = WorldSettings()) {
        self.settings = settings
        timeline = Timeline(seed: settings.seed)
    }

    /// A world with started nodes, each of which is told the addresses of all others.
    package convenience init(
        nodes count: Int,
        _ settings: WorldSettings = WorldSettings(),
        areStrangers: Bool = false
    ) {
        self.init(settings)
        for _ in 0..<count { addNode() }
        if !areStrangers { introduceAll() }
        for node in nodes.indices { start(node) }
    }

    // MARK: Time

    package var now: Moment { timeline.now }

    /// Handles all events of the next `interval`.
    package func run(_ interval: Interval) {
        run(until: now + interval)
    }

    /// Handles all events up to `end`; stops early at the first failure.
    package func run(until end: Moment) {
        while let time = timeline.nextTime, time <= end, failures.isEmpty { step() }
        timeline.pass(to: end)
    }

    /// Runs until `isDone` holds, at most for `limit`; returns whether it holds.
    @discardableResult
    package func run(upTo limit: Interval, until isDone: (World) -> Bool) -> Bool {
        let end = now + limit
        while !isDone(self) {
            guard let time = timeline.nextTime, time <= end else { return false }
            step()
        }
        return true
    }

    private func step() {
        let wasStuck = timeline.isStuck
        guard let event = timeline.next() else { return }
        guard timeline.isStuck else { return happen(event) }
        if !wasStuck { problems.append("no end of events at \(now.milliseconds) ms") }
    }

    private func happen(_ event: Event) {
        switch event {
        case .timer(let node, let process, let number):
            guard isLive(node, process) else { return }
            fireTimer(number, of: node, process)
        case .commit(let node, let process): holdIfPaused(event, node) { commit(node, process) }
        case .retryCommit(let node, let process):
            holdIfPaused(event, node) { retryCommit(node, process) }
        case .read(let node, let process, let read):
            guard isLive(node, process) else { return }
            holdIfPaused(event, node) { input(nodes[node].disk.answer(read), to: node) }
        case .dial(let node, let process, let dial):
            holdIfPaused(event, node) { connect(node, process, dial) }
        case .arrive(let wire, let lane): arrive(wire, lane)
        case .drain(let wire, let lane): drain(wire, lane)
        case .drainAll(let node, let process):
            guard isLive(node, process) else { return }
            holdIfPaused(event, node) { drainAll(node) }
        case .iteration(let node, let process):
            guard isLive(node, process) else { return }
            holdIfPaused(event, node) { input([], to: node) }
        case .reset(let wire): reset(wire)
        case .clock(let node, let process):
            guard isLive(node, process) else { return }
            let clock = nodes[node].clock.read(at: now)
            holdIfPaused(event, node) { input(.clocked(clock), to: node) }
        case .visit(let node, let process):
            guard isLive(node, process) else { return }
            holdIfPaused(event, node) {
                if number(of: Self.visited, at: node) == nil { join(Self.visited, [node]) }
            }
        case .give(let node, let process, let input):
            guard isLive(node, process) else { return }
            give(input, to: node)
        case .idleEnds(let node, let process, let link):
            guard isLive(node, process) else { return }
            nodes[node].sockets.idleEnded(link, at: now)
        case .faultEnds(let fault, let generation):
            guard generation == faultGeneration else { return }
            fault.end(in: self)
        }
    }

    private func holdIfPaused(_ event: Event, _ node: Int, _ body: () -> Void) {
        if !nodes[node].loop.holds(event) { body() }
    }

    func isLive(_ end: Wire.End) -> Bool { isLive(end.node, end.process) }

    func isLive(_ node: Int, _ process: Int) -> Bool {
        nodes[node].isRunning && nodes[node].process == process
    }

    // MARK: Inputs and effects

    /// Gives a node an input now or, if it is paused, when it continues.
    func give(_ input: NodeInput, to node: Int) {
        let event = Event.give(node: node, process: nodes[node].process, input)
        holdIfPaused(event, node) { self.input(input, to: node) }
    }

    /// Gives a running node an input and carries out the effects.
    package func input(_ input: NodeInput, to node: Int) {
        self.input([input], to: node)
    }

    /// Gives a node inputs from its connections in the next iteration of its event loop.
    func gather(_ inputs: [NodeInput], to node: Int) {
        guard settings.iterationDelay > 0 || nodes[node].isPaused else {
            return input(inputs, to: node)
        }
        gatherForNext(inputs, to: node)
    }

    private func gatherForNext(_ inputs: [NodeInput], to node: Int) {
        guard nodes[node].loop.gather(inputs) else { return }
        let event = Event.iteration(node: node, process: nodes[node].process)
        timeline.plan(event, after: Interval(nanoseconds: settings.iterationDelay * 1_000))
    }

    /// Gives a node several inputs at once, as a shell does; gathered inputs come first.
    package func input(_ news: [NodeInput], to node: Int) {
        guard nodes[node].isRunning else { return }
        let inputs = nodes[node].loop.round(news)
        guard !inputs.isEmpty else { return }
        figures.inputs += inputs.count
        for input in inputs { emit(.input(node: node, input)) }
        guard let effects = nodes[node].handle(inputs, at: now) else { return }
        execute(effects, of: node)
    }

    /// Carries out effects in their order; a planned crash happens between two of them.
    package func execute(_ effects: Effects, of node: Int) {
        let process = nodes[node].process
        hash.add(effects, of: node, at: now)
        figures.note(effects)
        emit(.answered(node: node, effects))
        if let persist = effects.persist {
            guard goesOn(node, process) else { return }
            submit(persist, of: node)
        }
        for link in effects.receipts { checkReceipt(of: link, from: node) }
        for send in effects.sends {
            guard goesOn(node, process) else { return }
            self.send(send, from: node)
        }
        for link in effects.drains { awaitDrain(of: link, from: node) }
        for work in effects.work where work.isUnfinished {
            gatherForNext([.received(work.link, .empty)], to: node)
        }
        for delivery in effects.deliveries {
            guard goesOn(node, process) else { return }
            deliver(delivery, of: node)
        }
        for close in effects.closes {
            guard goesOn(node, process) else { return }
            closeEnd(close.link, of: node, "closed")
        }
        for read in effects.reads {
            guard goesOn(node, process) else { return }
            timeline.plan(.read(node: node, process: process, read), in: 500...500)
        }
        for dial in effects.dials {
            guard goesOn(node, process) else { return }
            timeline.plan(.dial(node: node, process: process, dial), in: settings.wireDelay)
        }
        if effects.asksForClock {
            timeline.plan(.clock(node: node, process: process), in: 1...1)
        }
        arm(effects.timer, of: node, process)
    }

    private func arm(_ timer: Moment?, of node: Int, _ process: Int) {
        let due = timer.map { max(nodes[node].clock.worldMoment(of: $0), now) }
        guard let number = nodes[node].loop.wantTimer(at: due), let due else { return }
        timeline.plan(.timer(node: node, process: process, number: number), at: due)
    }

    private func fireTimer(_ number: Int, of node: Int, _ process: Int) {
        switch nodes[node].loop.fire(number, at: now) {
        case nil: return
        case .timer: give(.timer, to: node)
        case .later(let number, let due):
            timeline.plan(.timer(node: node, process: process, number: number), at: due)
        }
    }

    private func goesOn(_ node: Int, _ process: Int) -> Bool {
        guard isLive(node, process) else { return false }
        steps += 1
        return !crashesNow(node)
    }

    // MARK: Observing

    /// Makes `checkers` the only observers from now on.
    package func watch(with checkers: [any Checker]) {
        observers = Observers(checkers)
    }

    func emit(_ event: WorldEvent) {
        observers.notify(event, in: self)
    }

    /// Reports a broken promise.
    package func fail(_ promise: Promise, by nodes: [Int], _ what: String) {
        let names = nodes.map { self.nodes[$0].name }
        failures.append(Failure(promise: promise, nodes: names, time: now, what: what))
        if let first = nodes.first { note(first, "BREAKS \(promise): \(what)") }
    }

    /// Lets the checkers judge the end of the run.
    package func finishObserving() {
        observers.finish(in: self)
    }
}

extension Moment {
    package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
