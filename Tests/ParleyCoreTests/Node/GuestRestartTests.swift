import ParleyCore
import ParleyFaults
import Testing

/// Guests of a node that starts again, has a copy, or takes a new epoch.
@Suite struct GuestRestartTests {
    private let table = SimulatedConversation(1)

    private func world(_ guests: [SimulatedGuest], nodes: Int = 2) -> World {
        let world = World(nodes: nodes)
        world.join(table, Array(0..<nodes))
        world.run(.milliseconds(500))
        for guest in guests { world.seat(guest, at: 0, in: table) }
        return world
    }

    private func origins(_ world: World, at node: Int = 0) throws -> [OriginID] {
        let conversation = try #require(world.nodes[node].machine?.conversations.first)
        return conversation.origins.seats.guests.map { guest in
            OriginID(
                conversation: table.id,
                device: guest.author.device,
                epoch: world.nodes[node].machine?.epoch ?? Epoch(0),
                using: world.nodes[node].crypto
            )
        }
    }

    @Test(arguments: [true, false])
    func aNodeStartsWithItsGuests(stopsOrderly: Bool) throws {
        let guests = try [1, 64].map { try #require(SimulatedGuest(UInt64($0), at: $0)) }
        let world = world(guests)
        let before = try origins(world)
        for guest in guests {
            world.send([World.Draft(session: "s", text: "1", seat: guest.seat)], by: 0, in: table)
        }
        world.settle()
        if stopsOrderly { world.stop(0) } else { world.crash(0) }
        world.start(0)
        world.settle()
        #expect(try origins(world) == before)
        #expect(
            world.nodes[0].machine?.conversations.first?.origins.seats.guests.map(\.seat)
                == guests.map(\.kept)
        )
        for guest in guests {
            let draft = World.Draft(session: "t\(guest.number)", text: "again", seat: guest.seat)
            world.send([draft], by: 0, in: table)
        }
        world.settle()
        let dots = world.nodes[0].disk.rows.values.flatMap { $0.heads.map(\.dot) }
        #expect(Set(dots).count == 3)
        #expect(Set(dots.map(\.origin)).isSubset(of: before))
        #expect(world.texts("t64", in: table) == ["again", "again"])
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// Sequences start over after another join, so guests get new origins as well as the device.
    @Test func aNewEpochGivesGuestsNewOrigins() throws {
        let guest = try #require(SimulatedGuest(1, at: 1))
        let world = world([guest])
        let second = SimulatedConversation(2)
        world.join(second, [0])
        world.seat(guest, at: 0, in: second)
        let before = try origins(world)
        world.send([World.Draft(session: "s", text: "before", seat: guest.seat)], by: 0, in: table)
        world.settle()
        world.leave(second, 0)
        world.send([World.Draft(session: "t", text: "after", seat: guest.seat)], by: 0, in: table)
        world.settle()
        let after = try origins(world)
        #expect(before != after)
        let origins = world.nodes[1].disk.conversations[1]?.origins ?? [:]
        #expect(Set(origins.keys) == Set(before + after))
        #expect(Set(origins.values.map(\.deviceKey)).count == 1)
        let conversation = try #require(world.nodes[0].machine?.conversations.first)
        #expect((before + after).allSatisfy { conversation.isOwn($0) })
        world.join(second, [0])
        #expect(world.nodes[0].machine?.conversations.last?.origins.seats.guests.isEmpty == true)
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// A copy in use is noticed by what its guests write, too.
    @Test func anUnknownDotOfAGuestGivesANewEpoch() throws {
        let guest = try #require(SimulatedGuest(1, at: 1))
        let world = world([guest])
        world.send([World.Draft(session: "s", text: "original")], by: 0, in: table)
        world.settle()
        let clone = world.addClone(of: 0)
        world.cut(0, clone)
        world.introduce(clone, to: 1)
        world.start(clone)
        world.run(.seconds(3))
        let old = try #require(world.nodes[0].machine).epoch
        let draft = World.Draft(session: "t", text: "by the clone's guest", seat: guest.seat)
        world.send([draft], by: clone, in: table)
        world.run(.seconds(2))
        #expect(world.nodes[0].machine?.epoch != old)
        let answer = World.Draft(session: "t", text: "by the original's guest", seat: guest.seat)
        world.send([answer], by: 0, in: table)
        world.settle()
        #expect(
            world.texts("t", in: table)
                == Array(repeating: "by the original's guest", count: 3)
        )
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// A guest who moved to another seat, or has lost it, is no copy.
    @Test func whatAnEarlierGuestWroteIsNoCopy() throws {
        let guest = try #require(SimulatedGuest(1, at: 1))
        let world = world([guest], nodes: 3)
        world.send([World.Draft(session: "s", text: "x", seat: guest.seat)], by: 0, in: table)
        world.settle()
        world.unseat(guest.seat, at: 0, in: table)
        let epoch = world.nodes[0].machine?.epoch
        world.crash(0)
        world.start(0)
        world.settle()
        #expect(world.nodes[0].machine?.epoch == epoch)
        world.seat(guest, at: 0, in: table)
        world.send([World.Draft(session: "t", text: "y", seat: guest.seat)], by: 0, in: table)
        world.settle()
        #expect(world.nodes[0].machine?.epoch == epoch)
        #expect(world.texts("t", in: table) == ["y", "y", "y"])
        world.expectSound()
    }
}
