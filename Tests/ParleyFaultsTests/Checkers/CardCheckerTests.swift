import ParleyCore
import ParleyFaults
import TestSupport
import Testing

/// The checker of cards sees what is not so.
@Suite struct CardCheckerTests {
    private func failures(_ change: (World) -> Void) -> [String] {
        var settings = WorldSettings()
        settings.ownedNodes = 2
        let world = World(settings)
        for _ in 0..<3 { world.addNode() }
        world.introduceAll()
        for node in 0..<3 { world.start(node) }
        world.join(SimulatedConversation(1), [0, 1, 2])
        world.run(.seconds(5))
        change(world)
        var checker = CardChecker()
        checker.finish(in: world)
        return world.failures.map(\.what)
    }

    @Test func whatIsSoIsNoFailure() { #expect(failures { _ in }.isEmpty) }

    @Test func aDeviceOfSomebodyElseIsSeen() {
        let found = failures { world in world.nodes[1].owner = nil }
        let what = "has a device as one of a person's that is not"
        #expect(found == ["a", "c"].map { "\($0) \(what)" })
    }
}
