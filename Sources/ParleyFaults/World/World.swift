package import ParleyCore

/// A deterministic simulation of nodes with disks, joined by wires, in virtual time: equal seeds
/// and equal calls give equal histories, in any process.
///
/// `World+Faults` injects faults, `World+Processes` starts and ends nodes, `World+Disks` has the
/// stores, and `World+People` the requests of people. `SimulatedNetwork` is the network, and
/// `WorldWords` writes the trace in the words of the glossary. Observers see every event.
package final class World {
    package enum Event {
        /// A node does something, unless its process has ended meanwhile.
        case process(node: Int, process: Int, ProcessEvent)
        case arrive(wire: Int, lane: Int)
        case drain(wire: Int, lane: Int)
        /// The peer notices that a connection broke.
        case reset(wire: Int)
        /// A fault with a length ends, unless quiescence ended all faults before.
        case faultEnds(Fault, generation: Int)
    }

    /// An action of a node at a planned time.
    package enum ProcessEvent {
        case timer(Int)
        case commit
        case retryCommit
        case read(StoreRead)
        case dial(Dial)
        case drainAll
        /// Its event loop handles the gathered inputs.
        case iteration
        /// It reads its clocks for the machine.
        case clock
        /// It joins the visited conversation, with keys that it got at a door.
        case visit
        /// It gets a delayed input.
        case give(NodeInput)
        /// It gives up a connection on which nothing was sent.
        case idleEnds(LinkID)

        /// Whether it waits while the process is suspended.
        var waits: Bool {
            switch self {
            case .timer, .idleEnds: false
            default: true
            }
        }
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
        case .process(let node, let process, let event):
            if isLive(node, process) { happen(event, at: node) }
        case .arrive(let wire, let lane): arrive(wire, lane)
        case .drain(let wire, let lane): drain(wire, lane)
        case .reset(let wire): reset(wire)
        case .faultEnds(let fault, let generation):
            guard generation == faultGeneration else { return }
            fault.end(in: self)
        }
    }

    private func happen(_ event: ProcessEvent, at node: Int) {
        guard !event.waits || !nodes[node].loop.holds(self.event(event, at: node)) else { return }
        switch event {
        case .timer(let number): fireTimer(number, of: node)
        case .commit: commit(node)
        case .retryCommit: retryCommit(node)
        case .read(let read): input(nodes[node].disk.answer(read), to: node)
        case .dial(let dial): connect(node, dial)
        case .drainAll: drainAll(node)
        case .iteration: input([], to: node)
        case .clock: input(.clocked(nodes[node].clock.read(at: now)), to: node)
        case .visit: if number(of: Self.visited, at: node) == nil { join(Self.visited, [node]) }
        case .give(let input): self.input(input, to: node)
        case .idleEnds(let link): nodes[node].sockets.idleEnded(link, at: now)
        }
    }

    /// A later action of the present process of a node.
    func event(_ event: ProcessEvent, at node: Int) -> Event {
        .process(node: node, process: nodes[node].process, event)
    }

    func isLive(_ end: Wire.End) -> Bool { isLive(end.node, end.process) }

    func isLive(_ node: Int, _ process: Int) -> Bool {
        nodes[node].isRunning && nodes[node].process == process
    }

    // MARK: Inputs and effects

    /// Gives a node an input now or, if it is paused, when it continues.
    func give(_ input: NodeInput, to node: Int) { happen(.give(input), at: node) }

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
        let delay = Interval(nanoseconds: settings.iterationDelay * 1_000)
        timeline.plan(event(.iteration, at: node), after: delay)
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
            timeline.plan(event(.read(read), at: node), in: 500...500)
        }
        for dial in effects.dials {
            guard goesOn(node, process) else { return }
            timeline.plan(event(.dial(dial), at: node), in: settings.wireDelay)
        }
        if effects.asksForClock { timeline.plan(event(.clock, at: node), in: 1...1) }
        let due = effects.timer.map { max(nodes[node].clock.worldMoment(of: $0), now) }
        guard let number = nodes[node].loop.wantTimer(at: due), let due else { return }
        timeline.plan(event(.timer(number), at: node), at: due)
    }

    private func fireTimer(_ number: Int, of node: Int) {
        switch nodes[node].loop.fire(number, at: now) {
        case nil: return
        case .timer: give(.timer, to: node)
        case .later(let number, let due):
            timeline.plan(event(.timer(number), at: node), at: due)
        }
    }

    private func goesOn(_ node: Int, _ process: Int) -> Bool {
        guard isLive(node, process) else { return false }
        figures.steps += 1
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
