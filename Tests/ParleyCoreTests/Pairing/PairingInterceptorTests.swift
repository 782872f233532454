import ParleyCore
import ParleyFaults
import Testing

/// Somebody in the middle of two people who pair is seen on their screens.
@Suite struct PairingInterceptorTests {
    @Test func isCaughtByTheDigits() {
        for seed in UInt64(1)...2_000 {
            let outcome = PairingInterceptor.attempt(seed: seed)
            #expect(outcome.digits.count == 2, "seed \(seed)")
            #expect(outcome.isCaught, "seed \(seed)")
            #expect(!outcome.isRobbedEarly, "seed \(seed)")
        }
    }

    /// The tests can tell a protocol without commitments from one with them.
    @Test(arguments: 1...UInt64(2))
    func isNotCaughtByANodeThatRevealsEarly(seed: UInt64) {
        let outcome = PairingInterceptor.attempt(seed: seed, revealsEarly: true)
        #expect(outcome.digits.count == 2)
        #expect(!outcome.isCaught)
    }

    /// Digits of different keys and nonces are the same in one of a million pairs.
    ///
    /// Among 2,000 digits there are 1,999,000 pairs, so that two are expected.
    @Test func digitsAreSpreadEvenly() {
        let crypto = SimulatedCryptography(seed: 1)
        var pairs = 0
        var tenths = [Int](repeating: 0, count: 10)
        for world in UInt64(0)..<20 {
            var counts: [UInt32: Int] = [:]
            for number in UInt64(0)..<2_000 {
                let digits = PairingDigits(
                    (DeviceID(seed: world), Bytes32(number, 1, 1, 1)),
                    (DeviceID(seed: world + 100), Bytes32(number, 2, 2, 2)),
                    using: crypto
                )
                tenths[Int(digits.value / 100_000)] += 1
                counts[digits.value, default: 0] += 1
            }
            pairs += counts.values.reduce(0) { $0 + $1 * ($1 - 1) / 2 }
        }
        // 40 are expected among 40 million pairs, with a standard deviation of 6.
        #expect((15...70).contains(pairs), "\(pairs)")
        // 4,000 are expected in each tenth, with a standard deviation of 60.
        #expect(tenths.allSatisfy { (3_700...4_300).contains($0) }, "\(tenths)")
    }
}
