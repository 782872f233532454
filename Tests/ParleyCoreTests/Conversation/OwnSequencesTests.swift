import ParleyCore
import Testing

/// The numbers of a device's own envelopes, reserved on disk before they are used.
struct OwnSequencesTests {
    @Test func numbersAreUsableOnceTheirReservationIsOnDisk() {
        var sequences = OwnSequences(end: 100)
        #expect(sequences.available == 0)
        let first = sequences.reserve()
        #expect(first == 65_636)
        #expect(sequences.available == 0)
        let second = sequences.reserve()
        #expect(second == nil, "one reservation at a time")
        sequences.reservationCommitted()
        #expect(sequences.available == 65_536)
        let taken = [sequences.take(), sequences.take()]
        #expect(taken == [100, 101])
        #expect(sequences.available == 65_534)
    }

    /// The next block is reserved when less than half of one is left, while numbers go on.
    @Test(arguments: [
        Use(taken: 0, reserves: nil),
        Use(taken: 32_768, reserves: nil),
        Use(taken: 32_769, reserves: 131_073),
        Use(taken: 65_536, reserves: 131_073),
    ])
    func nextBlockIsReservedInTime(_ use: Use) {
        var sequences = OwnSequences(end: 1)
        _ = sequences.reserve()
        sequences.reservationCommitted()
        for _ in 0..<use.taken { _ = sequences.take() }
        let reserved = sequences.reserve()
        #expect(reserved == use.reserves)
        #expect(sequences.available == 65_536 - use.taken)
    }

    struct Use: Sendable {
        let taken: Int
        let reserves: UInt64?
    }

    /// Sequences lie below 2^48: a block that would reach it is not reserved.
    @Test(arguments: [
        End(below: 65_537, reserves: true),
        End(below: 65_536, reserves: false),
        End(below: 1, reserves: false),
        End(below: 0, reserves: false),
    ])
    func reservationsEndAtTheLimit(_ end: End) {
        var sequences = OwnSequences(end: Limits.sequenceEnd - end.below)
        let reserved = sequences.reserve()
        #expect((reserved != nil) == end.reserves)
    }

    struct End: Sendable {
        let below: UInt64
        let reserves: Bool
    }

    /// A store with a number that no sequence may have gives none at all.
    @Test func endBeyondTheLimitIsTheLimit() {
        var sequences = OwnSequences(end: .max)
        #expect(sequences.next == Limits.sequenceEnd)
        let reserved = sequences.reserve()
        #expect(reserved == nil)
        #expect(sequences.available == 0)
    }

    @Test func numberThatIsNotReservedIsACrash() async {
        await #expect(processExitsWith: .failure) {
            var sequences = OwnSequences(end: 1)
            _ = sequences.reserve()
            _ = sequences.take()
        }
    }
}
