import Foundation
import ParleyFaults
import Testing

/// The project's plans in the simulator.
@Suite(.timeLimit(.minutes(20))) struct PlanFileTests {
    @Test(arguments: PlanFiles.simulated, [UInt64(1), 2])
    func passes(_ name: String, seed: UInt64) throws {
        let result = SimulatedPlan.run(try PlanFiles.plan(name), seed: seed)
        #expect(result.failures == [], "\(name), seed \(seed)")
        #expect(result.report.passed, "\(name), seed \(seed): \(result.report.failure ?? "")")
    }

    @Test(arguments: PlanFiles.simulated)
    func sameSeedGivesTheSameRun(_ name: String) throws {
        let plan = try PlanFiles.plan(name)
        let one = SimulatedPlan.run(plan, seed: 7)
        let other = SimulatedPlan.run(plan, seed: 7)
        #expect(one.hash == other.hash)
        #expect(one.report == other.report)
        #expect(one.progress == other.progress)
    }

    @Test func thereAreEnough() throws {
        var both = 0
        for name in PlanFiles.names {
            let plan = try PlanFiles.plan(name)
            if plan.worlds.contains(.simulator) {
                #expect(plan.impossibleFaults(in: .simulator).isEmpty, "\(name)")
            }
            if plan.worlds.contains(.lab) {
                both += 1
                #expect(plan.impossibleFaults(in: .lab).isEmpty, "\(name)")
            }
        }
        #expect(both >= 12)
    }

    /// Each expects what cannot be, and must be seen to fail.
    @Test(arguments: FailingPlan.all)
    func fails(_ plan: FailingPlan) throws {
        let result = SimulatedPlan.run(try Plan(yaml: plan.yaml), seed: 1)
        #expect(!result.report.passed)
        #expect(result.report.failure?.contains(plan.says) == true, "\(result.report.rows)")
        #expect(!result.trace.isEmpty)
    }
}

/// The files in `Tests/Plans`.
enum PlanFiles {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Plans").standardized

    static let names: [String] = {
        let found = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (found ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
    }()

    /// Those for the simulator; one that cannot be read is among them, and fails.
    static let simulated = names.filter { name in
        (try? plan(name).worlds.contains(.simulator)) ?? true
    }

    static func plan(_ name: String) throws -> Plan {
        try Plan(yaml: String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
}

/// Steps that end in something that is not so.
struct FailingPlan: Sendable, CustomTestStringConvertible {
    let steps: String
    let says: String

    var testDescription: String { says }

    var yaml: String {
        """
        plan: It fails
        hosts: [ann, ben, cid]
        conversations: {games: {writers: [ann, ben], readers: cid}}
        steps:
          - expect: {linked: all}
        """ + "\n" + steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    static let all = [
        FailingPlan(
            steps: "- isolate: cid\n- send: {by: ann, session: s, url: u}\n- expect: {same: yes}",
            says: "cid"
        ),
        FailingPlan(
            steps: "- send: {by: ann, session: s, url: u}\n"
                + "- expect: {conflict: {session: s}, within: 1s}",
            says: "no conflict in s"
        ),
        FailingPlan(steps: "- send: {by: cid, session: s, url: u}", says: "readOnly"),
        FailingPlan(
            steps: "- send: {by: ann, session: s, url: u, refused: stale}",
            says: "was stored"
        ),
        FailingPlan(
            steps: "- count\n- cut: [ann, ben]\n- pass: 30s\n- heal: all\n- pass: 5s\n"
                + "- expect: {unbroken: [ann, ben], within: 1s}",
            says: "lost a link"
        ),
        FailingPlan(
            steps: "- count\n- batch: {by: ann, session: s, count: 5}\n"
                + "- expect: {same: yes}\n- expect: {received: {by: ben, at-most: 0}, within: 1s}",
            says: "received"
        ),
        FailingPlan(
            steps: "- expect: {stranger: ben, within: 1s}",
            says: "takes"
        ),
        FailingPlan(
            steps: "- intrude: {by: ben, at: ann, with: replayed-envelope}",
            says: "no occasion for a replayed-envelope"
        ),
        FailingPlan(
            steps: "- cut: [ann, ben]\n- intrude: {by: ben, at: ann, with: zeros}",
            says: "ann cannot be reached from ben"
        ),
        FailingPlan(
            steps: "- intrude: {by: ben, at: ann, with: reflected-proof}\n"
                + "- expect: {turned-away: ann, within: 1s}",
            says: "turned 0 of 1 intruders away"
        ),
        FailingPlan(steps: "- expect: {unlinked: [ann, ben], within: 1s}", says: "still linked"),
        FailingPlan(steps: "- expect: {duplicate: ann, within: 1s}", says: "duplicate"),
    ]
}
