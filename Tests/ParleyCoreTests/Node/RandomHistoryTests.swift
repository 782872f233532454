import Foundation
import ParleyCore
import ParleyFaults
import Testing

/// After any history of a small world, all nodes agree and nothing acknowledged is lost.
@Suite(.timeLimit(.minutes(20))) struct RandomHistoryTests {
    /// More with `PARLEY_TEST_SEEDS=2000`, at about ten a second.
    private static let seeds: Range<UInt64> = {
        let wanted = ProcessInfo.processInfo.environment["PARLEY_TEST_SEEDS"].flatMap(UInt64.init)
        return 0..<(wanted ?? 200)
    }()

    @Test(arguments: seeds)
    func everybodyAgreesInTheEnd(seed: UInt64) {
        var history = RandomHistory(seed: seed)
        history.play()
        let faults = history.world.faults()
        #expect(faults.isEmpty, "seed \(seed): \(faults)")
        #expect(history.disagreements() == [], "seed \(seed)")
        #expect(history.losses() == [], "seed \(seed)")
        #expect(history.missingBlobs() == [], "seed \(seed)")
    }

    @Test(arguments: [UInt64(3), 17, 101])
    func sameSeedSameTrace(seed: UInt64) {
        var one = RandomHistory(seed: seed)
        one.world.trace.isWriting = true
        one.play()
        var other = RandomHistory(seed: seed)
        other.world.trace.isWriting = true
        other.play()
        #expect(one.world.trace.lines == other.world.trace.lines)
        #expect(one.world.trace.lines.count > 100)
    }
}
