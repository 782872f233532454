package import ParleyCore

/// The callbacks that wait for commits, each for everything submitted before it.
package struct StoreWaits {
    /// A callback with nil once the writes are on disk, or with the error that prevents it.
    package typealias Done = (NodeError?) -> Void

    private var submitted = Ticket(0)
    private var committed = Ticket(0)
    /// The callbacks in the order of their tickets.
    private var waiting: [(ticket: Ticket, done: Done)] = []

    package init() {}

    package mutating func submitted(_ ticket: Ticket) { submitted = ticket }

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
    /// - Returns: the callbacks that waited for the ticket.
    package mutating func committed(through ticket: Ticket) -> [Done] {
        committed = max(committed, ticket)
        let count = waiting.prefix { $0.ticket <= committed }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.done)
    }

    /// No commit succeeds for now.
    ///
    /// - Returns: all callbacks.
    package mutating func takeAll() -> [Done] {
        defer { waiting = [] }
        return waiting.map(\.done)
    }
}
