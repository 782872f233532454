package import ParleyCore
package import ParleyStore

/// The commits under way to the disk, their callbacks, and the error that prevents them.
package struct PendingCommits {
    /// A callback with nil once the writes are on disk, or with the error that prevents it.
    package typealias Done = (NodeError?) -> Void

    /// The error of the store, nil while commits succeed.
    package private(set) var trouble: StoreError?
    private var submitted = Ticket(0)
    private var committed = Ticket(0)
    /// The oldest commits under way; a failing store reports no commit, so not all are kept.
    private var commits: [(ticket: Ticket, start: Moment)] = []
    /// The callbacks in the order of their tickets.
    private var waiting: [(ticket: Ticket, done: Done)] = []

    /// The commits whose starts are kept.
    package static let startsMax = 1_024

    package init() {}

    /// The error for a change that cannot be made at present.
    package var obstacle: NodeError? { trouble.map { NodeError(whileRunning: $0) } }

    /// The error for a change that frees space.
    package var obstacleToLeaving: NodeError? {
        trouble?.admitsLeaving == true ? nil : obstacle
    }

    /// Writes were submitted; their ticket is above all earlier ones.
    package mutating func submitted(_ ticket: Ticket, at now: Moment) {
        submitted = ticket
        if commits.count < Self.startsMax { commits.append((ticket, now)) }
    }

    /// Adds a callback, unless everything that was submitted is on disk.
    ///
    /// - Returns: whether the callback was added.
    package mutating func add(_ done: @escaping Done) -> Bool {
        guard committed < submitted else { return false }
        waiting.append((submitted, done))
        return true
    }

    /// Everything up to a ticket is on disk.
    ///
    /// - Returns: the starts of the commits, and the callbacks that waited for the ticket.
    package mutating func committed(through ticket: Ticket) -> (starts: [Moment], done: [Done]) {
        committed = max(committed, ticket)
        let begun = commits.prefix { $0.ticket <= ticket }
        let answered = waiting.prefix { $0.ticket <= committed }
        commits.removeFirst(begun.count)
        waiting.removeFirst(answered.count)
        return (begun.map(\.start), answered.map(\.done))
    }

    /// No commit succeeds for now; the callbacks are to be taken.
    ///
    /// - Returns: whether commits succeeded until now.
    package mutating func failed(_ error: StoreError) -> Bool {
        defer { trouble = error }
        return trouble == nil
    }

    /// Commits succeed again.
    package mutating func works() { trouble = nil }

    /// Takes all callbacks.
    package mutating func takeAll() -> [Done] {
        defer { waiting = [] }
        return waiting.map(\.done)
    }
}
