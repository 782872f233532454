import ParleyCore
import ParleyFaults
import Testing

/// A node finds by itself what its disk damaged of a blob, and a member repairs it.
@Suite struct DamagedBlobTests {
    private let table = SimulatedConversation(1)

    /// Two nodes that have a picture of four chunks, and look for damage every five seconds.
    private func world() throws -> (World, BlobID) {
        var settings = WorldSettings()
        settings.limits.scrubPause = .seconds(5)
        let world = World(nodes: 2, settings)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        var draft = World.Draft(session: "s", text: "look")
        var random = SeededRandom(seed: 1)
        draft.picture = InlinePicture(type: "image/png", bytes: Slice(random.bytes(200_000)))
        world.send([draft], by: 0, in: table)
        world.run(.seconds(2))
        return (world, try #require(world.nodes[1].disk.blobs.keys.first))
    }

    /// A bit that the checksum of the third chunk shows, and one that only the hash shows.
    @Test(arguments: [(pick: UInt64(1 | 2 << 8), chunks: 1), (pick: UInt64(2 << 8), chunks: 4)])
    func whatIsDamagedComesAgain(pick: UInt64, chunks: Int) throws {
        let (world, blob) = try world()
        let before = world.trace.count(.blobChunk)
        world.nodes[1].disk.spoil(blob, pick: pick)
        #expect(!world.nodes[1].disk.isWhole(blob))
        world.run(.seconds(8))
        #expect(world.nodes[1].disk.isWhole(blob))
        #expect(world.trace.count(.blobChunk) - before == chunks)
        let reports = world.nodes[1].person.deliveries.compactMap { delivery in
            if case .blobDamaged(_, blob, let count) = delivery { count } else { nil }
        }
        #expect(reports == [chunks], "it is said once")
        world.expectSound()
    }

    /// While nobody has the bytes, the blob is not here, and it is not asked for in vain.
    @Test func itIsNotHereUntilAMemberReturns() throws {
        let (world, blob) = try world()
        world.stop(0)
        world.stop(1)
        world.nodes[1].disk.spoil(blob, pick: 1)
        world.start(1)
        world.run(.seconds(1))
        #expect(world.nodes[1].machine?.hasBlob(blob) == false)
        world.start(0)
        world.run(.seconds(3))
        #expect(world.nodes[1].machine?.hasBlob(blob) == true)
        #expect(world.nodes[1].disk.isWhole(blob))
        world.expectSound()
    }
}
