/// The batch frames in memory, each with the envelopes for which it is kept.
///
/// A frame is in memory as a whole for as long as one of its envelopes is.
struct BlockTable: Sendable {
    private struct Use: Sendable {
        let block: BatchBlock
        /// The envelopes that are kept, and 1 while the frame is being read.
        var count = 1
        /// The size of the envelopes that are kept, each with its whole proof.
        var kept = 0

        /// Whether the envelopes alone would take less than half of the memory.
        var isSparse: Bool { 2 * kept < block.bytes.count }
    }

    /// The frames by their numbers.
    private var uses: [Use?] = []
    private var free: [Int] = []
    /// The numbers of frames that became sparse.
    private var sparse: Set<Int> = []
    /// The length of all frames together.
    private(set) var bytes = 0

    /// The number of the next frame.
    var freeNumber: Int { free.last ?? uses.count }

    /// Takes a frame with the number `freeNumber`, which is being read.
    mutating func open(_ block: BatchBlock) {
        if free.popLast() == nil { uses.append(nil) }
        uses[block.number] = Use(block: block)
        bytes += block.bytes.count
    }

    /// An envelope of `size` bytes in a frame is kept.
    mutating func keep(_ block: BatchBlock, size: Int) {
        uses[block.number]?.count += 1
        uses[block.number]?.kept += size
    }

    /// An envelope of `size` bytes in a frame is kept no longer; of 0 bytes, the frame was read.
    mutating func drop(_ block: BatchBlock, size: Int) {
        let number = block.number
        guard let count = uses[number]?.count, let wasSparse = uses[number]?.isSparse else {
            return
        }
        guard count > 1 else {
            uses[number] = nil
            free.append(number)
            bytes -= block.bytes.count
            return
        }
        uses[number]?.count -= 1
        uses[number]?.kept -= size
        if size == 0 || !wasSparse, uses[number]?.isSparse == true { sparse.insert(number) }
    }

    /// The frames that have become sparse and are still so; the next call returns others.
    mutating func takeSparse() -> [BatchBlock] {
        defer { sparse = [] }
        return sparse.sorted().compactMap { uses[$0].flatMap { $0.isSparse ? $0.block : nil } }
    }
}
