/// What a `CommitQueue` tells its node.
package enum CommitReport: Sendable, Equatable {
    /// All tickets up to this one are on disk.
    case committed(through: UInt64, StoreFindings)
    /// Commits fail. What was submitted, up to this ticket and after it, is kept and tried again;
    /// nothing of it counts until `committed` says so.
    case blocked(through: UInt64, StoreError)
    /// Commits work again; comes before the next `committed`.
    case unblocked
}
