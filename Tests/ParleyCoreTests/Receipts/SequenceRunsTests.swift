import ParleyCore
import Testing

@Suite struct SequenceRunsTests {
    @Test(arguments: [
        Insertion([], is: []),
        Insertion([5...5], is: [5...5]),
        Insertion([5...5, 6...6], is: [5...6]),
        Insertion([6...6, 5...5], is: [5...6]),
        Insertion([5...5, 7...7], is: [5...5, 7...7]),
        Insertion([5...5, 7...7, 6...6], is: [5...7]),
        Insertion([1...2, 4...5, 7...8, 3...7], is: [1...8]),
        Insertion([10...20, 12...15], is: [10...20]),
        Insertion([10...20, 5...25], is: [5...25]),
        Insertion([10...20, 1...2, 30...31], is: [1...2, 10...20, 30...31]),
    ])
    func runsMerge(_ insertion: Insertion) {
        var runs = SequenceRuns()
        for run in insertion.runs { runs.insert(run) }
        #expect(runs.runs == insertion.result)
        for run in insertion.runs {
            #expect(runs.contains(run.lowerBound) && runs.contains(run.upperBound))
            let isNew = runs.insert(run)
            #expect(!isNew)
        }
        #expect(SequenceRuns.unpack(Slice(SequenceRuns.pack(runs.runs))) == runs.runs)
    }

    @Test func memoryHasALimit() {
        var runs = SequenceRuns()
        for number in 1...UInt64(Limits.receiptRuns) + 10 { runs.insert(number * 2...number * 2) }
        #expect(runs.runs.count == Limits.receiptRuns)
        #expect(runs.runs.first == 22...22)
    }

    @Test(arguments: [[(0, 1)], [(1 << 48, 1)], [((1 << 48) - 1, 2)]] as [[(UInt64, UInt32)]])
    func sequencesOutOfRangeAreRefused(_ runs: [(UInt64, UInt32)]) {
        var bytes: [UInt8] = []
        for (first, count) in runs {
            bytes.appendBigEndian(first)
            bytes.appendBigEndian(count)
        }
        #expect(SequenceRuns.unpack(Slice(bytes)) == nil)
    }

    struct Insertion: Sendable {
        let runs: [ClosedRange<UInt64>]
        let result: [ClosedRange<UInt64>]

        init(_ runs: [ClosedRange<UInt64>], is result: [ClosedRange<UInt64>]) {
            self.runs = runs
            self.result = result
        }
    }
}
