import ParleyCore
import ParleyFaults
import Testing

/// Nodes that do not agree are found, whatever else was found before.
@Suite struct ConvergenceCheckerTests {
    private static let other = Promise("nobody ever ends a run")

    /// Breaks its promise at the end of every run.
    private struct Grumbler: Checker {
        mutating func finish(in world: World) {
            world.fail(ConvergenceCheckerTests.other, by: [0], "the run ends")
        }
    }

    @Test func disagreementIsFoundBesideAnotherFailure() {
        let table = SimulatedConversation(1)
        let world = World(nodes: 2)
        world.watch(with: [Grumbler(), ConvergenceChecker()])
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.isolate([0])
        world.send("s", "one", by: 0, in: table)
        world.run(.seconds(1))
        world.finishObserving()
        #expect(world.failures.map(\.promise) == [Self.other, ConvergenceChecker.promise])
    }
}
