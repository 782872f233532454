/// How far the parts of a store that nothing else limits may grow.
package enum StoreLimits {
    /// Findings that one call spells out.
    package static let findings = 100
    /// Runs that one conversation remembers; whoever comes with an older one gets everything.
    package static let runsPerConversation = 256
    /// Addresses that are remembered, the latest.
    package static let addresses = 1_024
    /// Pages of the write-ahead log after which it is copied into the database.
    package static let logPages = 2_048
    /// Memory for pages, for each of the two connections, in KiB.
    package static let cacheKibibytes = 2_048
    /// How long to wait for another program that has the database open, in seconds.
    package static let busySeconds = 5.0
}
