import ParleyCore
import ParleyNode
import Testing

/// The members that are remembered, and those that are listed, are limited, and strangers of open
/// conversations do not take the places of others.
@Suite struct MemberListTests {
    /// The numbers of a closed and of an open conversation.
    private let closed: UInt32 = 1
    private let open: UInt32 = 2

    private func device(_ number: UInt64) -> DeviceID {
        DeviceID(Bytes32(number, 0, 0, 0))
    }

    // MARK: Members that were met

    /// Regression: strangers of an open conversation took all places.
    @Test func strangersUseHalfOfThePlacesAtMost() {
        var met = MetMembers(countMax: 4)
        for number in 1...4 { met.met(device(UInt64(number)), in: open, isOpen: true) }
        #expect(met.members(of: open).sorted() == [device(1), device(2)])
        for number in 5...7 { met.met(device(UInt64(number)), in: closed, isOpen: false) }
        #expect(met.members(of: closed).sorted() == [device(5), device(6)])
    }

    @Test func aMemberThatIsKnownIsMetInFurtherConversations() {
        var met = MetMembers(countMax: 2)
        met.met(device(1), in: closed, isOpen: false)
        met.met(device(2), in: closed, isOpen: false)
        met.met(device(1), in: open, isOpen: true)
        #expect(met.members(of: open) == [device(1)])
        met.left(closed)
        #expect(met.members(of: closed).isEmpty)
        #expect(met.members(of: open) == [device(1)])
    }

    // MARK: Members that are away

    @Test func membersThatAreAwayAreListedInTheirOrder() {
        let shared = [device(3): [open], device(1): [closed], device(2): [open, closed]]
        #expect(AwayMembers.listed(shared, open: [open]) == [device(1), device(2), device(3)])
    }

    /// Regression: any number of members was listed.
    @Test func membersOfOpenConversationsAreLeftOutFirst() {
        let count = UInt64(AwayMembers.countMax)
        var shared: [DeviceID: [UInt32]] = [:]
        for number in 0..<count { shared[device(number)] = [open] }
        shared[device(count)] = [open, closed]
        shared[device(count + 1)] = [closed]
        let listed = AwayMembers.listed(shared, open: [open])
        #expect(listed == (0..<count - 2).map(device) + [device(count), device(count + 1)])
    }
}
