import Foundation
import ParleyFaults
import TestSupport
import Testing

/// Mutants are caught by a checker at their recorded seeds, and the same seeds are good without
/// them: the checkers see what is there, and do not see what is not.
@Suite(.timeLimit(.minutes(10))) struct MutantTests {
    // MARK: Wrappers

    @Test(arguments: Mutant.all)
    func wrapperIsCaught(mutant: Mutant) {
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

    // MARK: Patches

    /// `make mutants` builds each patch, and sees it caught.
    @Test func patchesApply() throws {
        let (status, output) = try Self.runScript("--check")
        #expect(status == 0, "\(output)")
    }

    /// Runs the script of the patches for a minute at most.
    private static func runScript(_ argument: String) throws -> (status: Int32, output: String) {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Mutants/run.sh").standardizedFileURL
        let directory = try TestDirectory()
        let child = try Child(
            ["/usr/bin/env", "timeout", "60", script.path, argument],
            environment: ProcessInfo.processInfo.environment,
            output: directory.path("log"),
            errors: directory.path("log")
        )
        let status = child.waitForEnd()
        let text = String(decoding: try directory.contents("log"), as: UTF8.self)
        return (status, String(text.suffix(4_000)))
    }
}
