import ParleyCore
import Testing

@Suite struct RegisterMergeTests {
    @Test func firstHeadIsShown() {
        var register = SessionRegister()
        let head = Head(writer: 0, sequence: 1, revision: 1)

        let outcome = register.merge(head)

        #expect(outcome.change == change(isShown: true, heads: 0, 1))
        #expect(register.heads == [head])
        #expect(register.shown == head)
        #expect(!register.isConflict)
    }

    @Test func laterMessageReplacesWhatItHasSeen() {
        let old = Head(writer: 0, sequence: 1, revision: 1)
        let new = Head(writer: 1, sequence: 1, revision: 2, context: [0: 1])
        var register = SessionRegister([old])

        let outcome = register.merge(new)

        let expected = change(replaced: [old], isShown: true, heads: 1, 1)
        #expect(outcome == MergeOutcome(change: expected))
        #expect(register.heads == [new])
    }

    @Test func ownEarlierMessageIsSeen() {
        let old = Head(writer: 0, sequence: 1, revision: 1)
        let new = Head(writer: 0, sequence: 5, revision: 2)
        var register = SessionRegister([old])

        #expect(register.merge(new).change?.replaced == [old])
    }

    @Test func knownAndReplacedHeadsChangeNothing() {
        let old = Head(writer: 0, sequence: 1, revision: 1)
        let new = Head(writer: 1, sequence: 1, revision: 2, context: [0: 1])
        var register = SessionRegister([new])

        #expect(register.merge(new) == .unchanged)
        #expect(register.merge(old) == .unchanged)
        #expect(register.heads == [new])
    }

    @Test func higherRevisionWithoutHavingSeenIsAConflict() {
        let low = Head(writer: 0, sequence: 1, revision: 1)
        let high = Head(writer: 1, sequence: 1, revision: 7)
        var register = SessionRegister([low])

        let outcome = register.merge(high)

        #expect(outcome.change == change(isShown: true, heads: 1, 2))
        #expect(outcome.change?.startsConflict == true)
        #expect(register.heads == [high, low])
        #expect(register.isConflict)
    }

    @Test func havingSeenAHigherRevisionReplacesNothing() {
        let high = Head(writer: 0, sequence: 1, revision: 7)
        let low = Head(writer: 1, sequence: 1, revision: 1, context: [0: 1])
        var register = SessionRegister([high])

        let outcome = register.merge(low)

        #expect(outcome.change == change(isShown: false, heads: 1, 2))
        #expect(register.heads == [high, low])
    }

    @Test func laterMessageSettlesAConflict() {
        let first = Head(writer: 0, sequence: 1, revision: 1)
        let second = Head(writer: 1, sequence: 1, revision: 2)
        let last = Head(writer: 2, sequence: 1, revision: 3, context: [0: 1, 1: 1])
        var register = SessionRegister([first, second])

        let outcome = register.merge(last)

        #expect(outcome.change?.replaced == [second, first])
        #expect(outcome.change?.settlesConflict == true)
        #expect(register.heads == [last])
    }

    @Test(arguments: [false, true])
    func twoDigestsUnderOneDotAreNamed(isHigherFirst: Bool) {
        let one = Head(writer: 0, sequence: 1, revision: 1, content: 1)
        let other = Head(writer: 0, sequence: 1, revision: 1, content: 2)
        let lower = min(one, other)
        let higher = max(one, other)
        var register = SessionRegister([isHigherFirst ? higher : lower])

        let outcome = register.merge(isHigherFirst ? lower : higher)

        let expected = Equivocation(dot: one.dot, higher: higher.digest, lower: lower.digest)
        #expect(outcome.equivocation == expected)
        #expect(outcome.change?.replaced == (isHigherFirst ? nil : [lower]))
        #expect(register.heads == [higher])
    }

    /// A head is an envelope that no other known one dominates.
    ///
    /// An envelope that is dominated itself still dominates others, which makes no difference with
    /// honest writers.
    @Test func dominatedHeadOfAByzantineWriterStillDominatesOthers() {
        let lowest = Head(writer: 0, sequence: 1, revision: 1)
        let middle = Head(writer: 1, sequence: 1, revision: 2, context: [0: 1])
        let highest = Head(writer: 2, sequence: 1, revision: 3, context: [1: 1])
        var register = SessionRegister([lowest, highest])

        let outcome = register.merge(middle)

        let expected = change(
            replaced: [lowest],
            isKept: false,
            isShown: false,
            heads: 2,
            1
        )
        #expect(outcome == MergeOutcome(change: expected))
        #expect(register.heads == [highest])
    }

    @Test func seenIsSearchedAmongManyOrigins() {
        let seen = Dictionary(uniqueKeysWithValues: (0..<256).map { ($0 * 2, UInt64($0 + 1)) })
        let head = Head(writer: 1_000, sequence: 9, revision: 2, context: seen)
        for writer in 0..<513 {
            for sequence: UInt64 in [1, 9, UInt64(writer / 2 + 1), UInt64(writer / 2 + 2)] {
                let other = Dot(writer, sequence)
                #expect(
                    head.hasInContext(other) == RegisterModel.hasInContext(head, other),
                    "\(writer) \(sequence)"
                )
            }
        }
        #expect(head.hasInContext(Dot(1_000, 9)))
        #expect(!head.hasInContext(Dot(1_000, 10)))
    }

    @Test func storedHeadsGiveTheSameRegister() {
        let heads = (0..<5).map { Head(writer: $0, sequence: 1, revision: UInt64($0 % 2 + 1)) }
        var register = SessionRegister()
        for head in heads { _ = register.merge(head) }

        #expect(SessionRegister(register.heads) == register)
        #expect(SessionRegister(register.heads.reversed()) == register)
    }

    private func change(
        replaced: Few<Head> = [],
        isKept: Bool = true,
        isShown: Bool,
        heads before: Int,
        _ after: Int
    ) -> RegisterChange {
        RegisterChange(
            replaced: replaced,
            isKept: isKept,
            isShown: isShown,
            headsBefore: before,
            headsAfter: after
        )
    }
}
