import ParleyCore
import ParleyFaults
import Testing

/// Two links to one device: which one stays, and who decides.
@Suite struct LinkTableDuplicatesTests {
    private let one = SampleConversation().conversation
    private let now = Moment.start + .seconds(60)
    private let device = DeviceID(seed: 2)

    private var young: Moment { now }
    private var established: Moment { .start }

    private func member(_ number: UInt64, nonce: UInt64 = 1, openedAt: Moment) -> Link {
        Link(number, to: 2, at: openedAt).greeted(nonce: nonce, sharing: [one])
    }

    private func settle(
        _ table: inout LinkTable,
        isHigher: Bool = true,
        newcomer: Int? = nil
    ) -> LinkList.DuplicateStep? {
        let own = DeviceID(isHigher ? Bytes32(.max, 0, 0, 0) : .zero)
        return table.all.settleDuplicates(
            of: LinkList.Process(device: device, nonce: 1),
            from: LinkList.Process(device: own, nonce: 9),
            newcomer: newcomer,
            at: now
        )
    }

    // MARK: One process

    @Test func oneLinkIsNoDuplicate() {
        var table = LinkTable([
            member(1, openedAt: established), member(2, nonce: 7, openedAt: young),
            Link(3, to: 2, at: young).greeted(nonce: 1),
            Link(4, to: 3, at: young).greeted(nonce: 1, sharing: [one]),
        ])
        #expect(settle(&table) == nil)
    }

    @Test func theLowerSideDecidesNothing() {
        var table = LinkTable([member(1, openedAt: young), member(2, openedAt: young)])
        #expect(settle(&table, isHigher: false) == nil)
        #expect(settle(&table) == .close(1))
    }

    @Test func betweenProcessesOfOneDeviceTheHigherNonceDecides() {
        for (nonce, step) in [
            (UInt64(0), nil), (1, nil), (2, LinkList.DuplicateStep.close(1)),
        ] {
            var table = LinkTable([member(1, openedAt: young), member(2, openedAt: young)])
            let answer = table.all.settleDuplicates(
                of: LinkList.Process(device: device, nonce: 1),
                from: LinkList.Process(device: device, nonce: nonce),
                at: now
            )
            #expect(answer == step)
        }
    }

    @Test func aYoungOlderLinkStays() {
        var table = LinkTable([member(1, openedAt: young), member(2, openedAt: young)])
        #expect(settle(&table) == .close(1))
        #expect(table.allSatisfy { $0.duplicate == nil })
    }

    @Test func anOlderLinkThatDoesNotAnswerGoes() {
        var table = LinkTable([
            member(1, openedAt: established).suspected(at: now), member(2, openedAt: young),
        ])
        #expect(settle(&table) == .close(0))
    }

    @Test func anEstablishedLinkIsAskedOnce() {
        var table = LinkTable([member(1, openedAt: established), member(2, openedAt: young)])
        #expect(settle(&table) == .ask(0))
        #expect(table[0].duplicate?.matter == .sameProcess)
        #expect(table[0].duplicate?.rival == LinkID(2))
        #expect(table[0].duplicate?.deadline == now + DuplicateCheck.patience)
        #expect(table[1].duplicate == nil)
        table[0].liveness.heard(at: now)
        #expect(table.deadline == now + DuplicateCheck.patience)
        // While it is being asked, the newer one waits, and a third one goes.
        #expect(settle(&table) == nil)
        _ = table.all.insert(member(3, openedAt: young))
        #expect(settle(&table) == .close(2))
    }

    @Test func anAgeOfTenSecondsIsEstablished() {
        let age = DuplicateCheck.established
        for (nanoseconds, step) in [
            (now.nanoseconds - age.nanoseconds, LinkList.DuplicateStep.ask(0)),
            (now.nanoseconds - age.nanoseconds + 1, .close(1)),
        ] {
            let openedAt = Moment(nanoseconds: nanoseconds)
            var table = LinkTable([member(1, openedAt: openedAt), member(2, openedAt: young)])
            #expect(settle(&table) == step)
        }
    }

    @Test func aNewcomerIsTheNewestWhateverItsNumber() {
        var table = LinkTable([member(1, openedAt: young), member(2, openedAt: young)])
        #expect(settle(&table, newcomer: 0) == .close(0))
        let process = table.all.process(of: 0)
        #expect(table.all.members(of: process, newcomer: 0) == [1, 0])
        #expect(table.all.members(of: process) == [0, 1])
    }

    // MARK: Other processes

    @Test func linksToOtherProcessesOfTheDeviceAreAsked() {
        var table = LinkTable([
            member(1, nonce: 1, openedAt: established), member(2, nonce: 2, openedAt: young),
            member(3, nonce: 3, openedAt: young), Link(4, to: 2).greeted(nonce: 1),
            Link(5, to: 3).greeted(nonce: 1, sharing: [one]),
        ])
        #expect(table.all.askOtherProcesses(of: 2, at: now) == [0, 1])
        for index in [0, 1] {
            #expect(table[index].duplicate?.matter == .otherProcess)
            #expect(table[index].duplicate?.rival == LinkID(3))
            #expect(table[index].duplicate?.deadline == now + DuplicateCheck.patience)
        }
        #expect(table.all.askOtherProcesses(of: 2, at: now) == [])
        #expect(table.all.askOtherProcesses(of: 0, at: now) == [2])
    }
}
