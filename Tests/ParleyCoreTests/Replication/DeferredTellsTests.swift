import ParleyCore
import Testing

/// The changes that a peer is told later, as it most likely has them.
struct DeferredTellsTests {
    private let soon = Moment.start + .milliseconds(50)
    private let late = Moment.start + .seconds(3)

    /// A tell that may wait does not hold up an urgent one, and goes along in front of it.
    @Test(arguments: [
        Case(later: [], urgent: [], sent: 0, end: 9, isDue: false),
        Case(later: [4], urgent: [], sent: 0, end: 0, isDue: true),
        Case(later: [4], urgent: [3], sent: 0, end: 3, isDue: true),
        Case(later: [4], urgent: [5], sent: 0, end: 9, isDue: false),
        Case(later: [4, 7], urgent: [5], sent: 0, end: 5, isDue: true),
        Case(later: [4], urgent: [], sent: 4, end: 9, isDue: false),
    ])
    func urgentChangesTakeTheOthersAlong(_ given: Case) {
        var tells = DeferredTells()
        for position in given.later { tells.postponed(at: position, until: late) }
        for position in given.urgent { tells.becameUrgent(at: position) }
        #expect(tells.looked(upTo: 9, sent: given.sent) == given.end)
        #expect((tells.due == late) == given.isDue)
        #expect(tells.examinedEnd == 9)
    }

    struct Case: Sendable {
        let later: [UInt64]
        let urgent: [UInt64]
        let sent: UInt64
        let end: UInt64
        let isDue: Bool
    }

    @Test func theFirstChangeDecidesWhenAllAreTold() {
        var tells = DeferredTells()
        tells.postponed(at: 3, until: soon)
        tells.postponed(at: 4, until: late)
        #expect(tells.looked(upTo: 4, sent: 0) == 0)
        #expect(tells.mayWait(from: 0, to: 4, at: .start))
        #expect(!tells.mayWait(from: 0, to: 5, at: .start))
        #expect(!tells.mayWait(from: 0, to: 4, at: soon))
        tells.hasten(to: .start)
        #expect(tells.isDue(at: .start))
        tells.lookAgain()
        #expect(!tells.mayWait(from: 0, to: 4, at: .start))
    }

    /// Regression: what was passed with a segment stayed due, and woke the node up without end.
    @Test func whatWasPassedIsNotDue() {
        var tells = DeferredTells()
        tells.postponed(at: 3, until: soon)
        tells.passed(2)
        #expect(tells.due == soon)
        tells.passed(3)
        #expect(tells.due == nil)
    }

    /// One side of a link tells first, and neighbours tell before all others.
    @Test func everySideHasItsDelay() {
        let delays = [(true, true), (true, false), (false, true), (false, false)]
            .map { TellDelay(isNeighbour: $0.0, isFirst: $0.1) }
        #expect(delays == TellDelay.allCases)
        #expect(delays.map(\.interval) == delays.map(\.interval).sorted())
        #expect(Set(delays.map(\.interval)).count == 4)
    }
}
