import ParleyCore
import Testing

/// When and on which link the receipts for an origin go on to the author.
@Suite struct ReceiptRouteTests {
    private let up = LinkID(1)
    private let one = LinkID(2)
    private let other = LinkID(3)
    private let device = DeviceID(number: 7)

    private func at(_ milliseconds: Int64) -> Moment { Moment(milliseconds: milliseconds) }

    /// A route on which receipts went on to `up`, several times, the last time at `moment`.
    private func sent(_ times: Int = 1, at moment: Int64 = 0) -> ReceiptRoute {
        var route = ReceiptRoute()
        route.moved(to: up, of: device)
        for _ in 0..<times { route.sent(on: [up], after: 1, at: at(moment)) }
        return route
    }

    // MARK: The way

    @Test func receiptsGoWhereEnvelopesComeFrom() {
        var route = ReceiptRoute()
        #expect(route.via == nil && route.viaDevice == nil)
        route.moved(to: up, of: device)
        #expect(route.via == up && route.viaDevice == device)
        route.moved(to: one, of: DeviceID(number: 8))
        #expect(route.via == one && route.viaDevice == DeviceID(number: 8))
    }

    /// The device stays known, as its next link is the way again.
    @Test func aWayIsLostWithItsLinkOnly() {
        var route = sent()
        route.lose(one)
        #expect(route.via == up)
        route.lose(up)
        #expect(route.via == nil && route.viaDevice == device)
        var ended = sent()
        _ = ended.ended(one, workedUntil: .start)
        #expect(ended.via == up)
        _ = ended.ended(up, workedUntil: .start)
        #expect(ended.via == nil && ended.viaDevice == device)
    }

    // MARK: Pauses

    /// What comes within the pause waits for its end, and what comes after it does not.
    @Test(arguments: [
        (times: 0, after: Int64(100), next: Int64(120)),
        (1, 0, 5_000), (1, 4_999, 5_000), (1, 5_000, 5_000), (1, 7_000, 7_000),
        (2, 0, 10_000), (2, 9_999, 10_000), (2, 10_001, 10_001),
        (3, 0, 10_000), (9, 0, 10_000),
    ])
    func whatComesLaterWaits(times: Int, after: Int64, next: Int64) {
        var route = sent(times)
        #expect(route.next == nil)
        route.has(at: at(after))
        #expect(route.next == at(next))
        route.has(at: at(after + 1))
        #expect(route.next == at(next), "more does not put it off")
        #expect(isReady(&route, at: next - 1) == false)
        #expect(isReady(&route, at: next) == true)
        route.sent(on: [up], after: 1, at: at(next))
        #expect(route.next == nil)
    }

    @Test func receiptsWithoutAWayWaitForOne() {
        var route = ReceiptRoute()
        route.wait(at: at(10))
        #expect(route.next == at(5_010))
        route.wait(at: at(20))
        #expect(route.next == at(5_010))
        route.has(at: at(30))
        #expect(route.next == at(5_010))
        route.pause()
        #expect(route.next == nil)
        #expect(isReady(&route, at: 9_000) == false)
        route.has(at: at(9_000))
        #expect(route.next == at(9_020))
    }

    /// Whatever waits for a way goes on soon if somebody reports.
    @Test func aReportEndsTheWaitForAWay() {
        var route = ReceiptRoute()
        route.wait(at: at(10))
        route.reported(one, at: at(15))
        #expect(route.next == at(30))
    }

    // MARK: The tree

    private func isReady(
        _ route: inout ReceiptRoute,
        at milliseconds: Int64,
        pushedTo links: [LinkID] = []
    ) -> Bool {
        route.isReady(at: at(milliseconds), pushedTo: links)
    }

    @Test func aLeafSendsSoon() {
        var route = ReceiptRoute()
        #expect(isReady(&route, at: 0) == false, "there is nothing to send")
        route.has(at: at(0))
        #expect(isReady(&route, at: 19) == false)
        #expect(route.next == at(20))
        #expect(isReady(&route, at: 20) == true)
    }

    @Test func anInnerNodeWaitsForAllToWhomItPushed() {
        var route = ReceiptRoute()
        route.has(at: at(0))
        #expect(isReady(&route, at: 20, pushedTo: [one, other]) == false)
        #expect(route.next == at(500))
        route.reported(one, at: at(90))
        #expect(route.next == at(90))
        #expect(isReady(&route, at: 90, pushedTo: [one, other]) == false)
        #expect(route.next == at(500))
        route.reported(other, at: at(91))
        #expect(isReady(&route, at: 91, pushedTo: [one, other]) == true)
    }

    @Test(arguments: [(Int64(499), false), (500, true)])
    func anInnerNodeDoesNotWaitForEver(milliseconds: Int64, isReady: Bool) {
        var route = ReceiptRoute()
        route.has(at: at(0))
        #expect(self.isReady(&route, at: 30, pushedTo: [one]) == false)
        #expect(self.isReady(&route, at: milliseconds, pushedTo: [one]) == isReady)
    }

    /// Whoever reports within the pause of a leaf does not hasten it.
    @Test func reportsOfOthersHastenNothingBeforeThePauseOfALeaf() {
        var route = ReceiptRoute()
        route.reported(one, at: at(0))
        #expect(route.next == nil)
        route.has(at: at(0))
        route.reported(one, at: at(5))
        #expect(route.next == at(20))
        #expect(isReady(&route, at: 20, pushedTo: [one]) == true)
    }

    /// After the first time nobody is awaited, and reports of others change no pause.
    @Test func whatComesLaterWaitsForNobody() {
        var route = sent()
        route.has(at: at(100))
        route.reported(one, at: at(200))
        #expect(route.next == at(5_000))
        #expect(isReady(&route, at: 5_000, pushedTo: [one, other]) == true)
    }

    /// Whoever's link has ended is awaited no more, and counts as silent on another link.
    @Test func aLinkThatEndedHasNotReported() {
        var route = ReceiptRoute()
        route.has(at: at(0))
        route.reported(one, at: at(1))
        #expect(route.ended(one, workedUntil: at(2)) == false)
        #expect(isReady(&route, at: 20, pushedTo: [one]) == false)
    }

    // MARK: Rounds

    /// What is about to be sent goes on as for the first time; if there is nothing, nothing begins.
    @Test(arguments: [false, true]) func anotherEnvelopeBeginsARound(waits: Bool) {
        var route = sent(2)
        route.reported(one, at: at(1))
        if waits { route.has(at: at(100)) }
        route.beginRound(at: at(200))
        #expect(route.next == (waits ? at(220) : nil))
        route.has(at: at(200))
        #expect(route.next == at(220))
        #expect(isReady(&route, at: 220, pushedTo: [one]) == false, "that report is of before")
        #expect(isReady(&route, at: 700, pushedTo: [one]) == true)
    }

    /// Within a round another envelope puts nothing off, and reports count still.
    @Test func aRoundBeginsOnce() {
        var route = sent()
        route.beginRound(at: at(10))
        route.has(at: at(10))
        route.reported(one, at: at(11))
        route.beginRound(at: at(29))
        #expect(route.next == at(30))
        #expect(isReady(&route, at: 30, pushedTo: [one]) == true)
    }

    /// Receipts of others for an envelope that is not on disk here yet begin a round as well.
    @Test(arguments: [(UInt32(1), Int64(5_000)), (2, 1_020), (0, 1_020)])
    func envelopesThatOthersHaveBeginARound(arrivals: UInt32, next: Int64) {
        var route = sent()
        route.has(at: at(100))
        route.heard(arrivals, at: at(1_000))
        #expect(route.next == at(next))
    }

    @Test func envelopesAreHeardOfOnce() {
        var route = sent()
        route.heard(2, at: at(1_000))
        route.sent(on: [up], after: 2, at: at(1_100))
        route.has(at: at(1_200))
        route.heard(2, at: at(1_300))
        #expect(route.next == at(6_100))
    }

    // MARK: Loss

    /// Receipts have arrived if their link worked for so long after them.
    @Test(arguments: [
        (Int64(0), true), (2_000, true), (2_999, true), (3_000, false), (9_000, false),
    ])
    func receiptsAreLostWithTheirLink(end: Int64, isLost: Bool) {
        var route = sent(at: 2_000)
        #expect(route.ended(one, workedUntil: at(end)) == false, "they went elsewhere")
        #expect(!route.isStranded)
        #expect(route.ended(up, workedUntil: at(end)) == isLost)
        #expect(route.isStranded, "the way has ended")
        #expect(route.ended(up, workedUntil: .start) == false, "a link ends once")
        route.sent(on: [one], after: 1, at: at(9_000))
        #expect(!route.isStranded, "they went on again")
        route.hasOwn()
        #expect(route.isStranded, "there is no way yet")
        route.settle()
        #expect(!route.isStranded)
    }

    @Test func whatWentOnSeveralLinksIsNotLostWithOne() {
        var route = sent()
        route.sent(on: [up, one], after: 1, at: at(10))
        #expect(route.ended(up, workedUntil: at(10)) == false)
        #expect(route.ended(one, workedUntil: at(10)) == false)
    }

    /// Somebody who comes and goes has receipts sent again once in a minute.
    @Test(arguments: [(Int64(60_999), false), (61_000, true)])
    func whoComesAndGoesMakesNoFlood(again: Int64, isLost: Bool) {
        var route = sent(at: 1_000)
        #expect(route.ended(up, workedUntil: at(1_000)) == true)
        route.sent(on: [one], after: 1, at: at(again))
        #expect(route.ended(one, workedUntil: at(again)) == isLost)
        #expect(route.isStranded == isLost)
        // Only what counted as lost begins another minute.
        route.sent(on: [other], after: 1, at: at(61_000))
        #expect(route.ended(other, workedUntil: at(61_000)) != isLost)
    }
}
