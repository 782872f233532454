import ParleyCore
import ParleyFaults
import TestSupport
import Testing

/// The checker of cards sees what is not so.
@Suite struct CardCheckerTests {
    private let table = SimulatedConversation(1)

    private func failures(_ change: (World) -> Void) -> [String] {
        var settings = WorldSettings()
        settings.ownedNodes = 2
        let world = World(settings)
        world.watch(with: [CardChecker()])
        for _ in 0..<3 { world.addNode() }
        world.introduceAll()
        for node in 0..<3 { world.start(node) }
        world.join(table, [0, 1, 2])
        world.run(.seconds(5))
        change(world)
        world.finishObserving()
        return world.failures.map(\.what)
    }

    @Test func whatIsSoIsNoFailure() { #expect(failures { _ in }.isEmpty) }

    @Test func aDeviceOfSomebodyElseIsSeen() {
        let found = failures { world in world.nodes[1].owner = nil }
        let what = "has a device as one of a person's that is not"
        #expect(found == ["a", "c"].map { "\($0) \(what)" })
    }

    /// Regression: the card of a writer that had left was taken for a lie, as a copy of the device,
    /// whose own card has a lower number, is a reader.
    @Test func whoHasLeftAndHasACopyHadTheRole() {
        let found = failures { world in
            world.strike(.clone(node: 2, inPlace: false))
            world.run(.seconds(5))
            world.leave(table, 3)
            world.join(table, [3], as: .reader)
            for _ in 0..<2 {
                world.leave(table, 2)
                world.join(table, [2])
                world.run(.seconds(5))
            }
            world.leave(table, 2)
            world.run(.seconds(5))
        }
        #expect(found == [])
    }

    @Test func aFormerRoleIsSeen() {
        let found = failures { world in
            world.cut(2, 0)
            world.cut(2, 1)
            world.leave(table, 2)
            world.join(table, [2], as: .reader)
            world.run(.seconds(5))
        }
        #expect(found == ["a has c as a writer", "b has c as a writer"])
    }
}
