import ParleyNode
import Testing

/// Nobody fills the log: neither by repeating something, nor by being somebody else each time.
@Suite struct LogGateTests {
    @Test func equalLinesPassAFewTimesAMinute() {
        var gate = LogGate()
        let passed = (0..<100).compactMap { _ in gate.pass("line", isByStranger: false, at: 7) }
        #expect(passed == [0, 0, 0, 0, 0, 0])
        #expect(gate.pass("line", isByStranger: false, at: 66) == nil)
        #expect(gate.pass("line", isByStranger: false, at: 67) == 95)
        #expect(gate.pass("other", isByStranger: false, at: 7) == 0)
    }

    /// Regression: with a key of its own for each link, a stranger wrote 10 MB in 150 s.
    @Test func strangersHaveOneBudgetWhateverTheySay() {
        var gate = LogGate()
        var passed = 0
        for number in 0..<10_000 {
            let line = "linked|device \(number)|it runs anything"
            if gate.pass(line, isByStranger: true, at: UInt64(number) / 1_000) != nil {
                passed += 1
            }
        }
        #expect(passed == LogGate.strangersPerMinute)
        #expect(
            gate.takeStrangersLeftOut(at: 59) == 0,
            "they are told once, when the minute is over"
        )
        #expect(gate.takeStrangersLeftOut(at: 60) == 10_000 - LogGate.strangersPerMinute)
        #expect(gate.takeStrangersLeftOut(at: 61) == 0)
        #expect(gate.pass("next", isByStranger: true, at: 61) == 0)
    }

    /// Regression: many different lines of strangers made the gate forget what it had counted.
    @Test func strangersDoNotTakeTheLinesOfOthers() {
        var gate = LogGate()
        for _ in 0..<6 { _ = gate.pass("store failed", isByStranger: false, at: 1) }
        for number in 0..<10_000 { _ = gate.pass("\(number)", isByStranger: true, at: 1) }
        #expect(gate.pass("store failed", isByStranger: false, at: 2) == nil)
        #expect(gate.pass("member linked", isByStranger: false, at: 2) == 0)
    }
}
