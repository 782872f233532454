import Foundation
import ParleyFaults
import Testing

/// Mutants are caught by a checker at their recorded seeds, and the same seeds are good without
/// them: the checkers see what is there, and do not see what is not.
@Suite(.timeLimit(.minutes(20))) struct MutantTests {
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

    /// A patch that does not apply or compile any more has to be made again.
    @Test func patchesAreUpToDate() throws {
        let (status, output) = try Self.runScript("--check")
        #expect(status == 0, "\(output)")
    }

    /// `make mutants` builds all of them.
    @Test func patchOfTheDayIsCaught() throws {
        let (status, output) = try Self.runScript("--today")
        #expect(status == 0, "\(output)")
    }

    /// Runs the script of the patches for ten minutes at most.
    private static func runScript(_ argument: String) throws -> (status: Int32, output: String) {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Mutants/run.sh").standardizedFileURL
        let log = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).log")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        let output = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "600", script.path, argument]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: log, encoding: .utf8)
        return (process.terminationStatus, String(text.suffix(4_000)))
    }
}
