import ParleyCore
import Testing

/// When nodes are dialled again that had no slot.
struct AddressBookBusyTests {
    private func device(_ number: UInt64) -> DeviceID {
        DeviceID(Bytes32(number, 0, 0, 0))
    }

    private func moment(_ milliseconds: Int64) -> Moment {
        .start + .milliseconds(milliseconds)
    }

    private func book(_ found: FoundAddress...) -> AddressBook {
        var book = AddressBook(limits: Limits())
        for address in found { book.found(address, at: .start) }
        return book
    }

    /// A book in which a device at `a` has answered that there is no slot.
    private func turnedAway(_ need: BusyWait.Need, times: Int = 1) -> AddressBook {
        var book = book(FoundAddress(text: "a", source: .configured, device: device(1)))
        var random = FixedRandom.lowest
        for _ in 0..<times {
            book.turnedAway(device(1), need, at: .start, random: &random)
        }
        return book
    }

    /// All addresses of the device wait, and no others.
    @Test func nodeWithoutAPlaceIsDialledLater() {
        var random = FixedRandom.lowest
        var book = book(
            FoundAddress(text: "a", source: .configured, device: device(1)),
            FoundAddress(text: "b", source: .discovered, hint: 1),
            FoundAddress(text: "c", source: .configured, device: device(2))
        )
        book.turnedAway(device(1), .dispensable, at: .start, random: &random)
        #expect(book.dial(at: moment(9_999)) == ["c"])
        #expect(book.deadline { _ in false } == moment(10_000))
        #expect(book.dial(at: moment(10_000)) == ["a"])
    }

    /// Regression: each address that a peer told began its waits anew, so that a node was dialled
    /// many times a second that had no slot.
    @Test(arguments: [
        Finding(.told, next: 10_000), Finding(.discovered, next: 1), Finding(.configured, next: 1),
    ])
    func onlyAnAnnouncementEndsAWait(_ finding: Finding) {
        var book = turnedAway(.dispensable)
        let found = FoundAddress(text: "a", source: finding.source, device: device(1))
        book.found(found, at: moment(1))
        #expect(book.deadline { _ in false } == moment(finding.next))
    }

    /// An address that is found again, and when it is dialled.
    struct Finding: Sendable {
        let source: FoundAddress.Source
        let next: Int64

        init(_ source: FoundAddress.Source, next: Int64) {
            self.source = source
            self.next = next
        }
    }

    /// Regression: each link, also one that was ended at once, began the waits anew.
    @Test func aProofDoesNotEndAWait() {
        var book = turnedAway(.dispensable)
        _ = book.proved(address: "a", device: device(1))
        var random = FixedRandom.lowest
        book.turnedAway(device(1), .dispensable, at: .start, random: &random)
        #expect(book.deadline { _ in false } == moment(20_000))
    }

    /// A node without a free slot dials others without one only where it needs them.
    @Test(arguments: [
        FullNode(.dispensable, dialled: nil),
        FullNode(.furtherLink, dialled: 500),
        FullNode(.furtherLink, times: 6, dialled: nil),
        FullNode(.onlyLink, times: 6, dialled: 10_000),
    ])
    func fullNodeWaitsForAPlace(_ full: FullNode) {
        var book = turnedAway(full.need, times: full.times)
        let due = book.deadline(isLinked: { _ in false }, isFull: true)
        #expect(due == full.dialled.map(moment))
        let dials = book.dials(at: moment(10_000), isLinked: { _ in false }, isFull: true)
        #expect(dials.count == (full.dialled == nil ? 0 : 1))
        #expect(book.dial(at: moment(10_000)).count == (full.dialled == nil ? 1 : 0))
    }

    /// How often a full node was told that there is no slot, and when it dials again.
    struct FullNode: Sendable {
        let need: BusyWait.Need
        let times: Int
        let dialled: Int64?

        init(_ need: BusyWait.Need, times: Int = 1, dialled: Int64?) {
            self.need = need
            self.times = times
            self.dialled = dialled
        }
    }

    @Test func nodeThatIsReachedOtherwiseHasLowPriority() {
        var book = turnedAway(.furtherLink)
        #expect(book.deadline { _ in false } == moment(500))
        let dials = book.dials(at: moment(500), isLinked: { _ in false }, isReached: { $0 == 1 })
        #expect(dials == [])
        #expect(book.deadline { _ in false } == moment(10_500))
        #expect(book.dial(at: moment(10_500)) == ["a"])
    }

    /// Another device at an address has said nothing about slots yet.
    @Test func anotherDeviceIsNotWaitedFor() throws {
        var book = turnedAway(.furtherLink)
        let dial = try #require(book.dials(at: moment(500)) { _ in false }.first)
        book.connected(dial.id, to: device(2))
        #expect(book.entries.map(\.hint) == [2])
        #expect(book.deadline(isLinked: { _ in false }, isFull: true) == moment(500))
    }
}

extension AddressBook {
    /// The addresses that are dialled while no device is linked.
    fileprivate mutating func dial(at now: Moment) -> [String] {
        dials(at: now) { _ in false }.map(\.address)
    }
}
