import ParleyCore
import ParleyFaults
import Testing

/// Members know of devices that they have no link to, by the cards that others pass on.
@Suite struct CardTests {
    private static let table = SimulatedConversation(1)

    /// The nodes stand in a row, so that only neighbours have links.
    private static func row(_ roles: [Capability.Role]) -> World {
        let world = World()
        for _ in roles { world.addNode() }
        for node in roles.indices {
            for other in roles.indices where node + 1 < other { world.cut(node, other) }
        }
        world.introduceAll()
        for (node, role) in roles.enumerated() {
            world.start(node)
            world.join(table, [node], as: role)
        }
        world.run(.seconds(5))
        return world
    }

    private static func card(
        _ world: World,
        of other: Int,
        at node: Int,
        in table: SimulatedConversation = table
    ) -> CardTable.Held? {
        guard let machine = world.nodes[node].machine,
            let number = world.number(of: table, at: node)
        else { return nil }
        return machine.members.cards[number].held[world.nodes[other].device]
    }

    private static func isPresent(_ world: World, _ other: Int, at node: Int) -> Bool? {
        card(world, of: other, at: node)?.isPresent(at: world.now)
    }

    @Test func everybodyHearsOfEverybody() {
        let roles: [Capability.Role] = [.writer, .relay, .reader, .relay, .writer]
        let world = Self.row(roles)
        for node in roles.indices {
            for other in roles.indices where other != node {
                let card = Self.card(world, of: other, at: node)
                #expect(card?.card.role == roles[other])
                #expect(card?.isPresent(at: world.now) == true)
                // A relay cannot read the names of others, nor check that somebody is a reader.
                let isOpen = roles[node] != .relay || roles[other] == .relay
                #expect((card?.text?.name == world.nodes[other].name) == isOpen)
                #expect(card?.isProven == (isOpen || roles[other] == .writer))
                let side = other < node ? node - 1 : node + 1
                #expect(card?.via == world.nodes[side].device)
            }
        }
        #expect(world.problems == [])
    }

    @Test func whoStopsSaysSoAndWhoCrashesIsMissed() {
        let world = Self.row([.writer, .relay, .writer, .relay, .reader])
        world.stop(4)
        world.crash(0)
        world.run(.seconds(5))
        #expect(Self.isPresent(world, 4, at: 2) == false)
        #expect(Self.isPresent(world, 0, at: 2) == true)
        world.run(.seconds(470))
        #expect(Self.isPresent(world, 0, at: 2) == true)
        world.run(.seconds(10))
        #expect(Self.isPresent(world, 0, at: 2) == false)
        #expect(Self.isPresent(world, 1, at: 2) == true)

        world.start(0)
        world.start(4)
        world.run(.seconds(60))
        #expect(Self.isPresent(world, 0, at: 2) == true, "numbers go on after a crash")
        #expect(Self.isPresent(world, 4, at: 2) == true)
    }

    @Test func whoComesLateHearsForHowLongOthersWereSilent() {
        let world = Self.row([.writer, .relay, .writer])
        world.crash(0)
        world.run(.seconds(100))
        world.crash(2, losesPower: true)
        world.start(2)
        world.run(.seconds(30))
        let silence = Self.card(world, of: 0, at: 2)?.silence(at: world.now)
        #expect((130...140).contains((silence?.milliseconds ?? 0) / 1_000))
    }

    /// A reader with which nobody who changes the keys ever had a link gets them all the same.
    @Test func aReaderBehindARelayStays() {
        let world = World(nodes: 4)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        world.cut(0, 2)
        for (node, role) in [Capability.Role.writer, .relay, .reader, .writer].enumerated() {
            world.join(table, [node], as: role)
            world.run(.seconds(4))
        }
        table.rotate(in: world, by: 0, without: [3])
        world.run(.seconds(20))
        world.send("a", "new", by: 0, in: table)
        world.run(.seconds(10))
        #expect(world.text("a", in: table, at: 2) == "new")
        #expect(world.text("a", in: table, at: 3) == nil)
        #expect(world.problems == [])
    }

    /// Regression: a writer whose only links were to relays had no rank, and could change no keys.
    ///
    /// Another one with a rank admits that writer where the creator is away, after some minutes.
    @Test(arguments: [false, true]) func aWriterBehindARelayGetsARank(creatorIsAway: Bool) {
        let world = World(nodes: 5)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        for other in 0...2 { world.cut(other, 4) }
        for (node, role) in [Capability.Role.writer, .writer, .reader, .relay].enumerated() {
            world.join(table, [node], as: role)
            world.run(.seconds(4))
        }
        if creatorIsAway { world.stop(0) }
        world.join(table, [4])
        world.run(.seconds(creatorIsAway ? 400 : 10))
        table.rotate(in: world, by: 4, without: [2])
        world.run(.seconds(10))
        world.send("a", "new", by: 4, in: table)
        world.run(.seconds(10))
        #expect(world.text("a", in: table, at: 1) == "new")
        #expect(world.text("a", in: table, at: 2) == nil)
        #expect(world.problems == [])
    }

    /// Regression: who throws a device out makes a card at once, and admitted the device with it.
    @Test func whoIsThrownOutGetsNoRankByItsCard() throws {
        let world = World(nodes: 4)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        for other in 0...1 { world.cut(other, 3) }
        for (node, role) in [Capability.Role.writer, .writer, .relay].enumerated() {
            world.join(table, [node], as: role)
            world.run(.seconds(4))
        }
        world.stop(0)
        world.join(table, [3])
        world.run(.seconds(10))
        table.rotate(in: world, by: 1, without: [3])
        world.run(.seconds(800))
        let machine = try #require(world.nodes[1].machine)
        let number = try #require(world.number(of: table, at: 1))
        #expect(machine.members[number].admissions(of: world.nodes[3].device).isEmpty)
        #expect(world.nodes[3].state(of: table)?.standing == .out)
    }

    /// Regression: the certificate was looked for in the generation of the name.
    @Test func cardsOfWritersHoldUnderNewKeys() {
        let world = World(nodes: 4)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        world.cut(0, 2)
        for (node, role) in [Capability.Role.writer, .relay, .writer, .writer].enumerated() {
            world.join(table, [node], as: role)
            world.run(.seconds(4))
        }
        table.rotate(in: world, by: 0, without: [3])
        world.run(.seconds(20))
        let before = Self.card(world, of: 2, at: 0, in: table)?.card.number ?? 0
        world.run(.seconds(800))
        let card = Self.card(world, of: 2, at: 0, in: table)
        #expect(card?.card.number ?? 0 > before)
        #expect(card?.isPresent(at: world.now) == true)
        #expect(card?.text?.name == world.nodes[2].name)
        let out = Self.card(world, of: 3, at: 0, in: table)
        #expect(out?.isPresent(at: world.now) != true, "who is out shows no card")
        #expect(world.problems == [])
    }

    /// Regression: numbers began anew, so that nonces came twice and cards were taken for old ones.
    @Test func whoComesBackGoesOnWithHigherNumbers() {
        let world = Self.row([.writer, .relay, .reader])
        world.send("a", "one", by: 0, in: Self.table)
        world.run(.seconds(5))
        let before = Self.card(world, of: 2, at: 0)?.card.number ?? .max
        world.leave(Self.table, 2)
        world.run(.seconds(5))
        world.join(Self.table, [2], as: .reader)
        world.run(.seconds(60))
        let after = Self.card(world, of: 2, at: 0)?.card.number ?? 0
        #expect(after >> 32 > before >> 32)
        #expect(Self.isPresent(world, 2, at: 0) == true)
    }

    /// Regression: the moment of a card that was to be made stayed, and the timer was always due.
    @Test func whoLeftMakesNoCards() {
        var puppet = Puppet(role: .reader)
        puppet.meetAndSync()
        puppet.handle(.left(conversation: 1))
        for _ in 0..<3 {
            puppet.now = puppet.now + .seconds(400)
            puppet.handle(.timer)
        }
        #expect(puppet.timer.map { $0 > puppet.now } ?? true)
    }

    // MARK: Hostile peers

    private static func card(
        _ puppet: Puppet,
        of device: UInt64,
        number: UInt64,
        isLeaving: Bool = false
    ) throws -> Card {
        var random = SeededRandom(seed: number)
        let card = puppet.machine.conversations[0].keys.card(
            number: number,
            text: CardText(name: "other", person: nil),
            isLeaving: isLeaving,
            random: &random,
            using: SimulatedCryptography(seed: device)
        )
        return try #require(card)
    }

    private static func send(_ cards: [Card], _ puppet: inout Puppet) {
        let records = cards.map { MemberEntry.card($0) }
        puppet.send(.members(MembersFrame(conversation: 0, records: records)))
    }

    private static func held(_ puppet: Puppet) -> [CardTable.Held] {
        Array(puppet.machine.members.cards[1].held.values)
    }

    @Test func anEarlierCardIsNotTakenAgain() throws {
        var puppet = Puppet(role: .reader)
        puppet.meetAndSync()
        for (number, isLeaving) in [(7, true), (6, false), (7, false)] as [(UInt64, Bool)] {
            let card = try Self.card(puppet, of: 90, number: number, isLeaving: isLeaving)
            Self.send([card], &puppet)
        }
        #expect(Self.held(puppet).map(\.card.number) == [7])
        #expect(Self.held(puppet).map(\.card.isLeaving) == [true])
        #expect(puppet.refusals.isEmpty)
    }

    @Test func aChangedCardEndsTheLink() throws {
        var puppet = Puppet(role: .reader)
        puppet.meetAndSync()
        var card = try Self.card(puppet, of: 90, number: 1)
        card.signature = try Self.card(puppet, of: 90, number: 2).signature
        Self.send([card], &puppet)
        #expect(puppet.refusals == [.badProof])
        #expect(Self.held(puppet).isEmpty)
    }

    /// The device signs what it wants of itself, and only readers can make the code of a reader.
    @Test func aRelayIsNoReader() throws {
        var puppet = Puppet(role: .reader)
        puppet.meetAndSync()
        let (stranger, of) = (SimulatedCryptography(seed: 91), puppet.table.id)
        for role in [Capability.Role.relay, .reader, .writer] {
            let bytes = [UInt8](repeating: 1, count: role == .writer ? 64 : 32)
            var card = Card(
                key: stranger.devicePublicKey,
                role: role,
                isLeaving: false,
                generation: nil,
                number: 1,
                proof: Slice(bytes),
                sealedText: .empty
            )
            card.signature = stranger.sign(card.signedBytes(in: of).span.bytes)
            Self.send([card], &puppet)
        }
        #expect(Self.held(puppet).isEmpty)
        #expect(puppet.refusals.isEmpty)
    }

    /// Regression: also cards that were dropped counted, so that those of others had no place.
    @Test func falseCardsTakeNoPlaces() throws {
        var puppet = Puppet(role: .reader)
        puppet.meetAndSync()
        for seed in 100..<200 as Range<UInt64> {
            let stranger = SimulatedCryptography(seed: seed)
            var card = Card(
                key: stranger.devicePublicKey,
                role: .reader,
                isLeaving: false,
                generation: nil,
                number: 1,
                proof: Slice([UInt8](repeating: 1, count: 32)),
                sealedText: .empty
            )
            let signed = card.signedBytes(in: puppet.table.id)
            card.signature = stranger.sign(signed.span.bytes)
            Self.send([card], &puppet)
        }
        Self.send([try Self.card(puppet, of: 90, number: 1)], &puppet)
        #expect(Self.held(puppet).count == 1)
    }

    /// Regression: each card of a device that comes and goes went on at once.
    @Test func nobodyIsNewsTooOften() throws {
        var puppet = Puppet(role: .reader)
        puppet.meetAndSync()
        let before = puppet.deliveries.count
        for number in 1...50 as ClosedRange<UInt64> {
            let isLeaving = number % 2 == 0
            Self.send(
                [try Self.card(puppet, of: 90, number: number, isLeaving: isLeaving)],
                &puppet
            )
        }
        #expect(Self.held(puppet).map(\.card.number) == [50])
        #expect((1...5).contains(puppet.deliveries.count - before))
    }

    /// The shorter way counts, so that nobody who passes a card on slowly makes its device absent.
    @Test func theSameCardMayComeSooner() throws {
        var puppet = Puppet(role: .reader)
        puppet.meetAndSync()
        var card = try Self.card(puppet, of: 90, number: 1)
        for (age, isPresent) in [(UInt32.max, false), (3, true), (.max, true)] {
            card.age = age
            Self.send([card], &puppet)
            #expect(Self.held(puppet).map { $0.isPresent(at: puppet.now) } == [isPresent])
        }
    }

    @Test func aLinkBringsFewUnknownDevices() throws {
        var puppet = Puppet(role: .reader)
        puppet.meetAndSync()
        for device in 100..<200 {
            Self.send([try Self.card(puppet, of: UInt64(device), number: 1)], &puppet)
        }
        #expect(Self.held(puppet).count == Limits.cardsPerLink)
    }
}
