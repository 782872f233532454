import ParleyCore
import ParleyFaults
import Testing

/// How a plan goes on, and when an expectation holds, without any world.
@Suite struct PlanRunTests {
    private let start = Interval(nanoseconds: 0)

    @Test func asksForWhatEachStepNeeds() throws {
        var run = PlanRun(
            try plan(
                """
                - stop: cid
                - at: 2s
                  cut: [ann, ben]
                - pass: 1s
                - expect: {same: yes, within: 3s}
                """
            )
        )
        guard case .act(.fault(.stop(HostID(2))), _) = run.next(at: start) else {
            throw WrongDemand()
        }
        run.done(at: .milliseconds(5))
        #expect(run.next(at: .milliseconds(5)) == .pass(until: .seconds(2)))
        guard case .act(.fault(.close), _) = run.next(at: .seconds(2)) else { throw WrongDemand() }
        run.done(at: .seconds(2))
        #expect(run.next(at: .seconds(2)) == .pass(until: .seconds(3)))
        guard case .look(let question, _) = run.next(at: .seconds(3)) else { throw WrongDemand() }
        // Hosts whose node does not run are not asked for their transcript.
        #expect(question.hosts == [HostID(0), HostID(1)])
        #expect(question.parts == .sessions)
        #expect(run.seen(views([[], []]), at: .seconds(4)) == nil)
        #expect(run.next(at: .seconds(4)) == .finished)
        #expect(run.report.passed)
        #expect(run.report.rows.map(\.outcome) == [.met(.seconds(1))])
    }

    @Test func missesWhatIsNotSoInTimeAndEndsThere() throws {
        var run = PlanRun(
            try plan("- expect: {same: {messages: 1}, within: 1s}\n- expect: {no-conflict: yes}")
        )
        _ = run.next(at: start)
        #expect(run.seen(views([[], [], []]), at: .milliseconds(900)) == "ann: shows 0 of 1")
        #expect(run.seen(views([[], [], []]), at: .milliseconds(1_001)) == nil)
        #expect(run.next(at: .seconds(2)) == .finished)
        #expect(run.report.rows.map(\.outcome) == [.missed("ann: shows 0 of 1"), .notReached])
        #expect(run.report.failure?.contains("line 6") == true)
    }

    @Test func comparesAnswersWithWhatThePlanWants() throws {
        let plan = try plan(
            """
            - send: {by: ann, session: s, url: u, as: first}
            - send: {by: ann, session: s, url: u, refused: stale}
            """
        )
        var run = PlanRun(plan)
        guard case .send(let good) = plan.steps[0].act, case .send(let bad) = plan.steps[1].act
        else { throw WrongDemand() }
        #expect(run.answered(good[0], .stored(id: "1", revision: 1)) == nil)
        #expect(run.book.named == ["first": "1"])
        #expect(run.answered(good[0], .refused("readOnly")) == "ann refuses it: readOnly")
        #expect(run.answered(bad[0], .refused("stale")) == nil)
        #expect(run.answered(bad[0], .refused("readOnly")) != nil)
        #expect(run.answered(bad[0], .stored(id: "2", revision: 2)) != nil)
        #expect(run.book.acknowledged.count == 1)
    }

    @Test func hasADeadlineWhileSomethingIsExpected() throws {
        var run = PlanRun(try plan("- pass: 1s\n- expect: {same: yes, within: 3s}"))
        #expect(run.deadline == nil)
        _ = run.next(at: start)
        _ = run.next(at: .seconds(1))
        #expect(run.deadline == .seconds(4))
    }

    @Test func countsIntruders() throws {
        var run = PlanRun(
            try plan(
                """
                - intrude: {by: cid, at: [ann, ben], with: [zeros, plain-text]}
                - expect: {turned-away: [ann, ben], within: 1s}
                """
            )
        )
        for _ in 0..<4 {
            guard case .act(.fault(.intrude), _) = run.next(at: start) else { throw WrongDemand() }
            run.done(at: start)
        }
        guard case .look(let question, _) = run.next(at: start) else { throw WrongDemand() }
        #expect(question.parts == .refusals)
        #expect(question.hosts == [HostID(0), HostID(1)])
        var seen = views([[], []])
        seen[0].intrudersEnded = 2
        seen[1].intrudersEnded = 1
        #expect(run.seen(seen, at: start) == "ben: turned 1 of 2 intruders away")
        seen[1].intrudersEnded = 2
        #expect(run.seen(seen, at: start) == nil)
        #expect(run.report.passed)
    }

    @Test(arguments: Verdict.all)
    func judges(_ verdict: Verdict) throws {
        var run = PlanRun(try plan("- count\n- expect: {\(verdict.expectation), within: 1s}"))
        for message in verdict.acknowledged {
            run.acknowledged(
                PlanBook.Acknowledgement(
                    by: HostID(0),
                    conversation: 0,
                    session: message.session,
                    id: message.id,
                    revision: message.revision
                )
            )
        }
        _ = run.next(at: start)
        run.seen(verdict.before, at: start)
        guard case .look(let question, _) = run.next(at: start) else { throw WrongDemand() }
        let seen = verdict.after.filter { question.hosts.contains($0.host) }
        let missing = run.seen(seen, at: start)
        #expect(missing == verdict.missing)
        #expect(run.report.rows.isEmpty == (verdict.missing != nil))
    }

    // MARK: Paths

    /// Regression: `heal` opened the paths between hosts that are apart from the beginning.
    @Test func healLeavesHostsApart() throws {
        let run = try ended(
            try plan("- isolate: ben\n- heal: all", head: "apart: [[ann, ben]]")
        )
        #expect(!run.book.canReach(HostID(0), HostID(1)))
        #expect(run.book.canReach(HostID(1), HostID(2)))
    }

    @Test func mendOpensOneCutAndLeavesOthers() throws {
        let steps = "- isolate: ben\n- mend: [ben, cid]\n- mend: [ann, cid]"
        let run = try ended(try plan(steps, head: "apart: [[ann, cid]]"))
        #expect(!run.book.canReach(HostID(0), HostID(1)))
        #expect(run.book.canReach(HostID(1), HostID(2)))
        #expect(run.book.canReach(HostID(0), HostID(2)))
    }

    @Test func aFlappingPathIsOpenInTheEnd() throws {
        let plan = try plan(
            "- flap: {between: [ann, ben], every: 2s, for: 5s}\n- at: 4s\n  pass: 1s"
        )
        let paths: Set = [
            HostPath(from: HostID(0), to: HostID(1)), HostPath(from: HostID(1), to: HostID(0)),
        ]
        let period: [PlanAct] = [
            .fault(.close(paths)), .pass(.seconds(1)), .fault(.open(paths)), .pass(.seconds(1)),
        ]
        #expect(plan.steps.map(\.act) == period + period + [.pass(.seconds(1))])
        #expect(try ended(plan).book.closed.isEmpty)
    }

    @Test func stepsKeepTheirTimes() throws {
        let run = try ended(try plan("- pass: 2s\n- cut: [ann, ben]\n- pass: 1s"))
        #expect(run.report.steps.map(\.line) == [6, 7, 8])
        #expect(run.report.steps.map(\.start) == [.seconds(0), .seconds(2), .seconds(2)])
        #expect(run.report.steps.map(\.end) == [.seconds(2), .seconds(2), .seconds(3)])
    }

    // MARK: Parts

    /// The run of a plan of faults and pauses, after its end.
    private func ended(_ plan: Plan) throws -> PlanRun {
        var run = PlanRun(plan)
        var now = start
        while true {
            switch run.next(at: now) {
            case .finished: return run
            case .pass(let end): now = end
            case .act: run.done(at: now)
            case .look: run.seen([], at: now)
            }
        }
    }

    private struct WrongDemand: Error {}

    private func plan(_ steps: String, head more: String = "about: A") throws -> Plan {
        let head = """
            plan: A
            hosts: [ann, ben, cid]
            conversations: {g: {writers: [ann, ben, cid]}}
            \(more)
            """
        let lines = steps.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
        return try Plan(yaml: "\(head)\nsteps:\n\(lines)\n")
    }

    private func views(_ sessions: [[SessionSight]]) -> [HostView] {
        sessions.enumerated().map { index, sessions in
            var view = HostView(HostID(index))
            view.isRunning = true
            view.sessions = sessions
            return view
        }
    }
}
