import ParleyCore
import ParleyFaults
import Testing

/// Links that take slots, and the reasons to keep each.
@Suite struct LinkTableSlotsTests {
    private let now = Moment.start + .seconds(100)
    /// The conversation 2 is open.
    private let conversations = SampleTable([1, 2, 3], open: [2]).table

    /// A link to a device that has proved these conversations; a stranger's if there are none.
    private func link(_ number: UInt64, to device: UInt64, _ numbers: UInt32...) -> Link {
        let shared = numbers.compactMap { number in conversations.first { $0.number == number } }
        return Link(number, to: device).greeted(sharing: shared)
    }

    /// Whether there is a slot for the peer of the last link, which shares a conversation.
    private func hasSlot(
        _ table: inout LinkTable,
        sharing number: UInt32 = 1,
        of countMax: Int,
        _ step: inout Step
    ) throws -> Bool {
        table.makeSlot(
            for: table.count - 1,
            sharing: try #require(conversations.first { $0.number == number }),
            among: conversations,
            countMax: countMax,
            into: &step
        )
    }

    private func hasSlot(
        _ links: [Link],
        sharing number: UInt32 = 1,
        of countMax: Int
    ) throws -> Bool {
        var table = LinkTable(links)
        var step = Step(at: .start)
        let hasSlot = try hasSlot(&table, sharing: number, of: countMax, &step)
        #expect(step.closes == [])
        return hasSlot
    }

    // MARK: Free slots

    @Test func onlyMembersTakeSlots() throws {
        let links = [link(1, to: 2, 1), link(2, to: 3), link(3, to: 4), link(4, to: 5)]
        #expect(try hasSlot(links, of: 2))
        #expect(try !hasSlot(links, of: 1))
        #expect(try hasSlot([link(1, to: 2, 1), link(2, to: 3, 1)], of: 1), "it has one already")
    }

    /// One of two links to a device will go, also if it is the newcomer's.
    @Test func theSecondLinkToADeviceTakesNoSlot() throws {
        let newcomer = link(9, to: 9)
        let two = [link(1, to: 2, 1), link(2, to: 2, 1)]
        #expect(try hasSlot(two + [newcomer], of: 2))
        #expect(try !hasSlot(two + [newcomer], of: 1))
        #expect(try !hasSlot(two + [link(3, to: 2, 1), newcomer], of: 2), "no more than two")
        #expect(try hasSlot([link(1, to: 3, 1), link(2, to: 2, 1), link(3, to: 2)], of: 2))
    }

    @Test func openConversationsGetHalfOfTheSlots() throws {
        let links = [link(1, to: 2, 2), link(2, to: 3, 2, 1), link(3, to: 4)]
        #expect(try hasSlot(links, sharing: 2, of: 4))
        #expect(try !hasSlot(links, sharing: 2, of: 3))
        #expect(try hasSlot(links, sharing: 1, of: 3))
    }

    // MARK: Slots of others

    /// The link that ends for the peer of link 9, which was turned away before.
    @Test(arguments: [
        Replacement("the oldest", nil),
        Replacement("one to a neighbour of another", 3) { $0[2].told(of: [.device(2)]) },
        Replacement("not one whose neighbour is unknown", nil) { $0[2].told(of: [.device(7)]) },
        Replacement("a suspect one", 2) { table in
            table[1] = table[1].suspected(at: .start + .seconds(99))
        },
        Replacement("the one that says so, not those that it names", 2) {
            $0[1].told(of: [.device(2), .device(4)])
        },
    ])
    func theLinkThatIsMissedLeastEnds(_ replacement: Replacement) throws {
        var table = LinkTable([
            link(1, to: 2, 1), link(2, to: 3, 1), link(3, to: 4, 1), link(9, to: 9),
        ])
        replacement.change(&table)
        var step = Step(at: now)
        let slots = table.all.memberCount
        #expect(try !hasSlot(&table, of: slots, &step), "it has no high priority")
        table.turnAway(3, into: &step)
        #expect(step.closes == [ClosedLink(9, saying: .busy, "as many links as there may be")])
        _ = table.all.removeClosing()
        _ = table.all.insert(link(10, to: 9))
        step = Step(at: now + .seconds(2))
        #expect(try hasSlot(&table, of: slots, &step))
        let ended = ClosedLink(
            replacement.ended ?? 1,
            saying: .busy,
            "another member needs the place"
        )
        #expect(step.closes == [ended])
    }

    /// The links 1 to 3 to the devices 2 to 4, and the one that ends, the first if nil.
    struct Replacement: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ended: UInt64?
        let change: @Sendable (inout LinkTable) -> Void

        init(
            _ name: String,
            _ ended: UInt64?,
            _ change: @escaping @Sendable (inout LinkTable) -> Void = { _ in }
        ) {
            testDescription = name
            self.ended = ended
            self.change = change
        }
    }

    @Test func bothLinksToADeviceEnd() throws {
        var table = LinkTable([link(1, to: 2, 1), link(2, to: 2, 1), link(9, to: 9)])
        var step = Step(at: now)
        table.turnAway(2, into: &step)
        _ = table.all.removeClosing()
        _ = table.all.insert(link(10, to: 9))
        step = Step(at: now)
        #expect(try hasSlot(&table, of: 1, &step))
        #expect(step.closes.map(\.link) == [1, 2])
    }

    @Test func theFirstPeerOfAConversationNeedsNoPriority() throws {
        var table = LinkTable([link(1, to: 2, 1), link(2, to: 3, 1), link(9, to: 9)])
        var step = Step(at: now)
        #expect(try hasSlot(&table, sharing: 3, of: 2, &step))
        #expect(step.closes.map(\.link) == [1])
    }

    @Test func theOnlyLinkToAConversationStays() throws {
        var table = LinkTable([link(1, to: 2, 1), link(2, to: 3, 1, 2), link(9, to: 9)])
        var step = Step(at: now)
        #expect(try hasSlot(&table, sharing: 3, of: 2, &step))
        #expect(step.closes.map(\.link) == [1], "the other one is the only link to 2")
        _ = table.all.removeClosing()
        _ = table.all.insert(link(10, to: 10, 1))
        _ = table.all.insert(link(11, to: 11))
        step = Step(at: now)
        #expect(try hasSlot(&table, sharing: 3, of: 2, &step))
        #expect(step.closes.map(\.link) == [10])
    }

    // MARK: Links that ended

    /// How much a link is needed that ended with `busy`.
    @Test(arguments: [
        Ended(.onlyLink),
        Ended(others: [1], .furtherLink),
        Ended(others: [2], .onlyLink),
        Ended(isOwnDial: true, .onlyLink),
        // This node gave it up.
        Ended(isOwnDial: true, isHeard: false, .dispensable),
        // There was no slot here. A peer that dialled comes again by itself.
        Ended(isMember: false, isHeard: false, .dispensable),
        Ended(isMember: false, isOwnDial: true, isHeard: false, others: [1], .furtherLink),
    ])
    func theNeedFollowsFromTheOtherLinks(_ ended: Ended) throws {
        let shared = ended.isMember ? Array(conversations.prefix(1)) : []
        let dial = ended.isOwnDial ? DialID(1) : nil
        var table = LinkTable([Link(1, to: 2, dial: dial).greeted(sharing: shared)])
        for number in ended.others { _ = table.all.insert(link(2, to: 3, number)) }
        var step = Step(at: now)
        if ended.isHeard {
            table[0].heard(Goodbye(reason: .busy), into: &step)
        } else {
            table[0].close(saying: .busy, into: &step)
        }
        let link = try #require(table.all.removeClosing().first)
        #expect(link.cause?.reason == .busy)
        #expect(BusyWait.Need(of: link, besides: table.all) == ended.need)
    }

    /// Whether a link became a member's, which side dialled, which one ended it, and what another
    /// link shares; it shared conversation 1.
    struct Ended: Sendable {
        var isMember = true
        var isOwnDial = false
        var isHeard = true
        var others: [UInt32] = []
        let need: BusyWait.Need

        init(
            isMember: Bool = true,
            isOwnDial: Bool = false,
            isHeard: Bool = true,
            others: [UInt32] = [],
            _ need: BusyWait.Need
        ) {
            self.isMember = isMember
            self.isOwnDial = isOwnDial
            self.isHeard = isHeard
            self.others = others
            self.need = need
        }
    }
}

extension PeerAddress {
    /// An address of the device with the key of this seed.
    fileprivate static func device(_ seed: UInt64) -> PeerAddress {
        PeerAddress(device: DeviceID(seed: seed), address: "a:1")
    }
}
