import ParleyCore
import ParleyFaults
import Testing

/// How links are opened, and which conversations they share.
@Suite struct LinkTableMembershipTests {
    private let now = Moment.start + .seconds(3)
    private let crypto = SampleConversation.node
    /// The conversations 1 and 3 are open.
    private let conversations = SampleTable([1, 2, 3, 4], open: [1, 3]).table

    /// The conversations of these numbers, in their order.
    private func all(_ numbers: [UInt32]) -> [Conversation] {
        numbers.compactMap { number in conversations.first { $0.number == number } }
    }

    /// A link on which the sides have proven these conversations, in this order.
    private func proven(_ number: UInt64, own: [UInt32], peer: [UInt32]) throws -> Link {
        var random = CountingNumbers()
        var link = Link(number, to: 2).greeted()
        _ = link.tagsToSend(for: all(own), using: crypto, random: &random)
        var other = Link(number, to: 1, dial: DialID(1))
        let tags = other.tagsToSend(for: all(peer), using: crypto, random: &random)
        try link.membership.received(tags?.tags ?? [])
        return link
    }

    private func match(_ table: inout LinkTable, countMax: Int = 9, into step: inout Step) -> [Int]
    {
        table.match(
            on: 0,
            conversations,
            countMax: countMax,
            using: crypto,
            into: &step
        )
    }

    // MARK: Hello

    @Test(arguments: [
        Greeting(device: 2, nonce: 1, spoken: 1...1, counterpart: .peer),
        Greeting(device: 2, nonce: 2, spoken: 2...9, counterpart: .peer),
        Greeting(device: 1, nonce: 1, spoken: 0...1, counterpart: .own),
        Greeting(device: 1, nonce: 2, spoken: 1...1, counterpart: .copy),
        Greeting(device: 2, nonce: 1, spoken: 3...4, counterpart: nil),
        Greeting(device: 2, nonce: 1, spoken: 0...0, counterpart: nil),
        Greeting(device: 1, nonce: 1, spoken: 3...3, counterpart: nil),
    ])
    func theHelloTellsWhoIsThere(_ greeting: Greeting) throws {
        var table = LinkTable([Link(1, to: greeting.device)])
        let hello = Hello(
            wireVersions: greeting.spoken,
            software: "sample 1",
            deviceName: "a name",
            processNonce: greeting.nonce
        )
        if let counterpart = greeting.counterpart {
            #expect(try table.helloReceived(hello, on: 0, versions: 1...2) == counterpart)
        } else {
            #expect(throws: ParleyCore.Refusal.incompatible(greeting.spoken)) {
                try table.helloReceived(hello, on: 0, versions: 1...2)
            }
        }
        #expect(table[0].hello == hello)
    }

    /// The hello of a device, and whose it is; nil if it speaks no version between 1 and 2.
    struct Greeting: Sendable {
        let device: UInt64
        let nonce: UInt64
        let spoken: ClosedRange<UInt64>
        let counterpart: LinkTable.Counterpart?
    }

    @Test func aGreetedLinkHasToProveAConversation() {
        var table = LinkTable([Link(1), Link(2).greeted(name: "ada")])
        table[1].phase = .greeting(deadline: now)
        var step = Step(at: now)
        table.greeted(0, into: &step)
        #expect(step.effects.deliveries.isEmpty, "nobody said hello there")
        table.greeted(1, into: &step)
        #expect(table[0].phase == .greeting(deadline: .start + LinkPhase.patience))
        #expect(table[1].phase == .proving(deadline: now + LinkPhase.patience))
        #expect(step.changes == [.greeted(software: "sample 1", name: "ada")])
    }

    @Test(arguments: [false, true])
    func anOpenedLinkSaysHello(isStopping: Bool) {
        var table = LinkTable([])
        var step = Step(at: now)
        if isStopping { table.stop(into: &step) }
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "sample 2",
            deviceName: "",
            processNonce: 7
        )
        let opened = OpenedLink(
            id: LinkID(5),
            dial: nil,
            peerKey: SimulatedCryptography(seed: 2).devicePublicKey,
            exporter: Bytes32(5, 6, 7, 8),
            address: "sample"
        )
        table.opened(
            opened,
            device: DeviceID(seed: 2),
            saying: hello,
            outboxCapacity: 1 << 20,
            into: &step
        )
        let greeting = LinkPhase.greeting(deadline: now + LinkPhase.patience)
        #expect(table.map(\.phase) == [isStopping ? .closing : greeting])
        #expect(
            table[0].outbox.takeFrames() == [.hello(hello)]
                + (isStopping ? .goodbye(.stopping) : [])
        )
        #expect(step.closes == (isStopping ? [ClosedLink(5, saying: .stopping)] : []))
    }

    // MARK: Conversations of both sides

    @Test func openConversationsAreSharedLast() throws {
        var table = LinkTable([try proven(1, own: [1, 2, 3, 4], peer: [4, 3, 2, 1])])
        var step = Step(at: now)
        #expect(match(&table, into: &step) == [1, 3, 0, 2])
        #expect(table[0].phase == .member)
        #expect(table[0].replications.map(\.conversation) == [2, 4, 1, 3])
        #expect(table[0].replications.map(\.ownNumber) == [1, 3, 0, 2])
        let places = try (0..<4).map { try table[0].replication(ofPeerNumber: $0) }
        #expect(places == [1, 3, 0, 2])
        #expect(match(&table, into: &step) == [], "they are shared already")
        #expect(table[0].replications.count == 4)
        #expect(step.closes == [])
    }

    @Test(arguments: [
        Proof(own: [2, 4], peer: [4], shared: [3]),
        Proof(own: [4], peer: [2, 4], shared: [3]),
        Proof(own: [2], peer: [4], shared: []),
        Proof(own: [], peer: [1, 2, 3, 4], shared: []),
        Proof(own: [1, 2, 3, 4], peer: [], shared: []),
    ])
    func bothSidesHaveToProveAConversation(_ proof: Proof) throws {
        var table = LinkTable([try proven(1, own: proof.own, peer: proof.peer)])
        var step = Step(at: now)
        #expect(match(&table, into: &step) == proof.shared)
        #expect(table[0].isMember == !proof.shared.isEmpty)
        #expect(step.closes == [], "the peer may prove more later")
    }

    /// The conversations that the sides prove, and the indices of those that they share then.
    struct Proof: Sendable {
        let own: [UInt32]
        let peer: [UInt32]
        let shared: [Int]
    }

    @Test func anEndingLinkSharesNothing() throws {
        var table = LinkTable([try proven(1, own: [2], peer: [2]).closing()])
        var step = Step(at: now)
        #expect(match(&table, into: &step) == [])
        #expect(table[0].replications.isEmpty)
    }

    // MARK: Capacity

    @Test(arguments: [
        Capacity(members: [], countMax: 1, proven: [2], shared: [1]),
        Capacity(members: [[2]], countMax: 1, proven: [2], shared: []),
        Capacity(members: [[2], [1]], countMax: 2, proven: [1, 2], shared: []),
        // Half of the capacity is not for open conversations.
        Capacity(members: [], countMax: 1, proven: [1], shared: []),
        Capacity(members: [[1]], countMax: 2, proven: [1], shared: []),
        Capacity(members: [[2]], countMax: 2, proven: [1], shared: [0]),
        Capacity(members: [[1]], countMax: 2, proven: [1, 2, 3], shared: [1, 0, 2]),
    ])
    func aPeerWithoutCapacityIsTurnedAway(_ capacity: Capacity) throws {
        var table = LinkTable([try proven(1, own: capacity.proven, peer: capacity.proven)])
        for (number, shared) in capacity.members.enumerated() {
            let link = Link(UInt64(number) + 2, to: UInt64(number) + 3)
            _ = table.all.insert(link.greeted(sharing: all(shared)))
        }
        var step = Step(at: now)
        #expect(match(&table, countMax: capacity.countMax, into: &step) == capacity.shared)
        let isTurnedAway = capacity.shared.isEmpty
        let text = "as many links as there may be"
        #expect(table[0].phase == (isTurnedAway ? .closing : .member))
        #expect(step.closes == (isTurnedAway ? [ClosedLink(1, saying: .busy, text)] : []))
        #expect(table[0].outbox.takeFrames() == (isTurnedAway ? .goodbye(.busy, text) : []))
    }

    /// The conversations that other members share beside a link that has proven some, and the
    /// indices of those that it shares then.
    struct Capacity: Sendable {
        let members: [[UInt32]]
        let countMax: Int
        let proven: [UInt32]
        let shared: [Int]
    }

    // MARK: Beginning

    @Test func aMemberIsAskedForItsFeed() throws {
        let ada = SimulatedAuthor(writer: 4)
        let cursor = FeedCursor(incarnation: 5, position: 6)
        var sample = SampleConversation(writers: [ada], cursors: [DeviceID(seed: 2): cursor])
        _ = sample.conversation.begin(55)
        sample.take([try ada.writes("s")])
        var table = LinkTable([Link(1).greeted(), Link(2, to: 3).greeted()])
        for index in table.indices { table[index].share(sample.conversation, (own: 4, peer: 0)) }
        var step = Step(at: now)
        let addresses = { (device: DeviceID) in [PeerAddress(device: device, address: "a:1")] }
        table.begin(sample.conversation, on: 0, known: addresses, into: &step)
        let request = FeedRequest(
            conversation: 4,
            since: cursor,
            ownIncarnation: 55,
            ownPosition: 1
        )
        let told = [2, 3].map { (device: UInt64) in
            Frame.peers(PeerAddresses(conversation: 4, peers: addresses(DeviceID(seed: device))))
        }
        #expect(table[0].outbox.takeFrames() == [.feed(request), told[1]])
        #expect(table[1].outbox.takeFrames() == [told[0]])
        #expect(step.changes == [.joined(conversation: 1)])
    }
}

extension Step {
    /// The changes of links that are delivered, in order.
    fileprivate var changes: [LinkNotice.Change] {
        effects.deliveries.compactMap { delivery in
            if case .link(let notice) = delivery { notice.change } else { nil }
        }
    }
}
