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

    private static func card(_ world: World, of other: Int, at node: Int) -> CardTable.Held? {
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
                #expect((card?.name == world.nodes[other].name) == isOpen)
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
            name: "other",
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
                sealedName: .empty
            )
            card.signature = stranger.sign(card.signedBytes(in: of).span.bytes)
            Self.send([card], &puppet)
        }
        #expect(Self.held(puppet).isEmpty)
        #expect(puppet.refusals.isEmpty)
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
