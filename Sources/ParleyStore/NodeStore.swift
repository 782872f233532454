package import ParleyCore

/// The durable state of a node.
///
/// `SQLiteStore` is the implementation on disk, and `MemoryStore` is the in-memory store for tests
/// and the simulator; one test suite holds both to the same answers. Calls block until the disk
/// answers, so `CommitQueue` makes them off the event loop. Reads may run concurrently with other
/// reads, with a `write` or `maintain`, and with a `sync`; `reopen` and `close` must run alone.
package protocol NodeStore: Sendable {
    /// Reads everything except the sessions; a node calls it once at its start, before
    /// `recoverSessions`.
    func recover() throws(StoreError) -> RecoveredStore

    /// Calls `each` with every session row, in ascending order of the row numbers.
    ///
    /// Damaged rows and rows for which `each` throws are skipped and reported; a damaged row is
    /// deleted instead if a later row has its session.
    /// - Returns: a damage report for each row that was skipped.
    func recoverSessions(
        _ each: (SessionRow) throws -> Void
    ) throws(StoreError) -> DamageReports

    /// Applies `writes` in order in one transaction, which reads see at once.
    ///
    /// The transaction is durable after the next `sync`. A power failure before keeps or loses the
    /// transaction as a whole, and never keeps a later transaction without an earlier one. Writes
    /// to a conversation that does not exist are ignored. If the call throws, none of the writes
    /// took effect, and the same writes may be made again.
    /// - Returns: damage reports for the parts of rows that could not be written, normally none.
    func write(_ writes: [StoreWrite]) throws(StoreError) -> DamageReports

    /// Makes the transactions of all earlier `write` calls durable.
    ///
    /// After an error the durability of these transactions is in doubt, and the store has to be
    /// reopened; the same writes may be made again.
    func sync() throws(StoreError)

    /// The heads of a session row with their bytes, in the order of writing; empty if there is no
    /// row.
    func heads(ofRow row: Int64) throws(StoreError) -> Few<StoredHead>

    /// The heads of several session rows, each as `heads(ofRow:)` gives them.
    func heads(ofRows rows: [Int64]) -> [Result<Few<StoredHead>, StoreError>]

    /// One chunk of a blob, or nil if it is missing or damaged.
    func blobChunk(_ blob: BlobID, index: Int) throws(StoreError) -> Slice?

    /// A blob, with at most 4 MiB, or the chunks of it that are missing or damaged.
    func blobBytes(_ blob: BlobID) throws(StoreError) -> StoredBlob

    /// Makes the next reads come from the file, and not from cached pages.
    func forgetPages()

    /// When something of a conversation was stored last, in seconds since 1970; nil if that is not
    /// known.
    func lastActivity(of number: UInt32) -> Int64?

    /// The space that the store takes and has.
    var space: StoreSpace { get }

    /// Whether commits need no disk, so that the event loop may make them itself.
    var isInMemory: Bool { get }

    /// Does work that no answer waits for; called after a `write` and before the next one.
    ///
    /// - Returns: whether there is more to do.
    func maintain() throws(StoreError) -> Bool

    /// Reopens the store after an error that leaves the durability of commits in doubt.
    ///
    /// Everything that the reopened store returns is on disk.
    func reopen() throws(StoreError)

    /// Closes the store; every later call throws `closed`.
    func close()
}

extension NodeStore {
    package func forgetPages() {}

    package func lastActivity(of number: UInt32) -> Int64? { nil }

    package var space: StoreSpace { StoreSpace() }

    /// Applies `writes` in one transaction; they are on disk when the call returns.
    package func commit(_ writes: [StoreWrite]) throws(StoreError) -> DamageReports {
        let damage = try write(writes)
        try sync()
        return damage
    }

    package func heads(ofRows rows: [Int64]) -> [Result<Few<StoredHead>, StoreError>] {
        rows.map { row in Result { () throws(StoreError) in try heads(ofRow: row) } }
    }
}

/// The space that a store takes and has, in bytes; 0 in memory.
package struct StoreSpace: Sendable, Equatable {
    /// The length of the database and its log.
    package var used = 0
    /// The bytes that are free for the node on the file system.
    package var free = 0

    package init() {}
}

/// The result of `NodeStore.recover`.
package struct RecoveredStore: Sendable, Equatable {
    package var recovery: Recovery
    package var damage: DamageReports
}
