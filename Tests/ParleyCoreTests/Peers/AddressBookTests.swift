import ParleyCore
import ParleyFaults
import Testing

/// An address book keeps addresses, and says when to dial which.
struct AddressBookTests {
    private let limits = Limits()

    private func device(_ number: UInt64) -> DeviceID {
        DeviceID(Bytes32(number, 0, 0, 0))
    }

    private func moment(_ milliseconds: Int64) -> Moment {
        .start + .milliseconds(milliseconds)
    }

    private func book(_ found: FoundAddress...) -> AddressBook {
        var book = AddressBook(limits: limits)
        for address in found { book.found(address, at: .start) }
        return book
    }

    // MARK: Entries

    @Test func addressesAreKeptInOrderAndOnce() {
        var book = book(
            FoundAddress(text: "b", source: .discovered, device: device(1)),
            FoundAddress(text: "a", source: .configured)
        )
        book.found(
            FoundAddress(text: "b", source: .told, device: device(2), deviceName: "bob"),
            at: .start
        )
        #expect(book.entries.map(\.address) == ["a", "b"])
        #expect(book.entries[1].source == .discovered, "the better source stays")
        #expect(book.entries[1].device == device(1), "the first device stays")
        #expect(book.entries[1].deviceName == "bob")
    }

    /// Regression: a member that was reached at two addresses was listed twice.
    @Test func aMemberHasOneEntryPreferablyTheOneThatIsDialled() throws {
        var random = SeededRandom(seed: 1)
        var book = book(
            FoundAddress(text: "a", source: .remembered, device: device(1)),
            FoundAddress(text: "b", source: .remembered, device: device(1)),
            FoundAddress(text: "c", source: .remembered, device: device(2)),
            FoundAddress(text: "d", source: .told, device: device(3))
        )
        #expect(book.members.map(\.address) == ["a", "c"])

        let first = book.dials(at: .start, isLinked: { $0 != device(1).hint })
        #expect(first.map(\.address) == ["a"])
        book.failed(try #require(first.first).id, "refused", at: moment(10), random: &random)
        let second = book.dials(at: moment(10), isLinked: { $0 != device(1).hint })
        #expect(second.map(\.address) == ["b"])
        #expect(book.members.map(\.address) == ["b", "c"])
    }

    /// Whose address it is, may become known later; who is linked is not dialled there any more.
    @Test func aDeviceThatBecomesKnownIsNotDialledBesideItsLink() {
        var book = book(FoundAddress(text: "a", source: .configured))
        book.found(FoundAddress(text: "a", source: .remembered, device: device(1)), at: .start)
        #expect(book.dials(at: moment(60), isLinked: { $0 == device(1).hint }).isEmpty)
        #expect(book.dials(at: moment(60), isLinked: { _ in false }).map(\.address) == ["a"])
    }

    @Test func anEntrySaysWhyItsDialsFailUntilOneDoesNot() throws {
        var random = SeededRandom(seed: 1)
        var book = book(FoundAddress(text: "a", source: .configured))
        var now = Moment.start
        for number in 1...2 {
            let dial = try #require(book.dials(at: now, isLinked: { _ in false }).first)
            book.failed(dial.id, "reason \(number)", at: now, random: &random)
            let failure = try #require(book.entry(at: "a")?.failure)
            #expect(failure.reason == "reason \(number)")
            #expect(failure.dials == number)
            #expect(failure.at == now)
            now = now + .seconds(60)
        }
        let dial = try #require(book.dials(at: now, isLinked: { _ in false }).first)
        book.connected(dial.id, to: device(1))
        #expect(book.entry(at: "a")?.failure == nil)
    }

    @Test(arguments: [
        Loss(source: .discovered, isKept: false),
        Loss(source: .told, isKept: false),
        Loss(source: .remembered, isKept: true),
        Loss(source: .configured, isKept: true),
        Loss(source: .discovered, isDialled: true, isKept: true),
    ])
    func lostAddressIsForgottenUnlessItIsWanted(_ loss: Loss) {
        var book = book(FoundAddress(text: "a", source: loss.source))
        if loss.isDialled { #expect(book.dial(at: .start) == ["a"]) }
        book.lost("a")
        #expect(book.entries.isEmpty == !loss.isKept)
    }

    /// An address that is no longer announced.
    struct Loss: Sendable {
        let source: FoundAddress.Source
        var isDialled = false
        let isKept: Bool
    }

    @Test func strangersLeaveForNewAddresses() {
        var few = Limits()
        few.addresses = 2
        var book = AddressBook(limits: few)
        for (text, source) in [
            ("a", FoundAddress.Source.discovered), ("b", .configured), ("c", .discovered),
        ] {
            book.found(FoundAddress(text: text, source: source), at: .start)
        }
        #expect(book.entries.map(\.address) == ["b", "c"])
        #expect(book.dial(at: .start) == ["b", "c"])
        book.found(FoundAddress(text: "d", source: .configured), at: .start)
        #expect(book.entries.map(\.address) == ["b", "c"], "nobody leaves who is dialled")
    }

    /// Addresses from peers make room for announced ones, and never the other way round.
    @Test func toldAddressesLeaveFirst() {
        var few = Limits()
        few.addresses = 3
        var book = AddressBook(limits: few)
        func find(_ text: String, _ source: FoundAddress.Source) -> [String] {
            book.found(FoundAddress(text: text, source: source), at: .start)
            return book.entries.map(\.address)
        }
        _ = find("a", .discovered)
        _ = find("b", .told)
        #expect(find("c", .discovered) == ["a", "b", "c"])
        #expect(find("d", .told) == ["a", "c", "d"])
        #expect(find("e", .discovered) == ["a", "c", "e"])
        #expect(find("f", .told) == ["a", "c", "e"], "nothing was told that could leave")
        #expect(find("a", .told) == ["a", "c", "e"])
        #expect(find("g", .told) == ["a", "c", "e"], "an announced one that was told, too, stays")
        #expect(find("g", .discovered) == ["c", "e", "g"])
    }

    // MARK: Dials

    @Test func configuredAddressesAreDialledFirst() {
        var book = book(
            FoundAddress(text: "a", source: .discovered),
            FoundAddress(text: "b", source: .configured)
        )
        let dials = book.dials(at: .start) { _ in false }
        #expect(dials.map(\.address) == ["b", "a"])
        #expect(Set(dials.map(\.id)).count == 2)
        #expect(book.dial(at: .start) == [])
    }

    @Test func addressThatWaitedLongestIsDialledFirst() {
        var few = Limits()
        few.dials = 1
        var book = AddressBook(limits: few)
        book.found(FoundAddress(text: "a", source: .configured), at: moment(5))
        book.found(FoundAddress(text: "b", source: .configured), at: moment(3))
        #expect(book.dial(at: moment(6)) == ["b"])
        #expect(book.dial(at: moment(9)) == [], "one at a time")
        #expect(book.deadline { _ in false } == nil, "the end of the dial is waited for")
    }

    @Test func linkedDevicesAreNotDialled() {
        var book = book(
            FoundAddress(text: "a", source: .configured, device: device(1)),
            FoundAddress(text: "b", source: .configured)
        )
        let linked: (UInt64) -> Bool = { $0 == 1 }
        #expect(book.dials(at: .start, isLinked: linked).map(\.address) == ["b"])
        #expect(book.deadline(isLinked: linked) == nil)
        #expect(book.dial(at: .start) == ["a"])
    }

    @Test func strangersAreDialledAtTheirRate() {
        var book = AddressBook(limits: limits)
        for number in 0..<7 {
            book.found(FoundAddress(text: "\(number)", source: .discovered), at: .start)
        }
        #expect(book.dial(at: .start) == ["0", "1", "2", "3", "4"])
        #expect(book.deadline { _ in false } == moment(1_000))
        #expect(book.dial(at: moment(999)) == [])
        #expect(book.dial(at: moment(1_000)) == ["5", "6"])
    }

    @Test func firstAddressOfADeviceHasAHeadStart() {
        var book = book(
            FoundAddress(text: "a", source: .configured, hint: 1),
            FoundAddress(text: "b", source: .configured, hint: 1),
            FoundAddress(text: "c", source: .configured, hint: 2)
        )
        #expect(book.dial(at: .start) == ["a", "c"])
        #expect(book.deadline { _ in false } == moment(250))
        #expect(book.dial(at: moment(249)) == [])
        #expect(book.dial(at: moment(250)) == ["b"])
    }

    // MARK: Results of dials

    /// A wanted address is dialled again 200 ms after its dial began, a stranger one second after
    /// it failed.
    @Test(arguments: [
        Failure(source: .configured, next: 200),
        Failure(source: .discovered, next: 1_150),
    ])
    func failedDialIsMadeAgain(_ failure: Failure) {
        var random = FixedRandom.lowest
        var book = book(FoundAddress(text: "a", source: failure.source))
        let dials = book.dials(at: .start) { _ in false }
        #expect(book.entries.map(\.isDialled) == [true])
        for dial in dials { book.failed(dial.id, "refused", at: moment(150), random: &random) }
        #expect(book.entries.map(\.isDialled) == [false])
        #expect(book.deadline { _ in false } == moment(failure.next))
        #expect(book.dial(at: moment(failure.next - 1)) == [])
        #expect(book.dial(at: moment(failure.next)) == ["a"])
    }

    /// A dial that failed after 150 ms.
    struct Failure: Sendable {
        let source: FoundAddress.Source
        let next: Int64
    }

    @Test func linkedAddressNamesTheDeviceThatAnswered() throws {
        var book = book(FoundAddress(text: "a", source: .configured, device: device(1)))
        let dial = try #require(book.dials(at: .start) { _ in false }.first)
        book.connected(dial.id, to: device(2))
        #expect(book.entries.map(\.device) == [device(2)])
        #expect(book.entries.map(\.isDialled) == [false])
    }

    @Test func addressThatWorksIsRememberedOnce() {
        var book = book(FoundAddress(text: "a", source: .discovered))
        #expect(book.proved(address: "a", device: device(1)) == "a")
        #expect(book.proved(address: "a", device: device(1)) == nil)
        #expect(book.entries.map(\.isMember) == [true])
        #expect(book.proved(address: "a", device: device(2)) == "a", "another device is there")
        #expect(book.proved(address: "b", device: device(2)) == nil)
        book.sharesNothing("a")
        #expect(book.entries.map(\.isMember) == [false])
        #expect(book.proved(address: "a", device: device(2)) == "a")
    }

    @Test func ownAddressIsDialledAfterAChangeOfTheNetworkOnly() {
        var book = book(FoundAddress(text: "a", source: .configured))
        book.foundSelf(at: "a")
        #expect(book.dial(at: .start) == [])
        #expect(book.deadline { _ in false } == nil)
        book.retryAll(at: moment(1))
        #expect(book.dial(at: moment(1)) == [])
        book.networkChanged(at: moment(2))
        #expect(book.dial(at: moment(2)) == ["a"])
    }

    /// Anybody can announce addresses in the name of a member, so that eight of them count at most.
    @Test(arguments: [
        Retry(isMember: true, others: 7 + 5),
        Retry(isMember: false, others: 4),
    ])
    func addressesOfAMemberAreDialledAsAMembers(_ retry: Retry) {
        var wide = Limits()
        wide.dials = 100
        var book = AddressBook(limits: wide)
        for number in 10..<30 {
            let found = FoundAddress(text: "\(number)", source: .discovered, hint: 1)
            book.found(found, at: .start)
        }
        book.retry(device(1).hint, isMember: retry.isMember, at: .start)
        #expect(book.dial(at: .start) == ["10"], "the first address has a head start")
        #expect(book.dial(at: moment(250)).count == retry.others)
    }

    /// The other addresses of a device that are dialled in the first second, when five strangers
    /// are: one of the strangers is the first address, if it is no member's.
    struct Retry: Sendable {
        let isMember: Bool
        let others: Int
    }
}

extension AddressBook {
    /// The addresses that are dialled while no device is linked.
    fileprivate mutating func dial(at now: Moment) -> [String] {
        dials(at: now) { _ in false }.map(\.address)
    }
}
