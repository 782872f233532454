import ParleyCore
import ParleyFaults
import Testing

/// A run that fails is made short, and still fails.
@Suite struct ShorteningTests {
    private static let promise = Promise("nobody says bad words")

    /// Finds fault with one message, whatever else happens.
    private struct Grumbler: Checker {
        mutating func observe(_ event: WorldEvent, in world: World) {
            guard case .input(let node, .authored(let requests)) = event,
                requests.contains(where: { $0.body.url?.hasPrefix("7") ?? false })
            else { return }
            world.fail(ShorteningTests.promise, by: [node], "it says seven")
        }
    }

    @Test func onlyWhatMattersIsLeft() throws {
        var options = SimulationOptions()
        options.isBrief = true
        options.checkers = CheckerSet { [Grumbler()] }
        let scenario = Scenario(seed: 11, options: options)
        let whole = Simulation(scenario, options: options).run()
        #expect(whole.failures.map(\.promise) == [Self.promise])
        var shortening = try #require(Shortening(scenario, whole, options: options))
        shortening.run()
        #expect(shortening.result.failures.map(\.promise) == [Self.promise])
        #expect(scenario.actions.count > 10)
        // Somebody joins, and says it.
        #expect(shortening.scenario.actions.count == 2, "\(shortening.scenario.story)")
        #expect(shortening.scenario.nodes <= scenario.nodes)
        let again = Simulation(shortening.scenario, options: options).run()
        #expect(again == shortening.result)
    }

    @Test func keptPromisesNeedNoShortening() {
        var options = SimulationOptions()
        options.isBrief = true
        let scenario = Scenario(seed: 1, options: options)
        let result = Simulation(scenario, options: options).run()
        #expect(Shortening(scenario, result, options: options) == nil)
    }

    /// Regression: a shortened run has fewer nodes than its faults were drawn for, and a checker
    /// looked such a node up.
    @Test(arguments: [
        Fault.restore(node: 7, inPlace: true), .clone(node: 7, inPlace: true),
        .clone(node: 7, inPlace: false), .lostRow(node: 7, pick: 0), .damagedRow(node: 7, pick: 0),
        .damagedBlob(node: 7, pick: 0), .backup(node: 7),
        .crash(node: 7, power: true, down: .milliseconds(1)),
    ])
    func faultsOfNodesThatAreLeftOutAreSkipped(fault: Fault) {
        var scenario = Scenario(settings: WorldSettings(), nodes: 2, chaos: .seconds(1))
        scenario.actions = [ScheduledAction(.milliseconds(500), .fault(fault))]
        #expect(Simulation(scenario).run().failures == [])
    }
}
