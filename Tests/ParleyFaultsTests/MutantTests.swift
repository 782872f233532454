import ParleyFaults
import Testing

/// Each wrapper mutant is caught by a checker at its recorded seed, and the same seed is good
/// without it: the checkers see what is there, and do not see what is not.
@Suite(.timeLimit(.minutes(10))) struct MutantTests {
    @Test(arguments: Mutant.all)
    func mutantIsCaught(mutant: Mutant) {
        var options = SimulationOptions()
        options.mutant = mutant
        let result = Simulation(seed: mutant.seed, options: options).run()
        #expect(!result.isGood, "\(mutant) survives seed \(mutant.seed)")
    }

    @Test(arguments: Set(Mutant.all.map(\.seed)).sorted())
    func seedIsGoodWithoutMutant(seed: UInt64) {
        #expect(Simulation(seed: seed).run().failures == [], "seed \(seed)")
    }

    @Test func namesAreUnique() {
        #expect(Set(Mutant.all.map(\.name)).count == Mutant.all.count)
    }
}
