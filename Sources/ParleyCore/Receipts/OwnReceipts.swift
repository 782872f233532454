/// The messages of an origin on disk here, and their receipts.
struct OwnReceipts: Sendable {
    private(set) var have = SequenceRuns()
    /// The sequences without a receipt.
    private var unreported = SequenceRuns()
    /// The present set of receipts, and how many it has.
    private var set: UInt64 = 0
    private var count: UInt64 = Receipt.perSet

    private static let runsPerReceipt = Receipt.contentBytes / SequenceRuns.packedBytes

    var isUnreported: Bool { !unreported.isEmpty }

    mutating func add(_ sequence: UInt64) {
        have.insert(sequence...sequence)
        unreported.insert(sequence...sequence)
    }

    /// Has everything reported again, in a new set.
    mutating func retell() {
        unreported = have
        count = Receipt.perSet
    }

    /// Makes the receipts for envelopes without a report; if `have` is short or the present set is
    /// full, a new set begins, with everything.
    ///
    /// `introduce` makes the receipt with a counter that tells who this device is.
    mutating func make(
        of origin: OriginID,
        by seal: ReceiptSeal,
        nextSet: () -> UInt64?,
        introduce: (UInt64) -> Receipt?,
        using crypto: some Cryptography
    ) -> [Receipt] {
        let news = have.runs.filter { run in
            unreported.runs.contains { run.overlaps($0) }
        }
        let needed = UInt64((news.count + Self.runsPerReceipt - 1) / Self.runsPerReceipt)
        var (runs, receipts): ([ClosedRange<UInt64>], [Receipt]) = (news, [])
        if have.runs.count <= Self.runsPerReceipt || count + needed > Receipt.perSet {
            guard let next = nextSet() else { return [] }
            (set, count) = (next, 0)
            if let introduction = introduce(set * Receipt.perSet) {
                receipts.append(introduction)
                count = 1
            }
            runs = have.runs.suffix(Int(Receipt.perSet - count) * Self.runsPerReceipt)
        }
        while !runs.isEmpty {
            let part = runs.suffix(Self.runsPerReceipt)
            let counter = set * Receipt.perSet + count
            receipts.append(seal.receipt(part, of: origin, counter: counter, using: crypto))
            count += 1
            runs.removeLast(part.count)
        }
        unreported = SequenceRuns()
        return receipts
    }
}
