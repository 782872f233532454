/// A report of a `CommitQueue` to its node.
package enum CommitReport: Sendable, Equatable {
    /// The writes of all tickets up to this one are on disk.
    case committed(through: UInt64, DamageReports)
    /// Commits fail and are retried; the queue keeps all writes, up to this ticket and later.
    ///
    /// No write counts as on disk before `committed` reports its ticket.
    case blocked(through: UInt64, StoreError)
    /// Commits succeed again; this report precedes the next `committed`.
    case unblocked
}
