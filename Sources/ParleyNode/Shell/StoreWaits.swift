package import ParleyCore

/// Those who wait until what was submitted to the store is on disk.
package struct StoreWaits {
    /// Receives nil when it is on disk, or the error because of which it is not yet.
    package typealias Done = (NodeError?) -> Void

    private var submitted = Ticket(0)
    private var committed = Ticket(0)
    /// The waiting in the order of their tickets.
    private var waiting: [(ticket: Ticket, done: Done)] = []

    package init() {}

    package mutating func submitted(_ ticket: Ticket) { submitted = ticket }

    /// Adds one who waits for all that is submitted by now; false if it is on disk.
    package mutating func add(_ done: @escaping Done) -> Bool {
        guard committed < submitted else { return false }
        waiting.append((submitted, done))
        return true
    }

    /// Everything up to a ticket is on disk: returns those who waited for it.
    package mutating func committed(through ticket: Ticket) -> [Done] {
        committed = max(committed, ticket)
        let count = waiting.prefix { $0.ticket <= committed }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.done)
    }

    /// Nothing more comes to the disk for now: returns all.
    package mutating func takeAll() -> [Done] {
        defer { waiting = [] }
        return waiting.map(\.done)
    }
}
