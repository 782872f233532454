import ParleyCore
import ParleyFaults
import Testing

/// The connections of a simulated node, alone.
@Suite struct SimulatedSocketsTests {
    private var sockets = SimulatedSockets()

    @Test mutating func linksHaveNumbersOfTheirOwnInAllProcesses() {
        #expect(sockets.link(2) == LinkID(2))
        sockets.open(sockets.nextLink(), on: 7)
        sockets.open(sockets.nextLink(), on: 5)
        #expect(sockets.close(LinkID(1), at: .start) == 7)
        #expect(sockets.close(LinkID(1), at: .start) == nil)
        #expect(sockets.closeAll().map(\.wire) == [5])
        sockets.isReading = false
        sockets.restart(Limits())
        #expect(sockets.nextLink() == LinkID(3))
        #expect(sockets.isReading)
    }

    @Test mutating func bytesCountUntilTheyAreDrained() {
        sockets.sent(5, on: LinkID(1))
        sockets.sent(6, on: LinkID(1))
        #expect(sockets.undrained[LinkID(1)] == 11)
        #expect(sockets.wantDrains() == true)
        #expect(sockets.wantDrains() == false)
        sockets.reportDrains()
        sockets.drained(LinkID(1))
        #expect(sockets.undrained[LinkID(1)] == 0)
        #expect(sockets.wantDrains() == true)
    }

    @Test mutating func strangersHaveFewSlots() {
        var limits = Limits()
        limits.strangers = 1
        sockets.restart(limits)
        #expect(sockets.admit(LinkID(1), from: 1, at: .start) == .admitted)
        #expect(sockets.admit(LinkID(2), from: 2, at: .start) != .admitted)
        _ = sockets.close(LinkID(1), at: .start)
        _ = sockets.close(LinkID(2), at: .start)
        #expect(sockets.admit(LinkID(3), from: 3, at: .start) == .admitted)
    }
}
