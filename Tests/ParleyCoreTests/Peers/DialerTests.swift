import ParleyCore
import Testing

/// A dialer dials addresses after each event, and says when to ask it again.
struct DialerTests {
    private let member = DeviceID(Bytes32(1, 0, 0, 0))

    private func moment(_ milliseconds: Int64) -> Moment {
        .start + .milliseconds(milliseconds)
    }

    /// A dialer that knows one address, which it has dialled at the start.
    private func dialling(_ source: FoundAddress.Source = .configured) throws -> (Dialer, DialID) {
        var dialer = Dialer(limits: Limits())
        dialer.found(FoundAddress(text: "a", source: source), at: .start)
        let dial = try #require(dialer.dials(at: .start) { [] }.first)
        return (dialer, dial.id)
    }

    /// A dialer whose dial made a link to the member.
    private func linked(_ source: FoundAddress.Source = .configured) throws -> Dialer {
        var (dialer, dial) = try dialling(source)
        dialer.linkOpened(dial, to: member, at: .start)
        #expect(dialer.dial(at: .start, linked: [member]) == [])
        return dialer
    }

    // MARK: Dials

    @Test func foundAddressIsDialledOnce() {
        var dialer = Dialer(limits: Limits())
        #expect(dialer.dial(at: .start) == [])
        dialer.found(FoundAddress(text: "a", source: .configured), at: .start)
        #expect(dialer.dial(at: .start) == ["a"])
        #expect(dialer.dial(at: .start) == [])
        #expect(dialer.deadline == nil)
    }

    @Test func rememberedAddressIsAMembers() {
        var dialer = Dialer(limits: Limits())
        dialer.found(FoundAddress(text: "a", source: .discovered), at: .start)
        dialer.remembered(RememberedAddress(device: member, text: "b"))
        #expect(dialer.book.entries.map(\.isMember) == [false, true])
        #expect(dialer.dial(at: .start) == ["b", "a"])
    }

    /// The links are looked through only when there may be something to dial.
    @Test func linksAreAskedForWhenADialIsDue() throws {
        var (dialer, dial) = try dialling()
        var random = FixedRandom.lowest
        dialer.failed(dial, "refused", at: .start, random: &random)
        var asked: [Int64] = []
        for time in [Int64(0), 1, 199, 200, 201] {
            _ = dialer.dials(at: moment(time)) {
                asked.append(time)
                return []
            }
        }
        #expect(asked == [0, 200])
    }

    @Test func lostAddressIsNotDialled() {
        var dialer = Dialer(limits: Limits())
        dialer.found(FoundAddress(text: "a", source: .discovered), at: .start)
        dialer.lost("a")
        #expect(dialer.dial(at: .start) == [])
    }

    // MARK: Ends of dials

    @Test func failedDialIsMadeAgainAfterAWait() throws {
        var (dialer, dial) = try dialling()
        var random = FixedRandom.lowest
        dialer.failed(dial, "refused", at: moment(50), random: &random)
        #expect(dialer.dial(at: moment(50)) == [])
        #expect(dialer.deadline == moment(200))
        #expect(dialer.dial(at: moment(199)) == [])
        #expect(dialer.dial(at: moment(200)) == ["a"])
    }

    @Test func linkEndsTheDial() throws {
        var (dialer, dial) = try dialling()
        dialer.found(
            FoundAddress(text: "b", source: .configured, device: member),
            at: moment(10)
        )
        #expect(dialer.dial(at: moment(10)) == ["b"])
        dialer.linkOpened(dial, to: member, at: moment(20))
        #expect(dialer.book.entries.map(\.isDialled) == [false, true], "the other one goes on")
        dialer.linkOpened(DialID(2), to: member, at: moment(30))
        #expect(dialer.book.entries.map(\.isDialled) == [false, false])
        #expect(dialer.book.entries.map(\.device) == [member, member])
    }

    @Test func ownAddressIsDialledAfterAChangeOfTheNetworkOnly() throws {
        var dialer = try linked()
        dialer.foundSelf(at: "a")
        dialer.joined(at: moment(1))
        #expect(dialer.dial(at: moment(1)) == [])
        dialer.networkChanged(at: moment(2))
        #expect(dialer.dial(at: moment(2)) == ["a"])
    }

    // MARK: Links

    /// The fate of a link decides when its address is dialled again; a wait is the first one of
    /// a back-off without jitter.
    @Test(arguments: [
        LinkEvent(.suspected, redialled: 0),
        LinkEvent(.ended, redialled: 200),
        LinkEvent(.ended, source: .discovered, redialled: 1_000),
        LinkEvent(.lost, redialled: 0),
        LinkEvent(.none, redialled: nil),
        LinkEvent(.joined, redialled: nil),
    ])
    func addressIsDialledAfter(_ event: LinkEvent) throws {
        var dialer = try linked(event.source)
        var random = FixedRandom.lowest
        let now = moment(5_000)
        switch event.kind {
        case .none: break
        case .joined: dialer.joined(at: now)
        case .suspected: dialer.suspected(member, isMember: true, at: now)
        case .ended, .lost:
            dialer.linksChanged(at: now)
            dialer.linkEnded("a", at: now, random: &random)
            let loss: Dialer.Loss = event.kind == .lost ? .member : .other
            dialer.linkEnded(to: member, loss, at: now, random: &random)
        }
        let isLinked = [.none, .joined].contains(event.kind)
        let linked = isLinked ? [member] : []
        guard let wait = event.redialled else {
            #expect(dialer.dial(at: now + .seconds(600), linked: linked) == [])
            return
        }
        if wait > 0 {
            #expect(dialer.dial(at: now + .milliseconds(wait - 1), linked: linked) == [])
            #expect(dialer.deadline == now + .milliseconds(wait))
        }
        #expect(dialer.dial(at: now + .milliseconds(wait), linked: linked) == ["a"])
    }

    /// An event of a link after five seconds, and how many milliseconds later its address is
    /// dialled, nil if not.
    struct LinkEvent: Sendable {
        enum Kind { case none, joined, suspected, ended, lost }

        let kind: Kind
        let source: FoundAddress.Source
        let redialled: Int64?

        init(_ kind: Kind, source: FoundAddress.Source = .configured, redialled: Int64?) {
            self.kind = kind
            self.source = source
            self.redialled = redialled
        }
    }

    /// A member that always made the link itself is dialled as a member when it is silent, and so
    /// before a stranger.
    @Test(arguments: [true, false])
    func silentMemberIsDialledBeforeStrangers(isMember: Bool) {
        var dialer = Dialer(limits: Limits())
        let announced = FoundAddress(text: "b", source: .discovered, hint: member.hint)
        dialer.found(announced, at: .start)
        dialer.linkOpened(nil, to: member, at: .start)
        #expect(dialer.dial(at: .start, linked: [member]) == [])
        dialer.found(FoundAddress(text: "a", source: .discovered), at: .start)
        dialer.suspected(member, isMember: isMember, at: .start)
        #expect(dialer.dial(at: .start) == (isMember ? ["b", "a"] : ["a", "b"]))
    }

    @Test func changedLinksAreLookedAtAgain() throws {
        var dialer = try linked()
        #expect(dialer.dial(at: moment(1)) == [], "no entry changed, and nothing is due")
        dialer.linksChanged(at: moment(2))
        #expect(dialer.dial(at: moment(1)) == [])
        #expect(dialer.deadline == moment(2))
        #expect(dialer.dial(at: moment(2)) == ["a"])
    }

    // MARK: Members

    @Test func addressOfAMemberIsKeptOnce() throws {
        var dialer = try linked(.discovered)
        #expect(dialer.memberProved(at: "a", device: member) == "a")
        #expect(dialer.memberProved(at: "a", device: member) == nil)
        dialer.sharedNothing(at: "a")
        #expect(dialer.memberProved(at: "a", device: member) == "a")
    }

    @Test func addressesOfMembersAreTold() {
        var dialer = Dialer(limits: Limits())
        dialer.remembered(RememberedAddress(device: member, text: "a"))
        dialer.remembered(RememberedAddress(device: DeviceID(Bytes32(2, 0, 0, 0)), text: "b"))
        dialer.found(FoundAddress(text: "c", source: .told, device: member), at: .start)
        dialer.remembered(RememberedAddress(device: member, text: "[fe80::1%eth0]:1"))
        #expect(
            dialer.addresses(ofMember: member) == [PeerAddress(device: member, address: "a")]
        )
        _ = dialer.memberProved(at: "c", device: member)
        #expect(dialer.addresses(ofMember: member).map(\.address) == ["a", "c"])
    }

    /// Regression: who asked a device once dialled it for ever, and one that was declined too.
    @Test func aDeviceIsDialledOftenAsLongAsAPersonWaitsForIt() {
        var dialer = Dialer(limits: Limits())
        dialer.found(FoundAddress(text: "a", source: .discovered, device: member), at: .start)
        #expect([0, 500].map { dialer.dialInVain(at: moment($0)) } == [true, false])
        dialer.personAwaits(member.hint, at: moment(510))
        #expect([510, 710].map { dialer.dialInVain(at: moment($0)) } == [true, true])
        dialer.personAwaits(member.hint, at: moment(720))
        #expect([720].map { dialer.dialInVain(at: moment($0)) } == [false], "the same wish")
        dialer.lost("a")
        #expect(dialer.book.entries.count == 1, "the device may be there all the same")
        dialer.personAwaits(nil, at: moment(30))
        #expect(dialer.book.entries.isEmpty)
    }

    @Test func toldAddressesAreDialledUnlessTheyLeadNowhere() {
        // The shell knows what an address means.
        var dialer = Dialer(limits: Limits()) { told, link in told != "d:1" || link == "local" }
        let own = DeviceID(Bytes32(9, 0, 0, 0))
        dialer.told(
            of: [
                PeerAddress(device: own, address: "a:1"),
                PeerAddress(device: member, address: "[fe80::1%eth0]:1"),
                PeerAddress(device: member, address: "b:1"),
                PeerAddress(device: DeviceID(Bytes32(2, 0, 0, 0)), address: "c:1"),
                PeerAddress(device: member, address: "d:1"),
            ],
            by: "there",
            besides: own,
            at: moment(7)
        )
        #expect(dialer.book.entries.map(\.address) == ["b:1", "c:1"])
        #expect(dialer.book.entries.map(\.hint) == [1, 2])
        #expect(dialer.book.entries.allSatisfy { !$0.isMember }, "only a link proves a member")
        #expect(dialer.dial(at: moment(6)) == [])
        #expect(dialer.dial(at: moment(7), linked: [member]) == ["c:1"])
        let local = PeerAddress(device: member, address: "d:1")
        dialer.told(of: [local], by: "local", besides: own, at: moment(7))
        #expect(dialer.book.entries.map(\.address) == ["b:1", "c:1", "d:1"])
    }

    /// A peer may tell as many addresses as it likes, in the name of anybody.
    @Test func fewToldAddressesOfADeviceAreKept() {
        var dialer = Dialer(limits: Limits())
        let own = DeviceID(Bytes32(9, 0, 0, 0))
        let told = (0..<64).map { PeerAddress(device: member, address: "host\($0):1") }
        dialer.told(of: told, by: "there", besides: own, at: moment(0))
        #expect(dialer.book.entries.count == 4)
        dialer.found(FoundAddress(text: "a:1", source: .discovered, device: member), at: moment(0))
        #expect(dialer.book.entries.count == 5, "others are not affected")
    }

    /// Regression: four wrong addresses kept the right one of their device out for good.
    @Test func anAddressThatWasDialledInVainGivesWay() throws {
        var dialer = Dialer(limits: Limits())
        let own = DeviceID(Bytes32(9, 0, 0, 0))
        let wrong = (0..<4).map { PeerAddress(device: member, address: "wrong\($0):1") }
        let right = PeerAddress(device: member, address: "right:1")
        dialer.told(of: wrong, by: "there", besides: own, at: moment(0))
        dialer.told(of: [right], by: "there", besides: own, at: moment(0))
        #expect(!dialer.book.entries.map(\.address).contains("right:1"), "none was tried yet")
        let dial = try #require(dialer.dials(at: moment(1)) { [] }.first)
        var random = FixedRandom.lowest
        dialer.failed(dial.id, "refused", at: moment(2), random: &random)
        dialer.told(of: [right], by: "there", besides: own, at: moment(3))
        #expect(dialer.book.entries.map(\.address).contains("right:1"))
        #expect(dialer.book.entries.count == 4)
    }

    /// A name means nothing elsewhere, and asks name servers for it; its number was reached.
    @Test func theNumberOfANameIsTold() {
        var dialer = Dialer(limits: Limits()) { told, _ in told != "kitchen:1" }
        dialer.found(FoundAddress(text: "kitchen:1", source: .configured), at: .start)
        let dial = dialer.dials(at: .start) { [] }.first?.id
        dialer.linkOpened(dial, to: member, at: .start, reaching: "192.0.2.7:1")
        _ = dialer.memberProved(at: "kitchen:1", device: member)
        #expect(dialer.addresses(ofMember: member).map(\.address) == ["192.0.2.7:1"])
    }
}

extension Dialer {
    /// The addresses that are dialled while these devices are linked.
    fileprivate mutating func dial(at now: Moment, linked: [DeviceID] = []) -> [String] {
        dials(at: now) { linked.map(\.hint) }.map(\.address)
    }

    /// Whether an address is due, which does not answer.
    fileprivate mutating func dialInVain(at now: Moment) -> Bool {
        guard let dial = dials(at: now, linked: { [] }).first else { return false }
        var random = FixedRandom.lowest
        failed(dial.id, "refused", at: now, random: &random)
        return true
    }
}
