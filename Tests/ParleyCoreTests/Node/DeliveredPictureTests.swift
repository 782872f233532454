import ParleyCore
import ParleyFaults
import Testing

/// A message with a picture is delivered once the picture is on the other disk, too.
@Suite struct DeliveredPictureTests {
    private let table = SimulatedConversation(1)

    /// Regression: a message was delivered before its picture had arrived.
    @Test(arguments: [8_193, 100_000, 4 << 20 - 28])
    func deliveredWithThePicture(count: Int) {
        let world = world(nodes: 2)
        send(count, in: world)
        for _ in 0..<1_000 where delivered(in: world).isEmpty {
            world.run(.milliseconds(5))
            #expect(delivered(in: world).isEmpty || isStored(at: 1, in: world))
        }
        #expect(delivered(in: world) == [1])
        world.expectSound()
    }

    @Test func aPeerIsAskedAgainOnItsNextLink() {
        let world = world(nodes: 3)
        send(1_000_000, in: world)
        world.run(upTo: .seconds(5)) { world in
            world.nodes[1].disk.blobs.values.contains { $0.chunks.count >= 8 }
        }
        world.cut(0, 1)
        world.run(.seconds(30))
        #expect(isStored(at: 1, in: world), "it came from the third node")
        #expect(delivered(in: world) == [1])
        world.heal()
        world.run(.seconds(10))
        #expect(delivered(in: world) == [1, 2])
        world.expectSound()
    }

    /// The questions end with the message that lists the picture.
    @Test func nobodyIsAskedForAPictureThatIsGone() {
        let world = world(nodes: 2)
        send(1_000_000, in: world)
        world.run(upTo: .seconds(1)) { $0.trace.count(.stored, from: 1) > 0 }
        world.send("s", "another", by: 0, in: table)
        world.run(.seconds(1))
        #expect(delivered(in: world) == [])
        let before = world.trace.count(.blobWant, from: 0)
        world.run(.seconds(200))
        #expect(world.trace.count(.blobWant, from: 0) == before)
    }

    /// Nodes that share a conversation, 20 ms from one another.
    private func world(nodes: Int) -> World {
        var settings = WorldSettings()
        settings.wireDelay = 20_000...20_000
        let world = World(nodes: nodes, settings)
        world.join(table, Array(0..<nodes))
        world.run(.seconds(1))
        return world
    }

    private func send(_ count: Int, in world: World) {
        var random = SeededRandom(seed: 1)
        var draft = World.Draft(session: "s", text: "look", following: .shown)
        draft.picture = InlinePicture(type: "image/png", bytes: Slice(random.bytes(count)))
        world.send([draft], by: 0, in: table)
    }

    private func isStored(at node: Int, in world: World) -> Bool {
        world.nodes[node].disk.blobs.values.contains { $0.isComplete }
    }

    private func delivered(in world: World) -> [Int] {
        world.nodes[0].person.deliveries.compactMap { delivery in
            if case .linked(_, let count) = delivery { count } else { nil }
        }
    }
}
