import ParleyCore
import ParleyFaults
import Testing

/// As many links as there may be, and who has a slot among them.
@Suite struct LinkLimitTests {
    private let table = SimulatedConversation(1)
    private let lobby = SimulatedConversation(2, name: "lobby", isOpen: true)

    private var limits: Limits {
        var limits = Limits()
        limits.links = 4
        return limits
    }

    @Test func oneTooManyIsTurnedAway() {
        var puppet = Puppet(limits: limits)
        for number in UInt64(2)...6 {
            puppet.meet(SimulatedCryptography(seed: number), on: LinkID(number))
        }
        #expect(puppet.machine.links.map(\.id.value) == [2, 3, 4, 5])
        #expect(puppet.closes.map(\.link.value) == [6])
        guard case .said(.busy, _)? = puppet.closes.first?.cause else {
            Issue.record("the reason is not that there are too many")
            return
        }
    }

    /// Half of the slots are not for those who share open conversations only.
    @Test func openConversationsLeaveRoom() {
        var puppet = Puppet(table: lobby, limits: limits)
        puppet.handle(.joined(table.record(number: 2, role: .writer, device: puppet.nodeDevice)))
        for number in UInt64(2)...5 {
            puppet.meet(SimulatedCryptography(seed: number), on: LinkID(number))
        }
        #expect(puppet.machine.links.map(\.id.value) == [2, 3])
        for number in UInt64(6)...8 {
            // The open one is the first in the list, and does not decide.
            puppet.meet(
                SimulatedCryptography(seed: number),
                on: LinkID(number),
                in: [lobby, table]
            )
        }
        #expect(puppet.machine.links.map(\.id.value) == [2, 3, 6, 7])
    }

    /// A node that comes back while its old link is not known to be dead finds its slot.
    @Test func sameDeviceFindsItsSlot() {
        var puppet = Puppet(limits: limits)
        for number in UInt64(2)...5 {
            puppet.meet(SimulatedCryptography(seed: number), on: LinkID(number))
        }
        puppet.meet(SimulatedCryptography(seed: 3), on: LinkID(9))
        let busy = puppet.closes.count { close in
            if case .said(.busy, _) = close.cause { true } else { false }
        }
        #expect(busy == 0)
    }

    // MARK: Devices that need a slot

    /// A puppet that is linked with the devices 2 to 5, each at an address of its own, and so has
    /// no free slot, for as long as they keep their slots in any case.
    private func full() -> Puppet {
        var puppet = Puppet(limits: limits)
        for number in UInt64(2)...5 { puppet.come(number) }
        puppet.wait(LinkSlots.tenure)
        return puppet
    }

    /// A node that comes again soon after it was turned away gets the slot of another one.
    @Test(arguments: [
        Return(milliseconds: 500, links: [3, 4, 5, 16]),
        Return(milliseconds: 5_000, links: [3, 4, 5, 16]),
        Return(milliseconds: 7_500, links: [2, 3, 4, 5]),
    ])
    func whoComesAgainSoonGetsAPlace(_ visit: Return) {
        var puppet = full()
        puppet.come(6)
        #expect(puppet.busy == [6])
        puppet.wait(.milliseconds(visit.milliseconds))
        puppet.come(6, on: 16)
        #expect(puppet.machine.links.map(\.id.value) == visit.links)
        #expect(puppet.busy == [6, visit.links.contains(16) ? 2 : 16])
    }

    /// The time after which a peer comes again, and the links then.
    struct Return: Sendable {
        let milliseconds: Int64
        let links: [UInt64]
    }

    /// Otherwise nothing of that conversation would come through.
    @Test func theFirstPeerOfAConversationGetsAPlaceAtOnce() {
        var puppet = full()
        let other = SimulatedConversation(7)
        puppet.handle(.joined(other.record(number: 2, role: .writer, device: puppet.nodeDevice)))
        puppet.come(6, in: other)
        #expect(puppet.machine.links.map(\.id.value) == [3, 4, 5, 6])
        puppet.come(7, in: other)
        #expect(puppet.busy == [2, 7])
    }

    /// Peers that prove nothing take no slot, however many they are and however often they come.
    @Test func strangersTakeNoSlot() {
        var puppet = Puppet(limits: limits)
        let unknown = SimulatedConversation(9)
        for number in UInt64(100)..<120 { puppet.come(number, in: unknown) }
        for number in UInt64(2)...5 { puppet.come(number) }
        for number in UInt64(120)..<140 { puppet.come(number, in: unknown) }
        for number in UInt64(100)..<120 { puppet.come(number, on: 1_000 + number, in: unknown) }
        let members = puppet.machine.links.filter(\.isMember).map(\.id.value)
        #expect(members == [2, 3, 4, 5])
        #expect(puppet.busy == [])
        puppet.pass(.seconds(6))
        #expect(puppet.machine.links.map(\.id.value) == [2, 3, 4, 5])
    }

    /// Members at one address that say nothing give way, and none of them takes a slot back from
    /// somebody else.
    @Test func aCrowdAtOneAddressGivesWay() {
        var puppet = Puppet(limits: limits)
        for number in UInt64(2)...5 { puppet.come(number, from: "crowd:\(number)") }
        puppet.wait(LinkSlots.tenure)
        for number in UInt64(6)...8 {
            puppet.come(number)
            puppet.come(number, on: 10 + number)
            puppet.wait(LinkSlots.tenure)
            for other in UInt64(20)...25 {
                puppet.come(other, on: 100 * number + other, from: "crowd:\(other)")
                puppet.come(other, on: 200 * number + other, from: "crowd:\(other)")
            }
            #expect(puppet.machine.links.contains { $0.id.value == 10 + number })
            puppet.wait(LinkSlots.tenure)
        }
        let honest = puppet.machine.links.filter { !$0.address.hasPrefix("crowd") }
        #expect(honest.map(\.id.value) == [16, 17, 18])
    }
}

extension Puppet {
    /// A device links from an address of its own, if none is given, and proves a conversation.
    fileprivate mutating func come(
        _ number: UInt64,
        on link: UInt64? = nil,
        in conversation: SimulatedConversation? = nil,
        from address: String? = nil
    ) {
        meet(
            SimulatedCryptography(seed: number),
            on: LinkID(link ?? number),
            in: conversation.map { [$0] },
            from: address ?? "host-\(number):1"
        )
    }

    /// Lets time pass in which all peers answer what is expected of them.
    fileprivate mutating func wait(_ interval: Interval) {
        let end = now + interval
        while now < end {
            pass(min(.milliseconds(500), end - now))
            for link in machine.links where link.isMember { send(.pong(0), on: link.id) }
        }
    }

    /// The links that the node ended because there was no slot for them.
    fileprivate var busy: [UInt64] {
        closes.filter { $0.cause.reason == .busy }.map(\.link.value)
    }
}
