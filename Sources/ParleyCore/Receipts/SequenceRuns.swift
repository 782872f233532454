/// Sequences of one origin, as runs of consecutive ones, the lowest first.
package struct SequenceRuns: Sendable, Equatable {
    /// Two runs never touch.
    package private(set) var runs: [ClosedRange<UInt64>] = []

    /// The length of a packed run: `u64 first · u32 count`.
    static let packedBytes = 12

    package init() {}

    package var isEmpty: Bool { runs.isEmpty }

    package func contains(_ sequence: UInt64) -> Bool {
        let index = runs.partitioningIndex { $0.upperBound >= sequence }
        return index < runs.count && runs[index].contains(sequence)
    }

    /// Adds a run; beyond the limit, the lowest run is forgotten.
    ///
    /// - Returns: whether any of it is new.
    @discardableResult
    package mutating func insert(_ run: ClosedRange<UInt64>) -> Bool {
        let first = runs.partitioningIndex { $0.upperBound + 1 >= run.lowerBound }
        let end = runs.partitioningIndex { $0.lowerBound > run.upperBound + 1 }
        guard first < end else {
            runs.insert(run, at: first)
            if runs.count > Limits.receiptRuns { runs.removeFirst() }
            return true
        }
        let low = min(run.lowerBound, runs[first].lowerBound)
        let high = max(run.upperBound, runs[end - 1].upperBound)
        guard end - first > 1 || runs[first] != low...high else { return false }
        runs.replaceSubrange(first..<end, with: CollectionOfOne(low...high))
        return true
    }

    // MARK: Coding

    package static func pack(_ runs: some Sequence<ClosedRange<UInt64>>) -> [UInt8] {
        var bytes: [UInt8] = []
        for run in runs {
            bytes.appendBigEndian(run.lowerBound)
            bytes.appendBigEndian(
                UInt32(clamping: run.upperBound - run.lowerBound + 1)
            )
        }
        return bytes
    }

    /// Reads packed runs up to the first without a sequence; nil for sequences out of range.
    package static func unpack(_ bytes: Slice) -> [ClosedRange<UInt64>]? {
        var runs: [ClosedRange<UInt64>] = []
        for offset in stride(from: 0, through: bytes.count - packedBytes, by: packedBytes) {
            let (first, count): (UInt64, UInt32) =
                (bytes.bigEndian(at: offset), bytes.bigEndian(at: offset + 8))
            guard count > 0 else { break }
            guard first > 0, first < Limits.sequenceEnd, runs.count < Limits.receiptRuns else {
                return nil
            }
            let last = first + UInt64(count) - 1
            guard last < Limits.sequenceEnd else { return nil }
            runs.append(first...last)
        }
        return runs
    }
}
