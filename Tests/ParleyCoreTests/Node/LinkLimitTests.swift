import ParleyCore
import ParleyFaults
import Testing

/// As many links as there may be, and who has a place among them.
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

    /// Half of the places are not for those who share open conversations only.
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

    /// Who comes back while its old link is not known to be dead finds its place.
    @Test func sameDeviceFindsItsPlace() {
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
}
