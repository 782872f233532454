import ParleyCore
import Testing

/// A source that proves nothing, again and again, waits.
@Suite struct SourcePausesTests {
    private let flood = Bytes16(1, 1)

    private func moment(_ milliseconds: Int64) -> Moment { .start + .milliseconds(milliseconds) }

    /// How often a source that comes every `interval` milliseconds for `seconds` is admitted.
    private func admitted(every interval: Int64, for seconds: Int64) -> Int {
        var pauses = SourcePauses()
        var admitted = 0
        for time in stride(from: 0, to: seconds * 1_000, by: Int(interval))
        where !pauses.isPaused(flood, at: moment(Int64(time))) {
            admitted += 1
            pauses.provedNothing(source: flood, at: moment(Int64(time)))
        }
        return admitted
    }

    /// A node that shares nothing comes again after growing waits of its own.
    @Test func theUsualAttemptsNeverWait() {
        #expect(admitted(every: 1_000, for: 600) == 600)
    }

    @Test func aFloodIsSlowedDownMoreAndMore() {
        let count = admitted(every: 10, for: 600)
        #expect(count < 100, "\(count) of 60,000")
        #expect(count > SourcePauses.failuresMax)
    }

    @Test func thePauseOfOneSourceIsNotThatOfOthers() {
        var pauses = SourcePauses()
        for _ in 0..<100 { pauses.provedNothing(source: flood, at: moment(1)) }
        #expect(pauses.isPaused(flood, at: moment(1)))
        #expect(!pauses.isPaused(Bytes16(1, 2), at: moment(1)))
        #expect(!pauses.isPaused(flood, at: moment(30_001)), "no pause is longer than 30 s")
    }

    /// Else a stranger at a member's address could keep the member out.
    @Test func aMembersAddressNeverWaits() {
        var pauses = SourcePauses()
        for _ in 0..<100 { pauses.provedNothing(source: flood, at: moment(1)) }
        pauses.proved(source: flood)
        #expect(!pauses.isPaused(flood, at: moment(2)))
        for _ in 0..<100 { pauses.provedNothing(source: flood, at: moment(3)) }
        #expect(!pauses.isPaused(flood, at: moment(4)))
    }

    /// A flood from ever new addresses makes the table forget addresses, but no member's.
    @Test func addressesAreForgottenButForMembers() {
        var pauses = SourcePauses()
        let member = Bytes16(9, 9)
        pauses.proved(source: member)
        for number in UInt64(0)..<5_000 {
            pauses.provedNothing(source: Bytes16(2, number), at: moment(Int64(number)))
        }
        for _ in 0..<100 { pauses.provedNothing(source: member, at: moment(5_000)) }
        #expect(!pauses.isPaused(member, at: moment(5_000)))
    }
}
