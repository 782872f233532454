import ParleyCore
import ParleyFaults
import Testing

/// The event loop of a simulated node, alone.
@Suite struct SimulatedLoopTests {
    private var loop = SimulatedLoop()
    private let start = Moment.start

    private mutating func want(at due: Moment) throws -> Int {
        let number = loop.wantTimer(at: due)
        return try #require(number)
    }

    @Test mutating func anArmedTimerStaysForALaterDeadline() throws {
        let first = try want(at: start + .milliseconds(10))
        #expect(loop.wantTimer(at: start + .milliseconds(20)) == nil)
        let due = start + .milliseconds(20)
        let firing = loop.fire(first, at: start + .milliseconds(10))
        guard case .later(let second, due) = firing else {
            Issue.record("no later timer")
            return
        }
        #expect(loop.fire(second, at: due) == .timer)
    }

    @Test mutating func onlyTheLastArmedTimerFires() throws {
        let first = try want(at: start + .milliseconds(20))
        let second = try want(at: start + .milliseconds(10))
        #expect(loop.fire(first, at: start + .milliseconds(20)) == nil)
        #expect(loop.wantTimer(at: nil) == nil)
        #expect(loop.fire(second, at: start + .milliseconds(10)) == nil, "none is wanted")
        let third = try want(at: start)
        loop.restart()
        #expect(loop.fire(third, at: start) == nil)
    }

    @Test mutating func gatheredInputsComeFirst() {
        #expect(loop.gather([.timer]) == true)
        #expect(loop.gather([.networkChanged]) == false)
        #expect(loop.round([.stopping]).count == 3)
        #expect(loop.round([.stopping]).count == 1)
        #expect(loop.gather([.timer]) == true)
    }

    @Test mutating func eventsWaitForTheEndOfAPause() {
        let event = World.Event.drain(wire: 1, lane: 0)
        #expect(loop.holds(event) == false)
        loop.pause()
        #expect(loop.holds(event) == true)
        #expect(loop.isPaused)
        #expect(loop.resume().count == 1)
        #expect(!loop.isPaused)
        #expect(loop.resume().count == 0)
    }

    @Test mutating func aPlannedCrashComesOnce() {
        loop.crash = SimulatedLoop.Crash(steps: 2, down: .seconds(1))
        #expect(loop.crashBeforeStep() == nil)
        #expect(loop.crashBeforeStep() == nil)
        #expect(loop.crashBeforeStep()?.down == .seconds(1))
        #expect(loop.crashBeforeStep() == nil)
    }
}
