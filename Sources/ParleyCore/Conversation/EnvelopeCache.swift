/// The envelopes in memory: their sessions, oldest first, their bytes, and the reads under way.
package struct EnvelopeCache: Sendable {
    private let limit: Int
    /// The bytes of the envelopes that are not in a batch frame.
    private var bytes = 0
    private var blocks = BlockTable()
    private var queue: [(conversation: UInt32, session: Int32)] = []
    private var first = 0
    /// Rows that are being read back.
    private var awaitedRows: Set<Int64> = []
    /// The row of the next new session.
    private var nextRow: Int64 = 1

    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether an envelope of `count` bytes fits without evicting another one.
    package func hasCapacity(for count: Int) -> Bool { bytes + blocks.bytes + count <= limit }

    /// An envelope of `size` bytes is kept in memory, if it has a place there.
    package mutating func kept(_ place: EnvelopePlace?, size: Int) {
        switch place {
        case .whole: bytes += size
        case .entry(let block, _): blocks.keep(block, size: size)
        case nil: break
        }
    }

    /// Queues a session that has an envelope in memory and is not queued yet.
    package mutating func queued(conversation: UInt32, session: Int32) {
        queue.append((conversation, session))
    }

    /// An envelope of `size` bytes leaves memory, if it has a place there.
    package mutating func dropped(_ place: EnvelopePlace?, size: Int) {
        switch place {
        case .whole: bytes -= size
        case .entry(let block, _): blocks.drop(block, size: size)
        case nil: break
        }
    }

    // MARK: Batch frames

    /// Takes the body of a batch frame, from which envelopes are kept until `close`.
    package mutating func open(
        _ body: Slice,
        of conversation: UInt32
    ) throws(CodecError) -> BatchBlock {
        let block = try BatchBlock(decoding: body, of: conversation, number: blocks.freeNumber)
        blocks.open(block)
        return block
    }

    /// No more envelopes of a batch frame will be kept.
    package mutating func close(_ block: BatchBlock) { blocks.drop(block, size: 0) }

    /// Takes the batch frames of which most envelopes have left memory, while memory is short.
    package mutating func takeSparse() -> [BatchBlock] { isOver ? blocks.takeSparse() : [] }

    private var isOver: Bool { bytes + blocks.bytes > limit }

    // MARK: Eviction

    /// The next session to evict; nil while memory is within the limit.
    package mutating func next() -> (conversation: UInt32, session: Int32)? {
        guard isOver, first < queue.count else { return nil }
        defer {
            first += 1
            if first > 1_024, first * 2 > queue.count {
                queue.removeFirst(first)
                first = 0
            }
        }
        return queue[first]
    }

    // MARK: Rows

    /// The envelopes of a row are needed.
    ///
    /// - Returns: whether to read the row; false during a read.
    package mutating func awaits(row: Int64) -> Bool { awaitedRows.insert(row).inserted }

    /// A row was read back.
    package mutating func loaded(row: Int64) { awaitedRows.remove(row) }

    /// Takes the row for a new session.
    package mutating func takeRow() -> Int64 {
        defer { nextRow += 1 }
        return nextRow
    }

    /// The data directory has this row.
    package mutating func found(row: Int64) { nextRow = max(nextRow, row + 1) }
}
