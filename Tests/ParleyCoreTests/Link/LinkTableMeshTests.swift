import ParleyCore
import ParleyFaults
import Testing

/// Links that neither side needs are let go, and made again when they are needed.
@Suite struct LinkTableMeshTests {
    private let conversations = SampleTable([1, 2]).table
    private let now = Moment.start + .seconds(10)

    /// A table whose device and `count` others share conversation 1, on links that are 10 s old and
    /// settled.
    private func table(_ count: Int) throws -> LinkTable {
        let shared = try #require(conversations.first { $0.number == 1 })
        let links = try (1...count).map { number in
            var link = Link(UInt64(number), to: UInt64(number) + 1).greeted(sharing: [shared])
            try link.settle(shared)
            return link
        }
        return LinkTable(links)
    }

    /// The devices of the ring to which the own one wants links.
    private func wanted(in table: LinkTable) -> Set<DeviceID> {
        Set(Ring(of: SampleConversation.device, and: table.map(\.device)).wanted(wasPartial: false))
    }

    private func promote(
        _ table: inout LinkTable,
        with dialer: inout Dialer,
        at now: Moment
    ) {
        var random = FixedRandom.lowest
        let promotion = table.promote(
            after: dialer.takeChanges(),
            reachable: { dialer.reachableHints },
            among: conversations,
            at: now
        )
        for device in promotion.inVain {
            dialer.turnedAway(device, .dispensable, at: now, random: &random)
        }
        for device in promotion.devices { dialer.memberLost(device, at: now) }
    }

    /// The step in which links may be let go: things that are told, and links that are closed.
    @discardableResult
    private func letGo(
        _ table: inout LinkTable,
        isUsed: (LinkID) -> Bool = { _ in false }
    ) -> Step {
        var dialer = Dialer(limits: Limits())
        promote(&table, with: &dialer, at: now)
        var step = Step(at: now + .seconds(1))
        table.letGo(reachable: { dialer.reachableHints }, isUsed: isUsed, into: &step)
        return step
    }

    /// The frames that each peer is sent.
    private func frames(of table: inout LinkTable) -> [DeviceID: [Frame]] {
        var frames: [DeviceID: [Frame]] = [:]
        for index in table.indices {
            frames[table[index].device] = table[index].outbox.takeFrames()
        }
        return frames
    }

    @Test func smallMeshesStayFull() throws {
        var table = try table(7)
        let step = letGo(&table)
        #expect(table.mesh.reviewDue == nil)
        #expect(step.closes == [])
        #expect(frames(of: &table).values.allSatisfy { $0 == [] })
    }

    @Test func peersAreToldWhichLinksAreNotNeeded() throws {
        var table = try table(20)
        let wanted = wanted(in: table)
        let step = letGo(&table)
        #expect(step.closes == [], "the peers may need them")
        for (device, frames) in frames(of: &table) {
            #expect(frames == (wanted.contains(device) ? [] : [.spare(true)]))
        }
        letGo(&table)
        #expect(frames(of: &table).values.allSatisfy { $0 == [] }, "it is said once")
    }

    @Test func linksEndOnceNeitherSideNeedsThem() throws {
        var table = try table(20)
        let wanted = wanted(in: table)
        var before = Step(at: now)
        for index in table.indices { table[index].spareReceived(true, into: &before) }
        #expect(before.closes == [], "this side needs them, as far as it knows")
        var step = letGo(&table)
        #expect(step.closes.count == 20 - wanted.count)
        #expect(step.closes.allSatisfy { $0.cause == .said(.spare, "reached through others") })
        for link in table.removeClosing(into: &step) {
            let isLetGo = table.noteLetGo(link, at: now)
            #expect(isLetGo && !wanted.contains(link.device))
        }
        #expect(table.mesh.passiveView.peers.count == 20 - wanted.count)
        #expect(Set(table.linkedHints).count == 20, "nobody is dialled")
    }

    @Test func thePeerEndsItToo() throws {
        var table = try table(20)
        let wanted = wanted(in: table)
        letGo(&table)
        let spare = try #require(table.indices.first { !wanted.contains(table[$0].device) })
        var step = Step(at: now)
        table[spare].spareReceived(true, into: &step)
        #expect(step.closes.map(\.link) == [table[spare].id.value])
    }

    /// A peer that says so alone is dialled again like one that was lost.
    @Test func onlyWhatThisSideDoesNotNeedIsLetGo() throws {
        var table = try table(20)
        var step = Step(at: now)
        table[0].heard(Goodbye(reason: .spare), into: &step)
        let ended = try #require(table.removeClosing(into: &step).first)
        let isLetGo = table.noteLetGo(ended, at: now)
        #expect(!isLetGo)
        #expect(table.mesh.passiveView.isEmpty)
    }

    @Test(arguments: ["young", "suspect", "used", "unsettled"])
    func busyLinksAreKept(_ why: String) throws {
        var table = try table(20)
        let wanted = wanted(in: table)
        let spare = try #require(table.indices.first { !wanted.contains(table[$0].device) })
        let number = table[spare].id
        let shared = try #require(conversations.first { $0.number == 1 })
        switch why {
        case "young":
            var link = Link(number.value, to: number.value + 1, at: now).greeted(sharing: [shared])
            try link.settle(shared)
            table[spare] = link
        case "suspect": table[spare] = table[spare].suspected(at: now)
        case "unsettled":
            table[spare] = Link(number.value, to: number.value + 1).greeted(sharing: [shared])
        default: break
        }
        letGo(&table) { why == "used" && $0 == number }
        #expect(frames(of: &table)[table[spare].device] == [])
        #expect((table.mesh.reviewDue != nil) == (why != "suspect"), "it is looked at again")
    }

    /// While a link that is needed does not work, no other one is given up.
    @Test func nothingIsLetGoWhileALinkIsMissing() throws {
        var table = try table(20)
        letGo(&table)
        let wanted = wanted(in: table)
        var step = Step(at: now)
        for index in table.indices { table[index].spareReceived(true, into: &step) }
        for link in table.removeClosing(into: &step) { _ = table.noteLetGo(link, at: now) }
        let lost = try #require(table.indices.first { wanted.contains(table[$0].device) })
        table.all.lost(table[lost].id, "reset", into: &step)
        for link in table.removeClosing(into: &step) { _ = table.noteLetGo(link, at: now) }
        var dialer = Dialer(limits: Limits())
        for peer in table.mesh.passiveView.peers {
            let found = FoundAddress(
                text: peer.device.hex,
                source: .configured,
                device: peer.device
            )
            dialer.found(found, at: now)
        }
        promote(&table, with: &dialer, at: now)
        let promoted = table.mesh.passiveView.peers.filter(\.isPromoted).map(\.device)
        #expect(!promoted.isEmpty, "others are needed instead")
        let dials = dialer.dials(at: now, linked: { table.linkedHints })
        #expect(Set(dials.map(\.address)) == Set(promoted.map(\.hex)))
        // In vain: they are forgotten, and further ones are needed.
        promote(&table, with: &dialer, at: now + .milliseconds(500))
        #expect(!table.mesh.passiveView.peers.contains { promoted.contains($0.device) })
    }
}

extension Link {
    /// Both sides have begun the feed of a conversation, and nothing is on its way.
    fileprivate mutating func settle(_ conversation: Conversation) throws {
        try replications[0].feedRequested(
            FeedRequest(conversation: 0, since: .beginning, ownIncarnation: 1, ownPosition: 0),
            of: conversation,
            at: .start
        )
        _ = outbox.takeFrames()
    }
}
