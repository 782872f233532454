import ParleyCore
import ParleyFaults
import Testing

/// The time of a world, alone.
@Suite struct TimelineTests {
    private var timeline = Timeline(seed: 1)

    @Test mutating func eventsComeInTheirOrder() {
        timeline.plan(.reset(wire: 3), after: .milliseconds(2))
        timeline.plan(.reset(wire: 1), after: .milliseconds(1))
        timeline.plan(.reset(wire: 2), after: .milliseconds(1))
        var wires: [Int] = []
        while case .reset(let wire) = timeline.next() { wires.append(wire) }
        #expect(wires == [1, 2, 3])
        #expect(timeline.now == .start + .milliseconds(2))
        timeline.pass(to: .start)
        #expect(timeline.now == .start + .milliseconds(2))
    }

    @Test mutating func eventsWithoutEndAreFound() {
        for _ in 0..<200_000 {
            timeline.plan(.reset(wire: 1), at: timeline.now)
            _ = timeline.next()
        }
        #expect(timeline.isStuck)
        timeline.plan(.reset(wire: 1), after: .milliseconds(1))
        _ = timeline.next()
        #expect(!timeline.isStuck)
    }

    @Test mutating func delaysAreUniformOrExponential() {
        var uniform: Int64 = 0
        var exponential: Int64 = 0
        for _ in 0..<10_000 {
            uniform += timeline.delay(100...300, mean: 0).nanoseconds / 1_000
            exponential += timeline.delay(100...100, mean: 1_000).nanoseconds / 1_000
        }
        #expect((195...205).contains(uniform / 10_000))
        #expect((1_050...1_150).contains(exponential / 10_000))
    }
}
