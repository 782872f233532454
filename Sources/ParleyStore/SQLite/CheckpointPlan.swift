/// When the write-ahead log is to be copied into the database (a checkpoint).
///
/// Checkpoints run beside the commits from `StoreLimits.checkpointPages` on. SQLite starts the log
/// over when a transaction finds all of it copied, and where commits follow one another closely,
/// the next one always comes before a checkpoint has ended. So once the log has `logPages` and few
/// are left to copy, commits wait for those, and with `logPagesMax` for whatever is left.
package struct CheckpointPlan: Sendable {
    /// What the log needs after a commit.
    package enum Need: Sendable, Equatable {
        case nothing
        /// A checkpoint beside the commits.
        case checkpoint
        /// A checkpoint for which commits wait.
        case pause
    }

    /// The pages of the log after the last commit.
    private var pages = 0
    /// The pages of the log that are in the database, as far as a checkpoint has told.
    private var copied = 0
    /// The pages of the log at the last checkpoint that was planned; 0 if none was since the log
    /// started over.
    private var planned = 0

    /// The pages by which a log grows between two checkpoints: a reader of an old state, which
    /// keeps them from copying, does not make every commit try again.
    package static let pagesBetween = 64
    /// The pages that are few enough to wait for.
    private static let fewPages = StoreLimits.checkpointPages / 4

    package init() {}

    /// A commit has made the log longer, or started it over.
    ///
    /// - Parameters:
    ///   - pages: the pages of the log.
    ///   - copied: the pages that are in the database according to a checkpoint that has ended
    ///     since the last call.
    ///   - isCopying: whether a checkpoint is running.
    /// - Returns: what the log needs now.
    package mutating func committed(pages: Int, copied: Int?, isCopying: Bool) -> Need {
        if let copied { self.copied = copied }
        if pages < self.pages {
            self.copied = 0
            planned = 0
        }
        self.pages = pages
        guard pages >= max(StoreLimits.checkpointPages, planned + Self.pagesBetween) else {
            return .nothing
        }
        let isLong = pages >= StoreLimits.logPagesMax
        guard isLong || !isCopying else { return .nothing }
        planned = pages
        let isNearlyCopied = pages >= StoreLimits.logPages && pages - self.copied <= Self.fewPages
        return isLong || isNearlyCopied ? .pause : .checkpoint
    }

    /// The checkpoint for which commits waited has ended.
    package mutating func paused(copied: Int) {
        self.copied = copied
    }
}
