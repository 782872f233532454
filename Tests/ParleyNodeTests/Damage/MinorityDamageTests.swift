import Foundation
import TestSupport
import Testing

/// Damage of one node's database harms nobody: no wrong message is shown anywhere, no dot is given
/// twice, and what a member has comes back, or the node says what is wrong.
///
/// `PARLEY_TEST_DAMAGE` is how many flips and truncations to make, or `SEED:COUNT`.
@Suite(.timeLimit(.minutes(120)), .serialized)
struct MinorityDamageTests {
    @Test func oneOfFiveNodesIsDamaged() async throws {
        let wanted = ProcessInfo.processInfo.environment["PARLEY_TEST_DAMAGE"]
        let parts = wanted?.split(separator: ":").compactMap { UInt64($0) } ?? []
        let seed = parts.count > 1 ? parts[0] : wanted == nil ? .random(in: 0..<1_000) : 1
        let run = try await DamageRun(seed: seed)
        for number in 1...(parts.last ?? 6) {
            await run.damage()
            guard run.problems.count < 20 else { break }
            if wanted != nil, number % 100 == 0 { print(run.summary) }
        }
        await run.end()
        for problem in run.problems { Issue.record("seed \(seed), \(problem)") }
        print(run.summary)
    }
}
