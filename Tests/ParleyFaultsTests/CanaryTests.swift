import Foundation
import ParleyCore
import ParleyFaults
import Testing

/// Each deliberate defect is caught by some checker within 200 seeds of its recorded one, and the
/// same seeds are good without it: the checkers can see, and do not see what is not there.
@Suite(.timeLimit(.minutes(30))) struct CanaryTests {
    /// With `PARLEY_CANARIES=1` from seed 0 on; then it prints the rows of `docs/testing.md`.
    private static let isRecording =
        ProcessInfo.processInfo.environment["PARLEY_CANARIES"] != nil

    @Test(arguments: Canary.all)
    func defectIsCaught(canary: Canary) throws {
        let start = Self.isRecording ? 0 : canary.seed
        let end = start + (Self.isRecording ? Canary.recordedMax : Canary.seedsMax)
        let caught = try #require(
            canary.caught(in: start..<end),
            "\(canary) is not caught from seed \(start) on"
        )
        guard Self.isRecording else { return }
        print("| `\(canary)` | \(caught.seed) | \(caught.failure.promise) |")
    }

    /// The control.
    @Test(arguments: Set(Canary.all.map(\.seed)).sorted())
    func seedIsGoodWithoutDefect(seed: UInt64) {
        #expect(Simulation(seed: seed).run().failures == [], "seed \(seed)")
    }

    @Test func everyDefectHasItsCanary() {
        #expect(Set(Canary.all.map(\.defect)) == Set(Defect.allCases))
        #expect(Canary.all.count >= 20)
    }

    @Test func defectsAreSets() {
        let some: Defects = [.skipsProof, .neverPings]
        #expect(some.contains(.skipsProof) && some.contains(.neverPings))
        #expect(!some.contains(.sendsBack) && !some.isEmpty)
        #expect(Defects().isEmpty && NodeConfiguration(deviceName: "", software: "").defects == [])
    }
}
