import ParleyCore

/// Limits for the parts of a store that have no limit elsewhere.
package enum StoreLimits {
    /// The damage reports that one call returns in full; further reports are only counted.
    package static let damageReports = 100
    /// Damaged session rows that one start compares with later rows; further rows are reported.
    package static let damagedSessions = 4_096
    /// Remembered incarnations for each conversation; cursors of older ones receive the whole feed.
    package static let incarnationsPerConversation = FeedIncarnations.countMax
    /// Addresses that are remembered; the oldest are dropped.
    package static let addresses = 1_024
    /// The size of the write-ahead log, in pages, that triggers a checkpoint.
    package static let logPages = 2_048
    /// The unused pages from which the store gives pages back, if they are an eighth of all.
    package static let unusedPages = 256
    /// The pages that are given back between two transactions.
    package static let vacuumPages = 128
    /// The longest database of an earlier version that a start rewrites, to be able to give pages
    /// back.
    package static let rewrittenBytes = 256 << 20
    /// The page cache of each of the two connections, in KiB.
    package static let cacheKibibytes = 2_048
    /// How long to wait for a lock that another program holds on the database, in seconds.
    package static let busySeconds = 5.0
}
