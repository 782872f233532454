import ParleyCore
import Testing

/// The doors at which people knock, each on one link at a time.
@Suite struct KnockRequestsTests {
    private let one = DeviceID(number: 1)
    private let other = DeviceID(number: 2)

    private func door(_ device: DeviceID, _ invite: UInt32) -> KnockRequests.Door {
        KnockRequests.Door(device: device, invite: invite, token: Bytes16(3, 4))
    }

    private func requests(_ doors: [KnockRequests.Door]) -> KnockRequests {
        var requests = KnockRequests()
        for door in doors { requests.begin(door, at: .start) }
        return requests
    }

    @Test func eachDoorIsKnockedAtOnce() {
        let doors = [door(one, 1), door(one, 2), door(other, 1)]
        var requests = requests(doors)
        #expect(requests.wantedHint == one.hint)
        #expect(requests.take(LinkID(5), to: one) == Array(doors[..<2]))
        #expect(requests.wantedHint == other.hint)
        #expect(requests.take(LinkID(6), to: one) == [])
        #expect(requests.take(LinkID(6), to: other) == [doors[2]])
        #expect(requests.wantedHint == nil)
    }

    /// The doors of other links are not knocked at again.
    @Test func theDoorsOfALinkThatEndedWaitForAnother() {
        let doors = [door(one, 1), door(other, 1)]
        var requests = requests(doors)
        _ = requests.take(LinkID(5), to: one)
        _ = requests.take(LinkID(6), to: other)
        requests.linkClosed(LinkID(5))
        #expect(requests.wantedHint == one.hint)
        #expect(requests.take(LinkID(7), to: other) == [])
        #expect(requests.answered(1, on: LinkID(5)) == nil)
        #expect(requests.answered(1, on: LinkID(6)) == doors[1])
        #expect(requests.take(LinkID(7), to: one) == [doors[0]])
        #expect(requests.answered(1, on: LinkID(7)) == doors[0])
    }

    @Test func anAnswerCountsOnceAndOnItsLink() {
        var requests = requests([door(one, 1)])
        #expect(requests.answered(1, on: LinkID(5)) == nil, "nobody has knocked yet")
        _ = requests.take(LinkID(5), to: one)
        #expect(requests.answered(2, on: LinkID(5)) == nil)
        #expect(requests.answered(1, on: LinkID(6)) == nil)
        #expect(requests.answered(1, on: LinkID(5)) == door(one, 1))
        #expect(requests.answered(1, on: LinkID(5)) == nil)
        #expect(requests.deadline == nil)
    }

    /// The link makes no difference to the patience of people.
    @Test func peopleWaitSoLong() {
        var requests = requests([door(one, 1)])
        requests.begin(door(one, 1), at: .start + .seconds(20))
        requests.begin(door(one, 2), at: .start + .seconds(10))
        _ = requests.take(LinkID(5), to: one)
        let end = Moment.start + KnockRequests.patience
        #expect(requests.deadline == end)
        #expect(requests.takeOverdue(at: Moment(nanoseconds: end.nanoseconds - 1)) == [])
        #expect(requests.takeOverdue(at: end) == [door(one, 1)])
        #expect(requests.deadline == end + .seconds(10))
        #expect(requests.takeOverdue(at: end + .seconds(10)) == [door(one, 2)])
        #expect(requests.deadline == nil)
    }

    @Test func thereAreSoManyDoorsAtATime() {
        var requests = requests((1...4).map { door(one, $0) })
        #expect(requests.isFull)
        requests.begin(door(one, 5), at: .start)
        #expect(requests.take(LinkID(5), to: one).map(\.invite) == [1, 2, 3, 4])
        _ = requests.answered(2, on: LinkID(5))
        #expect(!requests.isFull)
    }
}
