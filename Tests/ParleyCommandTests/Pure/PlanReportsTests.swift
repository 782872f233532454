import Foundation
import ParleyCommand
import ParleyFaults
import TestSupport
import Testing

/// What is written about the run of a plan, for build servers and for people.
@Suite struct PlanReportsTests {
    private func failing() throws -> SimulatedPlan {
        let plan = try Plan(
            yaml: """
                plan: Missed & "not" <reached>
                hosts: [ann, ben, cid]
                conversations: {games: {writers: [ann, ben], readers: cid}}
                steps:
                  - expect: {linked: all}
                  - cut: [ann, ben]
                  - send: {by: ann, session: s, url: '<&>'}
                  - isolate: cid
                  - send: {by: ann, session: t, url: 'u'}
                  - expect: {same: {messages: 2}, on: [ann, cid], within: 1s}
                  - expect: {no-conflict: yes}
                """
        )
        return SimulatedPlan.run(plan, seed: 7)
    }

    /// The elements of an XML document with their attributes, in their order.
    private func elements(_ text: String) -> [(name: String, attributes: [String: String])] {
        text.matches(of: /<([a-z]+)((?: [a-zA-Z0-9-]+="[^"<>]*")*)\/?>/).map { element in
            let pairs = element.2.matches(of: /([a-zA-Z0-9-]+)="([^"]*)"/).map { pair in
                (String(pair.1), String(pair.2))
            }
            return (String(element.1), Dictionary(pairs) { $1 })
        }
    }

    @Test func aCaseForEachExpectation() throws {
        let run = JUnitDocument.Run(try failing())
        let all = elements(JUnitDocument(plan: "a<b.yaml", runs: [run, run]).text)
        let names = [
            "testsuite", "testcase", "testcase", "failure", "testcase", "skipped",
        ]
        #expect(all.map(\.name) == ["testsuites"] + names + names)
        let suite = all[1].attributes
        #expect(suite["name"] == "Missed &amp; &quot;not&quot; &lt;reached&gt;, seed 7")
        #expect(suite["tests"] == "3" && suite["failures"] == "1" && suite["skipped"] == "1")
        #expect(all[2].attributes["classname"] == "a&lt;b.yaml")
        #expect(all[3].attributes["name"] == "on ann and cid: all show the same 2 messages")
        #expect(all[3].attributes["line"] == "10")
        #expect(all[4].attributes["message"] == "cid: shows 0 of 2")
    }

    @Test func aBarForEachStepThatBegan() throws {
        let drawing = elements(PlanTimeline(try failing().report).text)
        // The ground, and six steps; the seventh was not reached.
        #expect(drawing.filter { $0.name == "rect" }.count == 7)
        let missed = drawing.filter { $0.attributes["fill"] == "#b3261e" }
        #expect(missed.map(\.name) == ["text", "rect"])
    }

    @Test func theExcerptIsAboutTheHostsOfTheFailure() throws {
        let plan = try failing()
        let excerpt = plan.excerpt
        #expect(excerpt.lines.count <= 40)
        #expect(excerpt.lines.allSatisfy { $0.contains("cid") || $0.contains("----") })
        #expect(excerpt.lines.contains { $0.contains("---- nothing passes: ann and cid") })
        #expect(excerpt.omitted == plan.trace.count - excerpt.lines.count)
    }

    @Test func failuresOfOneKindAreOneLine() {
        var kinds = FailureKinds()
        for seed in 1...9 as ClosedRange<UInt64> { kinds.add("late", seed: seed) }
        kinds.add("lost", seed: 4)
        kinds.add("lost", seed: 4)
        #expect(
            kinds.lines == ["late: 9 seeds (1, 2, 3, 4, 5, 6, 7, 8, …)", "lost: 1 seed (4)"]
        )
    }
}
