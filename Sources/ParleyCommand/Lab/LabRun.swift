import Foundation
import ParleyAPI
import ParleyCore
import ParleyFaults

/// A run of a plan on the lab: its hosts and its progress.
///
/// `LabRun+Setup` makes the hosts, `LabRun+Doing` carries out the steps, and `LabRun+Seeing`
/// observes the nodes.
actor LabRun {
    nonisolated let plan: Plan
    nonisolated let script: LabScript
    nonisolated let directory: URL
    nonisolated let hosts: [LabHost]
    nonisolated let programs: LabPrograms
    nonisolated let screen: PlanScreen
    var run: PlanRun
    /// The names of sessions by their UUIDs, and the UUIDs by their names.
    var sessionNames: [String: String] = [:]
    var sessionIDs: [String: String] = [:]
    var batches: [LabBatch] = []
    /// The paths that are closed at present.
    var closed: Set<HostPath> = []
    /// The cables, if the plan has faults of packets, and the seed of these.
    var wire: LabWire?
    nonisolated let seed: UInt64
    /// The offsets of wall clocks that have jumped.
    var clocks: [HostID: Interval] = [:]
    /// The hosts with intruders.
    var intruders: Set<HostID> = []
    /// The results of comparing pictures, by host and message.
    var pictures: [String: SessionSight.Picture] = [:]
    private var origin = ContinuousClock.now

    /// The first interval between two observations.
    private static let glance = Duration.milliseconds(10)
    /// The time since which the current expectation has not been met.
    private var lookedSince: ContinuousClock.Instant?
    /// The time limit for one request to a node.
    static let patience = Duration.seconds(15)

    /// Makes a run whose hosts do not exist yet.
    init(
        _ plan: Plan,
        seed: UInt64,
        script: LabScript,
        directory: URL,
        screen: PlanScreen
    ) throws(Problem) {
        self.plan = plan
        self.seed = seed
        self.script = script
        self.directory = directory
        self.screen = screen
        run = PlanRun(plan)
        let faults = plan.faults
        var hosts: [LabHost] = []
        for (index, host) in plan.hosts.enumerated() {
            let hasClock = faults.contains {
                if case .clock(HostID(index), _) = $0 { true } else { false }
            }
            let file = directory.appending(path: "\(host.name).clock")
            hosts.append(
                LabHost(
                    host,
                    number: index + 1,
                    script: script,
                    directory: directory,
                    clock: hasClock ? try LabClock(file: file) : nil
                )
            )
        }
        self.hosts = hosts
        programs = LabPrograms(plan, on: hosts, script: script)
    }

    /// The time since the first step.
    var now: Interval {
        let passed = (ContinuousClock.now - origin).components
        return Interval(
            nanoseconds: passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
        )
    }

    /// Carries out the plan to its end or to the first failure.
    func carryOut() async throws -> PlanReport {
        origin = .now
        while true {
            try Task.checkCancellation()
            if run.report.missed == nil, let failure = await programs.unexpectedEnd {
                run.failed(failure, at: now)
            }
            switch run.next(at: now) {
            case .finished: return run.report
            case .pass(let end): try await pass(until: end)
            case .act(let act, let words):
                say(words)
                do {
                    let failure = try await perform(act)
                    if let failure { run.failed(failure, at: now) } else { run.done(at: now) }
                } catch let problem as Problem {
                    run.failed(problem.message, at: now)
                }
            case .look(let question, _): try await look(question)
            }
        }
    }

    private func look(_ question: PlanQuestion) async throws {
        let rows = run.report.rows.count
        var missing: String?
        do {
            let views = try await views(question)
            missing = run.seen(views, at: now)
        } catch let problem as Problem {
            run.failed(problem.message, at: now)
        }
        writeNewRow(rows)
        guard missing != nil else { return lookedSince = nil }
        try await Task.sleep(for: nextGlance())
    }

    /// The delay to the next observation, which grows because observing costs the nodes time.
    private func nextGlance() -> Duration {
        let since = lookedSince ?? .now
        lookedSince = since
        let pause = max(Self.glance, (.now - since) / 100)
        guard let deadline = run.deadline, deadline > now else { return pause }
        return min(pause, .nanoseconds((deadline - now).nanoseconds))
    }

    private func pass(until end: Interval) async throws {
        let wait = end - now
        guard wait.nanoseconds > 0 else { return }
        // The plan prescribes this delay, so there is nothing to poll for.
        try await Task.sleep(for: .nanoseconds(wait.nanoseconds))
    }

    // MARK: Progress

    func say(_ words: String) { screen.say(PlanProgress(time: now, words: words)) }

    private func writeNewRow(_ before: Int) {
        guard run.report.rows.count > before, let row = run.report.rows.last else { return }
        switch row.outcome {
        case .met(let time): say("\(row.words): after \(time.words)")
        case .missed(let what): say("\(row.words): MISSED: \(what)")
        case .notReached: break
        }
    }
}
