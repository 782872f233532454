import Foundation
import ParleyCore
import ParleyFaults
import ParleyWeb

/// A plan on the lab: its hosts, and what it has come to.
///
/// `LabRun+Setup` makes the hosts, `LabRun+Doing` does the steps, `LabRun+Seeing` looks at nodes.
actor LabRun {
    nonisolated let plan: Plan
    nonisolated let script: LabScript
    nonisolated let directory: URL
    nonisolated let hosts: [LabHost]
    nonisolated let screen: PlanScreen
    var run: PlanRun
    /// Names of sessions by their UUIDs, and the other way.
    var sessionNames: [String: String] = [:]
    var sessionIDs: [String: String] = [:]
    var batches: [LabBatch] = []
    /// Ways that are closed now, and hosts that lose frames.
    var closed: Set<HostWay> = []
    var lossy: Set<HostID> = []
    /// Hosts from which somebody intruded.
    var intruders: Set<HostID> = []
    /// Pictures that were compared, by host and message.
    var pictures: [String: SessionSight.Picture] = [:]
    private var origin = ContinuousClock.now

    /// How often it is looked whether something is so, at first.
    private static let glance = Duration.milliseconds(10)
    /// Since when it is looked in vain.
    private var lookedSince: ContinuousClock.Instant?
    /// How long one request to a node may take.
    static let patience = Duration.seconds(15)

    /// A plan whose hosts are not there yet.
    init(_ plan: Plan, script: LabScript, directory: URL, screen: PlanScreen) {
        self.plan = plan
        self.script = script
        self.directory = directory
        self.screen = screen
        run = PlanRun(plan)
        hosts = plan.hosts.enumerated().map { index, host in
            LabHost(host, number: index + 1, script: script, directory: directory)
        }
    }

    /// Since the first step.
    var now: Interval {
        let passed = (ContinuousClock.now - origin).components
        return Interval(
            nanoseconds: passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
        )
    }

    /// Carries the plan out to its end, or to the first thing that goes wrong.
    func carryOut() async throws -> PlanReport {
        origin = .now
        while true {
            try Task.checkCancellation()
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
        tellNewRow(rows)
        guard missing != nil else { return lookedSince = nil }
        try await Task.sleep(for: nextGlance())
    }

    /// Looking costs nodes time: each time a little later than before.
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
        // It is time itself that must pass.
        try await Task.sleep(for: .nanoseconds(wait.nanoseconds))
    }

    // MARK: Telling

    func say(_ words: String) { screen.say(PlanProgress(time: now, words: words)) }

    private func tellNewRow(_ before: Int) {
        guard run.report.rows.count > before, let row = run.report.rows.last else { return }
        switch row.outcome {
        case .met(let time): say("\(row.words): after \(time.words)")
        case .missed(let what): say("\(row.words): MISSED: \(what)")
        case .notReached: break
        }
    }
}
