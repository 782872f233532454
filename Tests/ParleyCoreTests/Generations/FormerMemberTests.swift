import ParleyCore
import ParleyFaults
import Testing

/// Somebody who was thrown out has the old keys and the help of a relay, and breaks every rule.
@Suite struct FormerMemberTests {
    /// Hostile case 3: sequences that were used before, with new bodies.
    ///
    /// Xan had replaced its own message in one session, and Cid had replaced Xan's in another.
    @Test(arguments: [false, true]) func oldSequencesWithNewBodiesAreNotTaken(
        hasRestarted: Bool
    ) throws {
        var room = ThrownOut()
        let (xan, cid) = (room.author(room.xan), room.author(room.cid))
        room.bring(xan, "own", 1)
        let last = room.bring(xan, "own", 2, revision: 2)
        room.bring(xan, "replaced", 3)
        room.bring(cid, "replaced", 1, revision: 2, context: [xan.dot(3)])
        #expect(room.heads("own") == [last] && room.heads("replaced").count == 1)

        let change = try room.change()
        room.bring([change])
        if hasRestarted { room.restart() }
        let before = room.heads
        for generation in [nil, room.generations.currentTag, 77] {
            for (session, sequence, revision) in [
                ("own", 1, 9), ("own", 2, 2), ("own", 2, 9), ("own", 3, 9), ("replaced", 3, 1),
                ("replaced", 3, 9), ("new", 1, 1), ("new", 2, 1), ("new", 9, 1),
            ] as [(String, UInt64, UInt64)] {
                room.bring(
                    xan,
                    session,
                    sequence,
                    revision: revision,
                    context: session == "replaced" ? [cid.dot(1)] : [],
                    text: "something else",
                    generation: generation
                )
                #expect(room.heads == before, "\(session) \(sequence)")
            }
        }
        room.bring(xan, "own", 2, revision: 2)
        #expect(room.heads("own") == [last], "what was there stays")
        #expect(room.puppet.refusals.isEmpty, "the sender may not know yet")
    }

    /// Hostile case 4: devices that Xan made with the keys of before.
    ///
    /// One wrote before, and was left out with Xan; others come later, with a message, a card, and
    /// an admission of Xan's.
    @Test func inventedDevicesAreNoMembers() throws {
        var room = ThrownOut()
        let early = room.xan.admitting(SimulatedCryptography(seed: 40), number: 1)
        let late = room.xan.admitting(SimulatedCryptography(seed: 41), number: 2)
        let said = room.bring(room.author(early), "early", 1)
        #expect(room.lists(early), "whoever changes the keys sees the device")

        let change = try room.change()
        room.bring([change, .admission(early.path[1]), .admission(late.path[1])])
        let before = room.heads
        #expect(room.heads("early") == [said])
        for one in [early, late] {
            for (sequence, generation) in [(2, nil), (3, room.generations.currentTag)]
                as [(UInt64, UInt64?)]
            {
                room.bring(room.author(one), "early", sequence, revision: 9, generation: generation)
                room.bring(room.author(one), "new", sequence, generation: generation)
            }
            let certificate = room.table.certificate(of: one.device)
            var card = Card(
                key: one.crypto.devicePublicKey,
                role: .writer,
                isLeaving: false,
                generation: nil,
                number: 1 << 40,
                proof: Slice(certificate.bytes),
                sealedText: .empty
            )
            card.signature = one.crypto.sign(card.signedBytes(in: room.table.id).span.bytes)
            room.bring([.card(card)])
            #expect(!room.lists(one))
            #expect(room.puppet.machine.members.cards[1].held[one.device] == nil)
        }
        #expect(room.heads == before)
        #expect(room.puppet.refusals.isEmpty)

        let request = RotationRequest(request: RequestID(9), conversation: 1, without: [])
        room.puppet.handle(.rotated(request))
        let current = try #require(room.state?.generations.current)
        let stays = room.state?.generations.generations[current]?.record.statement.stays
        #expect(room.state?.generations.number == 3)
        let listings = [early, late, room.xan].map {
            $0.device.listing(in: room.table.id, using: room.ada.crypto)
        }
        #expect(stays.map { Set($0).isDisjoint(with: listings) } == true)
    }

    /// Hostile case 4: certificates that Xan makes for a reader or relay that stays.
    ///
    /// Regression: the lists of those who stay had no roles, so that these wrote.
    @Test(arguments: [Capability.Role.reader, .relay]) func whoMayNotWriteStaysMute(
        role: Capability.Role
    ) throws {
        var room = ThrownOut()
        let rea = GenerationForge(SimulatedCryptography(seed: 6), room.table)
        let stays = [room.known(room.ada), room.known(room.ben), room.known(rea, as: role)]
        let change = try room.change(stays: stays)
        room.bring([change])
        let said = room.bring(room.author(rea), "a", 1)
        room.bring(room.author(rea), "a", 2, generation: room.generations.currentTag)
        let vouch = room.vouch(by: rea, at: 1, for: [said.prefix16], of: room.author(rea).origin)
        room.bring([.vouch(vouch)])
        room.bring(room.author(rea), "a", 1)
        #expect(room.heads.isEmpty)
        #expect(room.puppet.refusals.isEmpty)
    }

    /// Hostile case 5: other children of the same parent at once, by Xan and by a device that it
    /// invents, before or after the removal comes.
    @Test(arguments: [false, true]) func aSiblingDoesNotMoveTheLine(isFirst: Bool) throws {
        var room = ThrownOut()
        let invented = room.xan.admitting(SimulatedCryptography(seed: 40), number: 1)
        let birth = (id: room.generations.first, seed: room.ada.birthSeed, number: UInt32(1))
        let answers = [room.xan, invented].map { one -> MemberEntry in
            let seed = Bytes32(8, 8, 8, one.device.hint)
            let stays = [one.device, room.ben.device]
            let made = one.record(behind: birth, seed: seed, stays: stays)
            return .generation(made.record, made.boxes)
        }
        let change = try room.change()
        for records in isFirst ? [answers, [change]] : [[change], answers] {
            room.bring(records)
        }
        #expect(room.state?.generations.line == room.generations.line)
        #expect(room.state?.standing == .member)
        #expect(room.state?.generations.generations.count == 3, "the others stand beside it")
        #expect(!room.lists(room.xan) && !room.lists(invented))
        #expect(room.puppet.closes.isEmpty)
    }

    /// Hostile case 5 between nodes: whoever is in a partition with Xan follows its answer for a
    /// while, and what was written there stays.
    @Test func whoFollowedASiblingComesBack() {
        let world = World(nodes: 4)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        for node in 0...3 {
            world.join(table, [node])
            world.run(.seconds(4))
        }
        world.isolate([2, 3])
        world.run(.seconds(10))
        table.rotate(in: world, by: 1, without: [3])
        table.rotate(in: world, by: 3, without: [1])
        world.run(.seconds(5))
        world.send("a", "under the sibling", by: 3, in: table)
        world.send("b", "also there", by: 2, in: table)
        world.run(.seconds(5))
        #expect(world.text("a", in: table, at: 2) == "under the sibling")
        world.heal()
        world.run(.seconds(90))

        let states = (0...3).map { world.nodes[$0].state(of: table) }
        #expect(states.map { $0?.standing } == [.member, .member, .member, .out])
        #expect(Set(states.map { $0?.generations.line }).count == 1)
        #expect(world.text("a", in: table, at: 2) == "under the sibling")
        let heads = (0...2).map { world.heads(of: table, at: $0).filter { !$0.value.isEmpty } }
        #expect(heads[0].count == 2 && Set(heads).count == 1)
        #expect(world.problems == [])
    }
}
