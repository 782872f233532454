import ParleyCore
import Testing

/// The news of envelopes, of the disk and of other links for all links of a conversation.
@Suite struct LinkTableReplicationTests {
    private let one = SampleConversation().conversation
    private let two = SampleConversation.other(2)
    private let missing = HaveEntry(1).name
    private let other = HaveEntry(2).name

    /// A member's link whose peer calls conversations by their numbers, as this side does, and
    /// whose feeds have come to these positions in the incarnation 7.
    private func link(
        _ number: UInt64,
        to device: UInt64 = 2,
        of conversations: [Conversation],
        upTo position: UInt64,
        missing: [EnvelopeName] = []
    ) throws -> Link {
        var link = Link(number, to: device).greeted()
        for (index, conversation) in conversations.enumerated() {
            link.share(conversation, (own: conversation.number, peer: conversation.number))
            let request = FeedRequest(
                conversation: conversation.number,
                since: .beginning,
                ownIncarnation: 7,
                ownPosition: position
            )
            try link.replications[index].feedRequested(request, of: conversation, at: .start)
            for name in missing {
                link.replications[index].misses(name)
            }
            link.replications[index].received(position: position)
        }
        return link
    }

    /// The positions of all feeds that the disk does not know, by link and conversation.
    private func unsaved(_ table: LinkTable) -> [[UInt64?]] {
        table.map { link in link.replications.map { $0.unsavedCursor?.position } }
    }

    // MARK: Envelopes

    /// Nothing behind a missing envelope counts until it came, from whichever peer.
    @Test func anEnvelopeThatCameIsMissingOnNoLink() throws {
        var table = LinkTable([
            try link(1, of: [one], upTo: 5, missing: [missing]),
            try link(2, of: [two, one], upTo: 6, missing: [missing, other]),
            try link(3, of: [two], upTo: 7, missing: [missing]),
        ])
        _ = table.all.insert(Link(4))
        #expect(unsaved(table) == [[nil], [nil, nil], [nil], []])
        table.all.settled([], of: 1)
        table.all.settled([missing], of: 3)
        #expect(unsaved(table) == [[nil], [nil, nil], [nil], []])
        table.all.settled([missing], of: 1)
        #expect(unsaved(table) == [[5], [nil, nil], [nil], []])
        table.all.settled([other, missing], of: 2)
        #expect(unsaved(table) == [[5], [6, nil], [7], []])
        table.all.settled([other], of: 1)
        #expect(unsaved(table) == [[5], [6, 6], [7], []])
    }

    @Test func anEnvelopeThatIsNotTakenHoldsTheFeedsThatAnnouncedIt() throws {
        var table = LinkTable([
            try link(1, of: [one], upTo: 5, missing: [missing, other]),
            try link(2, of: [one], upTo: 5, missing: [other]),
            try link(3, of: [two, one], upTo: 5, missing: [missing]),
        ])
        let held = { (table: LinkTable) in table.map { $0.replications.map(\.isHeld) } }
        table.all.hold(missing: missing, of: 3)
        #expect(held(table) == [[false], [false], [false, false]])
        table.all.hold(missing: missing, of: 1)
        #expect(held(table) == [[true], [false], [false, true]])
        // Envelopes that are held are announced once, and no position of theirs is saved.
        table.all.settled([missing, other], of: 1)
        #expect(unsaved(table) == [[nil], [5], [nil, nil]])
        table.all.confirm(issued: Ticket(0), committed: Ticket(0), at: .start)
        table.all.confirm(issued: Ticket(0), committed: Ticket(0), at: .start)
        let said = table.indices.map { table[$0].outbox.takeFrames() }
        let full = Frame.stored(Stored(conversation: 1, position: 0, isFull: true))
        #expect(said[0] == [full])
        #expect(said[2] == [full])
    }

    // MARK: Our disk

    /// The positions that are sent to two peers; their feeds came to 5 with the commit 1, and to 8
    /// with the commit 2.
    @Test(arguments: [
        Confirmation(committed: [0, 0], confirmed: []),
        Confirmation(committed: [0, 1], confirmed: [5]),
        Confirmation(committed: [1, 1], confirmed: [5]),
        Confirmation(committed: [1, 2], confirmed: [5, 8]),
        Confirmation(committed: [0, 2], confirmed: [8]),
        Confirmation(committed: [0, 2, 2], confirmed: [8]),
    ])
    func peersHearWhatIsOnDisk(_ confirmation: Confirmation) throws {
        var table = LinkTable([
            try link(1, of: [one, two], upTo: 5), try link(2, of: [two], upTo: 5),
        ])
        for (step, committed) in confirmation.committed.enumerated() {
            if step == 1 {
                for index in table.indices {
                    for replication in table[index].replications.indices {
                        table[index].replications[replication].received(position: 8)
                    }
                }
            }
            let issued = Ticket(UInt64(min(step, 1) + 1))
            table.all.confirm(issued: issued, committed: Ticket(committed), at: .start)
        }
        let frames = { (conversations: [UInt32]) in
            confirmation.confirmed.flatMap { position in
                conversations.map { Frame.stored(Stored(conversation: $0, position: position)) }
            }
        }
        #expect(table[0].outbox.takeFrames() == frames([1, 2]))
        #expect(table[1].outbox.takeFrames() == frames([2]))
    }

    /// The ticket that is committed at each of some steps, and the positions that are confirmed.
    struct Confirmation: Sendable {
        let committed: [UInt64]
        let confirmed: [UInt64]
    }

    @Test func unsavedCursorsAreTakenOnceInTheOrderOfLinks() throws {
        var table = LinkTable([
            try link(1, to: 3, of: [two, one], upTo: 5),
            try link(2, to: 2, of: [one], upTo: 6),
            try link(3, to: 4, of: [one], upTo: 0),
        ])
        #expect(table.all.haveUnsavedCursors)
        let here = table.all.takeUnsavedCursors { number, _ in number == 1 ? true : nil }
        #expect(here.map(\.conversation) == [1, 1])
        #expect(here.map(\.peer) == [DeviceID(seed: 3), DeviceID(seed: 2)])
        #expect(
            here.map(\.cursor) == [
                FeedCursor(incarnation: 7, position: 5), FeedCursor(incarnation: 7, position: 6),
            ]
        )
        // A conversation that is not here keeps its cursor.
        #expect(table.all.haveUnsavedCursors)
        let rest = table.all.takeUnsavedCursors { _, _ in true }
        #expect(rest.map(\.conversation) == [2])
        #expect(!table.all.haveUnsavedCursors)
        #expect(table.all.takeUnsavedCursors { _, _ in true }.isEmpty)
        table[1].replications[0].received(position: 9)
        #expect(table.all.haveUnsavedCursors)
        let later = table.all.takeUnsavedCursors { _, _ in true }
        #expect(later.map(\.cursor) == [FeedCursor(incarnation: 7, position: 9)])
        // One that is not to be kept does not wait to be written either.
        table[1].replications[0].received(position: 10)
        #expect(table.all.takeUnsavedCursors { _, _ in false }.isEmpty)
        #expect(!table.all.haveUnsavedCursors)
    }

    // MARK: Addresses

    private func addresses(of device: UInt64, count: Int = 1) -> [PeerAddress] {
        (0..<count).map { PeerAddress(device: DeviceID(seed: device), address: "\(device):\($0)") }
    }

    private func peers(_ conversation: UInt32, _ addresses: [PeerAddress]) -> [Frame] {
        [.peers(PeerAddresses(conversation: conversation, peers: addresses))]
    }

    @Test func aNewMemberAndTheOthersHearOfOneAnother() throws {
        var table = LinkTable([
            try link(1, to: 2, of: [one], upTo: 0),
            try link(2, to: 3, of: [two, one], upTo: 0),
            try link(3, to: 4, of: [two], upTo: 0),
            try link(4, to: 5, of: [one], upTo: 0).closing(),
            Link(5, to: 6).greeted(),
            try link(6, to: 7, of: [one], upTo: 0),
        ])
        table.all.exchangeAddresses(of: 1, on: 0) { device in
            [2, 3, 4, 5, 6, 7].filter { DeviceID(seed: $0) == device }
                .flatMap { addresses(of: $0, count: 2) }
        }
        let told = table.indices.map { table[$0].outbox.takeFrames() }
        let new = peers(1, addresses(of: 2, count: 2))
        let others = peers(1, addresses(of: 3, count: 2) + addresses(of: 7, count: 2))
        #expect(told == [others, new, [], [], [], new])
    }

    @Test func nothingIsToldOfUnknownAddresses() throws {
        var table = LinkTable([
            try link(1, to: 2, of: [one], upTo: 0), try link(2, to: 3, of: [one], upTo: 0),
        ])
        table.all.exchangeAddresses(of: 1, on: 0) { _ in [] }
        table.all.exchangeAddresses(of: 2, on: 0) { _ in addresses(of: 2) }
        #expect(table.indices.map { table[$0].outbox.takeFrames() } == [[], []])
    }

    @Test func atMostSixtyFourAddressesAreTold() throws {
        var table = LinkTable([
            try link(1, to: 2, of: [one], upTo: 0), try link(2, to: 3, of: [one], upTo: 0),
        ])
        table.all.exchangeAddresses(of: 1, on: 1) { device in
            addresses(of: device == DeviceID(seed: 2) ? 2 : 3, count: 65)
        }
        #expect(table[1].outbox.takeFrames() == peers(1, addresses(of: 2, count: 64)))
        #expect(table[0].outbox.takeFrames() == peers(1, addresses(of: 3, count: 64)))
    }
}
