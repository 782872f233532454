package import ParleyCore

/// One run of a scenario: a phase with faults, then quiescence, in which all nodes must converge.
package struct Simulation {
    package let scenario: Scenario
    package let options: SimulationOptions
    package let world: World

    /// A run of the scenario drawn from a seed.
    package init(seed: UInt64, options: SimulationOptions = SimulationOptions()) {
        self.init(Scenario(seed: seed, options: options), options: options)
    }

    /// A run of a written or shortened scenario.
    package init(_ scenario: Scenario, options: SimulationOptions = SimulationOptions()) {
        self.scenario = scenario
        self.options = options
        world = World(scenario.settings)
        world.trace.isWriting = options.writesTrace
        world.watch(with: options.checkers.makeCheckers())
        for node in 0..<scenario.nodes {
            world.addNode()
            world.nodes[node].mutant = options.mutant
        }
        for node in scenario.byzantineNodes where node < scenario.nodes {
            world.nodes[node].isByzantine = true
        }
        for node in scenario.newerNodes where node < scenario.nodes {
            world.nodes[node].speaksNewer = true
            world.nodes[node].wireVersions = 2...3
        }
        if scenario.areAllIntroduced { world.introduceAll() }
    }

    /// Runs the scenario to its end or to the first failure.
    package func run() -> SimulationResult {
        for node in world.nodes.indices { world.start(node) }
        for scheduled in scenario.actions where scheduled.time <= scenario.chaos {
            world.run(until: .start + scheduled.time)
            guard world.failures.isEmpty else { return result(convergence: nil) }
            scheduled.action.perform(in: world)
        }
        world.run(until: .start + scenario.chaos)
        guard world.failures.isEmpty else { return result(convergence: nil) }
        world.quiesce(keepsBytes: scenario.keepsBytes)
        world.liftQuotas()
        let start = world.now
        converge()
        let convergence = world.now - start
        if world.failures.isEmpty { world.emit(.converged) }
        world.run(scenario.idle)
        if world.failures.isEmpty { world.finishObserving() }
        return result(convergence: convergence)
    }

    /// Runs until all members agree, all pictures have arrived and all commits are done.
    ///
    /// The run ends at the latest at the time limit. Each node must have had no open commit at some
    /// moment of agreement, but not all nodes at the same moment. A Byzantine writer may serve
    /// forged pictures for ever, and a node writes a picture before checking it.
    private func converge() {
        let end = world.now + scenario.convergenceLimit
        // The links of copies, and so the groups that must agree, take a while to become stable.
        if world.agreement.hasCopies { world.run(.seconds(15)) }
        var late = Set(world.nodes.indices)
        while world.now < end, world.failures.isEmpty {
            world.run(.milliseconds(200))
            guard world.agreement.isConverged, world.agreement.arePicturesHere else {
                late = Set(world.nodes.indices)
                continue
            }
            late = late.filter { !world.nodes[$0].commits.waiting.isEmpty }
            if late.isEmpty { return }
        }
        guard world.failures.isEmpty, world.agreement.isConverged, world.agreement.arePicturesHere
        else { return }
        world.fail(ConvergenceChecker.promise, by: late.sorted(), "commits take no end")
    }

    private func result(convergence: Interval?) -> SimulationResult {
        var failures = world.failures
        for problem in world.problems + world.nodes.flatMap(\.disk.problems) {
            let promise = Promise("sound world")
            failures.append(Failure(promise: promise, nodes: [], time: world.now, what: problem))
        }
        return SimulationResult(
            seed: scenario.settings.seed,
            failures: failures,
            hash: world.hash,
            time: world.now - .start,
            nodes: scenario.nodes,
            convergence: convergence,
            faults: world.faultCounts,
            figures: world.figures
        )
    }
}

/// Options of a simulation.
package struct SimulationOptions: Sendable {
    /// The number of nodes; nil: drawn from the seed.
    package var nodes: Int?
    /// The length of the phase with faults; nil: drawn from the seed.
    package var chaos: Interval?
    /// Whether runs are small and short, for slow builds.
    package var isBrief = false
    /// Whether the world writes a trace in words, which costs time.
    package var writesTrace = false
    package var checkers = CheckerSet.all
    /// The fault around every machine, for checking the checkers; usually none.
    package var mutant: Mutant?

    package init() {}
}

/// The checkers that watch a run.
package struct CheckerSet: Sendable {
    private let make: @Sendable () -> [any Checker]

    package init(_ make: @escaping @Sendable () -> [any Checker]) { self.make = make }

    /// Makes fresh checkers for one run.
    package func makeCheckers() -> [any Checker] { make() }

    /// All checkers.
    package static let all = CheckerSet {
        let ledger = Ledger()
        return [
            ledger, ForgeryChecker(ledger), ShownChecker(ledger), ConflictChecker(ledger),
            PositionChecker(ledger), AuthoringChecker(ledger), SeatChecker(ledger),
            AgreementChecker(ledger),
            BoundsChecker(), QuotaChecker(), StrangerChecker(ledger), QuietChecker(ledger),
            EchoChecker(ledger),
            WantChecker(), LinksChecker(), BlobChecker(ledger), IdentityChecker(),
            AcknowledgedChecker(ledger), ConvergenceChecker(), RegisterChecker(ledger),
            FirstOnDiskChecker(ledger), CatchUpChecker(), MatchChecker(), SignalChecker(),
            KnockChecker(), RoomChecker(ledger), RequestChecker(), ReadingChecker(ledger),
            ReceiptChecker(), CardChecker(),
        ]
    }
}

/// The result of a run, determined by scenario and options.
package struct SimulationResult: Equatable, Sendable {
    package let seed: UInt64
    /// The broken promises; empty if every promise was kept.
    package let failures: [Failure]
    package let hash: TraceHash
    /// The virtual time that passed.
    package let time: Interval
    package let nodes: Int
    /// The time from the end of all faults to convergence; nil if a promise was broken before.
    package let convergence: Interval?
    package let faults: FaultCounts
    package let figures: WorldFigures

    package var isGood: Bool { failures.isEmpty }
}
