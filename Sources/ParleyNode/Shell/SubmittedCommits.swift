import ParleyCore

/// The start times of commits that are not on disk yet.
///
/// Only the oldest are kept, as a failing store reports no commit.
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
