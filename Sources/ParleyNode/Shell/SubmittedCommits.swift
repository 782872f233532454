import ParleyCore

/// When commits were asked for that are not on disk yet: the oldest ones, as a store that fails
/// reports none.
struct SubmittedCommits {
    private var commits: [(ticket: Ticket, start: Moment)] = []

    private static let countMax = 1_024

    mutating func add(_ ticket: Ticket, at now: Moment) {
        guard commits.count < Self.countMax else { return }
        commits.append((ticket, now))
    }

    /// Takes the starts of the commits up to this one.
    mutating func take(through ticket: Ticket) -> [Moment] {
        let count = commits.prefix { $0.ticket <= ticket }.count
        defer { commits.removeFirst(count) }
        return commits.prefix(count).map(\.start)
    }
}
