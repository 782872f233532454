import ParleyCore
import Testing

@Suite struct RegisterLimitTests {
    @Test(arguments: [9, 33, 64])
    func concurrentHonestWritersLoseNothing(count: Int) {
        let heads = concurrentHeads(count)
        var register = SessionRegister()
        for head in heads {
            let outcome = register.merge(head)
            #expect(outcome.dropped == nil)
            #expect(outcome.change?.isKept == true)
        }
        #expect(Array(register.heads) == heads.sorted(by: >))
    }

    @Test func lowestOf65HeadsIsDroppedAndMayComeBack() throws {
        let heads = concurrentHeads(65).sorted()
        var register = SessionRegister(heads[..<64])

        let outcome = register.merge(heads[64])

        #expect(outcome.dropped == heads[0])
        #expect(outcome.change?.headsAfter == 64)
        #expect(Array(register.heads) == heads[1...].reversed())
        #expect(!register.context().contains(heads[0].dot), "no trace in the context")

        #expect(register.merge(heads[0]) == MergeOutcome(dropped: heads[0]))
        #expect(Array(register.heads) == heads[1...].reversed())

        let replacement = try register.replacement(by: OriginID(writer: 99))
        let settling = Head(
            dot: Dot(99, 1),
            revision: replacement.revision,
            context: replacement.context
        )
        #expect(register.merge(settling).change?.replaced.count == 64)
        #expect(register.merge(heads[0]).change?.startsConflict == true)
        #expect(register.heads == [settling, heads[0]])
    }

    @Test func replacementNamesTheWholeContext() throws {
        let register = SessionRegister([
            Head(writer: 0, sequence: 4, revision: 3, context: [1: 2, 3: 7]),
            Head(writer: 1, sequence: 5, revision: 9, context: [0: 1, 2: 6]),
        ])

        #expect(register.context() == [Dot(0, 4), Dot(1, 5), Dot(2, 6), Dot(3, 7)])
        #expect(
            try register.replacement(by: OriginID(writer: 2))
                == Replacement(revision: 10, context: [Dot(0, 4), Dot(1, 5), Dot(3, 7)])
        )
    }

    @Test func firstMessageHasSeenNothing() throws {
        let register = SessionRegister()
        #expect(register.context() == [])
        #expect(register.nextRevision() == 1)
        #expect(
            try register.replacement(by: OriginID(writer: 0))
                == Replacement(revision: 1, context: [])
        )
    }

    @Test func writingEndsBeforeTheLimitOfRevisions() {
        let end = Limits.sequenceEnd
        let last = SessionRegister([Head(writer: 0, sequence: 1, revision: end - 2)])
        let full = SessionRegister([Head(writer: 0, sequence: 1, revision: end - 1)])

        #expect(last.nextRevision() == end - 1)
        #expect(full.nextRevision() == nil)
        #expect(throws: SessionFull.revisions) { try full.replacement(by: OriginID(writer: 0)) }
    }

    @Test func writingEndsAtTheLimitOfOrigins() throws {
        let seen = Dictionary(uniqueKeysWithValues: (1...256).map { ($0, UInt64(1)) })
        let register = SessionRegister([Head(writer: 0, sequence: 1, revision: 1, context: seen)])

        #expect(throws: SessionFull.origins(257)) {
            try register.replacement(by: OriginID(writer: 300))
        }
        #expect(try register.replacement(by: OriginID(writer: 0)).context.count == 256)
        #expect(try register.replacement(by: OriginID(writer: 7)).context.count == 256)
    }

    @Test func writeMustNameExactlyTheHeads() {
        let register = SessionRegister([
            Head(writer: 0, sequence: 4, revision: 1),
            Head(writer: 1, sequence: 5, revision: 1),
        ])
        #expect(register.consists(of: [Dot(0, 4), Dot(1, 5)]))
        #expect(register.consists(of: [Dot(1, 5), Dot(0, 4)]))
        #expect(!register.consists(of: [Dot(0, 4)]))
        #expect(!register.consists(of: [Dot(0, 4), Dot(0, 4)]))
        #expect(!register.consists(of: [Dot(0, 4), Dot(1, 6)]))
        #expect(SessionRegister().consists(of: []))
    }

    /// The heads of writers who all replace the same shown message.
    private func concurrentHeads(_ count: Int) -> [Head] {
        let base = RegisterModel.write([], 100, 1)
        return (0..<count).map { RegisterModel.write([base], $0, 1) }
    }
}
