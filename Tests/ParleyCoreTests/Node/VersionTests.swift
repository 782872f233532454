import ParleyCore
import ParleyFaults
import Testing

/// Nodes of several wire versions in one conversation.
@Suite struct VersionTests {
    private let table = SimulatedConversation(1)

    /// One that speaks the old and the new version links to both kinds, and brings what one kind
    /// says to the other; these two refuse each other and say why.
    @Test func whoSpeaksBothVersionsIsABridge() {
        let world = World()
        for versions: ClosedRange<UInt64> in [2...2, 2...3, 3...3] {
            let node = world.addNode()
            world.nodes[node].wireVersions = versions
            world.nodes[node].speaksNewer = versions.contains(3)
        }
        world.introduceAll()
        for node in 0..<3 { world.start(node) }
        world.join(table, [0, 1, 2])
        world.run(.seconds(2))
        world.send("s", "old", by: 0, in: table)
        world.send("t", "new", by: 2, in: table)
        world.settle()
        #expect(world.text("s", in: table, at: 2) == "old")
        #expect(world.text("t", in: table, at: 0) == "new")
        #expect(refusals(at: 0, in: world).allSatisfy { $0 == .incompatible(3...3) })
        #expect(refusals(at: 2, in: world).allSatisfy { $0 == .incompatible(2...2) })
        #expect(!refusals(at: 0, in: world).isEmpty && !refusals(at: 2, in: world).isEmpty)
        #expect(refusals(at: 1, in: world).isEmpty)
        #expect(world.nodes.map { $0.machine?.links.count { $0.isMember } } == [1, 2, 1])
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    private func refusals(at node: Int, in world: World) -> [ParleyCore.Refusal] {
        world.nodes[node].person.deliveries.compactMap { delivery in
            if case .refused(_, _, _, let refusal) = delivery { refusal } else { nil }
        }
    }
}
