import ParleyCore
import Testing

/// The changes that are announced to a peer later, as it most likely has them.
struct DeferredAnnouncementsTests {
    private let soon = Moment.start + .milliseconds(50)
    private let late = Moment.start + .seconds(3)

    /// An announcement that may wait does not hold up an urgent one, and goes along in front of it.
    @Test(arguments: [
        Case(later: [], urgent: [], sent: 0, end: 9, isDue: false),
        Case(later: [4], urgent: [], sent: 0, end: 0, isDue: true),
        Case(later: [4], urgent: [3], sent: 0, end: 3, isDue: true),
        Case(later: [4], urgent: [5], sent: 0, end: 9, isDue: false),
        Case(later: [4, 7], urgent: [5], sent: 0, end: 5, isDue: true),
        Case(later: [4], urgent: [], sent: 4, end: 9, isDue: false),
    ])
    func urgentChangesTakeTheOthersAlong(_ given: Case) {
        var announcements = DeferredAnnouncements()
        for position in given.later { announcements.postponed(at: position, until: late) }
        for position in given.urgent { announcements.becameUrgent(at: position) }
        #expect(announcements.looked(upTo: 9, sent: given.sent) == given.end)
        #expect((announcements.due == late) == given.isDue)
        #expect(announcements.examinedEnd == 9)
    }

    struct Case: Sendable {
        let later: [UInt64]
        let urgent: [UInt64]
        let sent: UInt64
        let end: UInt64
        let isDue: Bool
    }

    @Test func theFirstChangeDecidesWhenAllAreAnnounced() {
        var announcements = DeferredAnnouncements()
        announcements.postponed(at: 3, until: soon)
        announcements.postponed(at: 4, until: late)
        #expect(announcements.looked(upTo: 4, sent: 0) == 0)
        #expect(announcements.mayWait(from: 0, to: 4, at: .start))
        #expect(!announcements.mayWait(from: 0, to: 5, at: .start))
        #expect(!announcements.mayWait(from: 0, to: 4, at: soon))
        announcements.hasten(to: .start)
        #expect(announcements.isDue(at: .start))
        announcements.lookAgain()
        #expect(!announcements.mayWait(from: 0, to: 4, at: .start))
    }

    /// Regression: what was passed with a segment stayed due, and woke the node up without end.
    @Test func whatWasPassedIsNotDue() {
        var announcements = DeferredAnnouncements()
        announcements.postponed(at: 3, until: soon)
        announcements.passed(2)
        #expect(announcements.due == soon)
        announcements.passed(3)
        #expect(announcements.due == nil)
    }

    /// One side of a link announces first, and neighbours announce before all others.
    @Test func everySideHasItsDelay() {
        let delays = [(true, true), (true, false), (false, true), (false, false)]
            .map { AnnouncementDelay(isNeighbour: $0.0, isFirst: $0.1) }
        #expect(delays == AnnouncementDelay.allCases)
        #expect(delays.map(\.interval) == delays.map(\.interval).sorted())
        #expect(Set(delays.map(\.interval)).count == 4)
    }
}
