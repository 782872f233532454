package import ParleyCore

/// Where a node keeps what it acknowledged.
///
/// `SQLiteStore` is the real one, `MemoryStore` its twin for tests and the simulator; one suite
/// holds them to the same answers. Calls block for the disk: `CommitQueue` keeps them off the loop.
/// Reads may run beside one another and beside one `commit`; `reopen` and `close` run alone.
package protocol NodeStore: Sendable {
    /// Everything but the sessions, read once when a node starts, before `recoverSessions`.
    func recover() throws(StoreError) -> RecoveredStore

    /// Hands over every session row in the order of the row numbers, one at a time.
    ///
    /// A row that is damaged is skipped and reported, and so is one that `each` throws on.
    /// - Returns: what was skipped.
    func recoverSessions(
        _ each: (SessionRow) throws -> Void
    ) throws(StoreError) -> StoreFindings

    /// Carries out `writes` in their order in one transaction; they are on disk on return.
    ///
    /// Writes for a conversation that is not (or no longer) here are ignored. After an error none
    /// of them counts, but the same writes may be committed again.
    /// - Returns: what was left out, normally nothing.
    func commit(_ writes: [StoreWrite]) throws(StoreError) -> StoreFindings

    /// The heads of a session row with their bytes, in the order in which they were written; empty
    /// if there is no such row.
    func heads(ofRow row: Int64) throws(StoreError) -> [StoredHead]

    /// One chunk of a blob, or nil if it is not here or damaged.
    func blobChunk(_ blob: BlobID, index: Int) throws(StoreError) -> Slice?

    /// The bytes of a blob whose chunks are all here and undamaged, else nil; at most 4 MiB.
    func blobBytes(_ blob: BlobID) throws(StoreError) -> Slice?

    func usage() throws(StoreError) -> StoreUsage

    /// Work that need not be done before an answer; called after each commit was reported.
    func maintain() throws(StoreError)

    /// Closes everything, opens it again and makes sure that what it says is on disk, after an
    /// error that leaves this in doubt.
    func reopen() throws(StoreError)

    /// Ends all access; any call after it is an error.
    func close()
}

/// What `NodeStore.recover` found.
package struct RecoveredStore: Sendable, Equatable {
    package var recovery: Recovery
    package var findings: StoreFindings

    package init(recovery: Recovery, findings: StoreFindings) {
        self.recovery = recovery
        self.findings = findings
    }
}

/// How much room a store takes and has, in bytes.
package struct StoreUsage: Sendable, Equatable {
    /// On disk, all files together.
    package var used: UInt64
    /// The part of `used` that is empty and will be used again.
    package var reusable: UInt64
    /// What the file system still gives to this user.
    package var free: UInt64

    package init(used: UInt64, reusable: UInt64, free: UInt64) {
        self.used = used
        self.reusable = reusable
        self.free = free
    }
}
