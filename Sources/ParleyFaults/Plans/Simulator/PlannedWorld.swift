package import ParleyCore

/// A plan in the simulator: the world, and which hosts know which addresses.
///
/// `PlannedWorld+Doing` carries out the steps, `PlannedWorld+Seeing` observes the nodes.
package final class PlannedWorld {
    package let plan: Plan
    package let world: World
    var run: PlanRun
    let conversations: [SimulatedConversation]
    var batches: [SimulatedBatch] = []
    /// The dots of messages, by their IDs.
    var dots: [String: Dot] = [:]
    var hosts: [SimulatedHost]
    /// A cache of opened texts and pictures, by node and dot.
    var opened: [SightKey: SessionSight] = [:]
    /// The progress of the run, for people.
    package private(set) var progress: [PlanProgress] = []
    private var origin = Moment.start
    private let writesTrace: Bool

    struct SightKey: Hashable {
        let node: Int
        let dot: Dot
    }

    /// The time limit for the answer to one message.
    static let patience = Interval.seconds(10)
    /// The initial interval between two checks of a condition.
    private static let glance = Interval.milliseconds(2)
    /// The time of the first check that failed.
    private var lookedSince: Interval?

    /// A plan that has not begun.
    package init(_ plan: Plan, seed: UInt64, checkers: CheckerSet, writesTrace: Bool) {
        self.plan = plan
        self.writesTrace = writesTrace
        run = PlanRun(plan)
        conversations = plan.conversations.enumerated().map { number, conversation in
            SimulatedConversation(UInt64(number) + 1, name: conversation.name)
        }
        hosts = plan.hosts.map(SimulatedHost.init)
        var settings = WorldSettings()
        settings.seed = seed
        settings.wireDelay = 100...1_500
        settings.commitDelay = 500...4_000
        settings.groupsCommits = true
        settings.kernelBytes = 1 << 18
        world = World(settings)
        world.watch(with: checkers.makeCheckers())
        for (index, host) in plan.hosts.enumerated() {
            world.add(SimulatedNode(name: host.name, key: UInt64(index) + 1))
        }
    }

    /// Carries out the plan to its end or to the first failure.
    package func carryOut() -> SimulatedPlan {
        begin()
        var isDone = false
        while !isDone, world.failures.isEmpty {
            switch run.next(at: now) {
            case .finished: isDone = true
            case .pass(let end): advance(to: end)
            case .act(let act, let words):
                note(words)
                if let failure = perform(act) {
                    run.failed(failure, at: now)
                } else {
                    run.done(at: now)
                }
            case .look(let question, _):
                let rows = run.report.rows.count
                let missing = run.seen(question.hosts.map { view($0, question) }, at: now)
                if run.report.rows.count > rows { writeRow() }
                if missing != nil { advance(to: nextGlance()) } else { lookedSince = nil }
            }
        }
        if run.report.passed, world.failures.isEmpty { settle() }
        return result()
    }

    /// The time since the first step.
    var now: Interval { world.now - origin }

    private func note(_ words: String) {
        progress.append(PlanProgress(time: now, words: words))
        world.trace.write("---- \(words)", at: world.now)
    }

    private func writeRow() {
        guard let row = run.report.rows.last else { return }
        switch row.outcome {
        case .met(let time): note("\(row.words): after \(time.words)")
        case .missed(let what): note("\(row.words): MISSED: \(what)")
        case .notReached: break
        }
    }

    /// Checks cost real time, so the interval between two of them grows.
    private func nextGlance() -> Interval {
        let since = lookedSince ?? now
        lookedSince = since
        let pause = Interval(nanoseconds: (now - since).nanoseconds / 256)
        let next = now + max(Self.glance, pause)
        guard let deadline = run.deadline, deadline > now else { return next }
        return min(next, deadline)
    }

    // MARK: Beginning and end

    private func begin() {
        world.trace.isWriting = writesTrace
        close(plan.apart)
        for host in plan.hostIDs where plan.host(host).startsAtOnce { start(host) }
        origin = world.now
    }

    /// Ends all faults, waits for convergence, and lets the checkers judge the final state.
    private func settle() {
        world.quiesce()
        let end = world.now + .seconds(60)
        while world.now < end, world.failures.isEmpty {
            world.run(.milliseconds(200))
            if world.agreement.isConverged, world.isOnDisk, world.agreement.arePicturesHere {
                break
            }
        }
        if world.failures.isEmpty { world.emit(.converged) }
        world.run(.seconds(6))
        if world.failures.isEmpty { world.finishObserving() }
    }

    private func result() -> SimulatedPlan {
        var failures = world.failures
        for problem in world.problems + world.nodes.flatMap(\.disk.problems) {
            let promise = Promise("sound world")
            failures.append(Failure(promise: promise, nodes: [], time: world.now, what: problem))
        }
        return SimulatedPlan(
            seed: world.settings.seed,
            hosts: Set(plan.hosts.map(\.name)),
            report: run.report,
            failures: failures,
            hash: world.hash,
            time: world.now - .start,
            progress: progress,
            trace: world.trace.lines
        )
    }

    // MARK: Time

    /// Lets time pass while batches continue.
    func advance(to end: Interval) {
        let end = origin + end
        while world.now < end, world.failures.isEmpty {
            guard batches.contains(where: { !$0.isOver }) else { return world.run(until: end) }
            world.run(until: min(end, world.now + .milliseconds(1)))
            pumpBatches()
        }
    }

    /// Lets time pass until a condition holds or the limit is reached.
    func advance(upTo limit: Interval, until isSo: () -> Bool) -> Bool {
        let end = now + limit
        while !isSo() {
            guard now < end, world.failures.isEmpty else { return false }
            advance(to: now + .milliseconds(1))
        }
        return true
    }
}

/// The outcome of a plan in the simulator, determined by plan and seed.
package struct SimulatedPlan: Sendable {
    package let seed: UInt64
    /// The names of the hosts.
    let hosts: Set<String>
    package let report: PlanReport
    /// The broken promises that the checkers reported.
    package let failures: [Failure]
    package let hash: TraceHash
    /// The virtual time that passed.
    package let time: Interval
    package let progress: [PlanProgress]
    /// The trace, line by line; empty unless it was requested.
    package let trace: [String]

    package var passed: Bool { report.passed && failures.isEmpty }

    /// Runs a plan from a seed; a run that fails is repeated with a trace.
    package static func run(
        _ plan: Plan,
        seed: UInt64,
        checkers: CheckerSet = .all,
        writesTrace: Bool = false
    ) -> SimulatedPlan {
        let world = PlannedWorld(plan, seed: seed, checkers: checkers, writesTrace: writesTrace)
        let result = world.carryOut()
        guard !result.passed, !writesTrace else { return result }
        return PlannedWorld(plan, seed: seed, checkers: checkers, writesTrace: true).carryOut()
    }
}

/// One line of progress.
package struct PlanProgress: Sendable, Equatable {
    /// The time since the first step.
    package var time: Interval
    package var words: String

    package init(time: Interval, words: String) {
        self.time = time
        self.words = words
    }

    /// The line as people read it.
    package var line: String {
        let milliseconds = time.milliseconds
        let digits = String(milliseconds % 1_000)
        let fraction = String(repeating: "0", count: 3 - digits.count) + digits
        let text = "\(milliseconds / 1_000).\(fraction) s"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text + "  " + words
    }
}

/// The state of a host of a plan besides its node.
struct SimulatedHost {
    let plan: PlanHost
    var hasBus: Bool
    var hasAvahi: Bool
    /// The hosts whose addresses the node was told since its start.
    var found: Set<HostID> = []
    var wasJoined = false

    init(_ host: PlanHost) {
        plan = host
        hasBus = host.hasAvahi
        hasAvahi = host.hasAvahi
    }

    /// Whether it announces its node and discovers others.
    var isAnnounced: Bool { plan.usesDiscovery && hasAvahi && hasBus }
}
