package import ParleyCore

/// The writes of a node on the way to its disk, as in a node's commit queue with SQLite: a
/// transaction is durable as a whole or not at all, and is confirmed only after the sync.
package struct SimulatedCommits {
    /// The end of a commit.
    package enum End: Equatable {
        /// These writes are durable; `unblocks`: the store failed before.
        case done([Persist], unblocks: Bool)
        case failed(DiskFailure)
    }

    /// Writes that are not on disk yet, the oldest first.
    package private(set) var waiting: [Persist] = []
    /// The number of entries of `waiting` in the running transaction.
    private var committing = 0
    /// Whether the disk makes no progress.
    package var isStalled = false
    /// The fault of the disk, if any.
    package var trouble: DiskTrouble?
    /// Whether the node was told that its store fails.
    private(set) var isBlocked = false
    private var retryMilliseconds: Int64 = 200

    package init() {}

    /// Whether a transaction runs.
    var isCommitting: Bool { committing > 0 }

    /// The writes of the running transaction.
    var transaction: ArraySlice<Persist> { waiting.prefix(committing) }

    package mutating func add(_ persist: Persist) { waiting.append(persist) }

    /// Starts a transaction with all waiting writes, if none runs and the disk makes progress;
    /// returns whether a transaction began.
    ///
    /// While the store is blocked, only a retry begins.
    package mutating func begin(isRetry: Bool = false) -> Bool {
        guard committing == 0, isBlocked == isRetry, !isStalled, !waiting.isEmpty else {
            return false
        }
        committing = waiting.count
        return true
    }

    /// Ends the running transaction or, without groups, that of the oldest write; nil if there is
    /// none.
    package mutating func end(inGroups: Bool) -> End? {
        let count = inGroups ? committing : min(1, waiting.count)
        guard !isStalled, count > 0 else { return nil }
        if inGroups, let failure = trouble?.strike() { return .failed(failure) }
        defer {
            committing = 0
            retryMilliseconds = 200
            isBlocked = false
        }
        let done = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        return .done(done, unblocks: isBlocked)
    }

    /// Ends the running transaction without its writes, and blocks the store; returns the time
    /// until the retry, which doubles up to five seconds.
    package mutating func fail() -> Interval {
        defer { retryMilliseconds = min(5_000, retryMilliseconds * 2) }
        committing = 0
        isBlocked = true
        return .milliseconds(retryMilliseconds)
    }

    /// The waiting writes that reached the disk of a crashed process.
    ///
    /// With groups, the next transaction may be among them: its writes happen during the sync.
    package func settled(inGroups: Bool, using random: inout SeededRandom) -> ArraySlice<Persist> {
        let done: Int
        if !inGroups {
            done = Int.random(in: 0...waiting.count, using: &random)
        } else if committing > 0, random.chance(1, in: 4) {
            done = Int.random(in: committing...waiting.count, using: &random)
        } else {
            done = random.chance(1, in: 2) ? committing : 0
        }
        return waiting.prefix(trouble?.isStriking == true ? 0 : done)
    }

    /// Forgets the waiting writes, as the end of a process does.
    package mutating func drop() {
        waiting = []
        committing = 0
    }

    /// Begins a process; the trouble of the disk goes on.
    package mutating func restart() {
        let trouble = trouble
        self = SimulatedCommits()
        self.trouble = trouble
    }
}

/// A disk that fails from a certain commit on.
package struct DiskTrouble {
    let failure: DiskFailure
    /// The number of commits that still succeed.
    private var commitsLeft: Int

    package init(_ failure: DiskFailure, after commits: Int) {
        self.failure = failure
        commitsLeft = commits
    }

    var isStriking: Bool { commitsLeft == 0 }

    /// The failure of the next commit, nil if it succeeds.
    mutating func strike() -> DiskFailure? {
        guard commitsLeft > 0 else { return failure }
        commitsLeft -= 1
        return nil
    }
}
