import ParleyCore
import Testing

/// How many bytes of envelopes links may have on their way to a node.
struct CommitsWindowTests {
    /// Twice the longest envelope with its prefix: less is no window.
    private static let least = 2 * (65_536 + 16)

    @Test(arguments: [
        Window(pending: 0, capacity: 32 << 20, members: 1, window: 1 << 20),
        Window(pending: 0, capacity: 32 << 20, members: 32, window: 1 << 20),
        Window(pending: 0, capacity: 32 << 20, members: 64, window: 512 << 10),
        Window(pending: 24 << 20, capacity: 32 << 20, members: 16, window: 512 << 10),
        // No less than the least is granted.
        Window(pending: 1, capacity: 1 + 3 * least, members: 3, window: UInt64(least)),
        Window(pending: 1, capacity: 3 * least, members: 3, window: nil),
        Window(pending: 40 << 20, capacity: 32 << 20, members: 1, window: nil),
        // The least is granted all the same when no commit ends that would grant more.
        Window(pending: 0, capacity: 10, members: 3, window: UInt64(least)),
        Window(pending: 0, capacity: 32 << 20, members: 0, window: nil),
    ])
    func capacityIsSharedByMembers(_ row: Window) {
        var commits = Commits()
        _ = commits.issue([.conversationLeft(1)], bytes: row.pending)
        #expect(window(commits, row) == row.window)
        commits.isBlocked = true
        #expect(window(commits, row) == nil)
    }

    private func window(_ commits: Commits, _ row: Window) -> UInt64? {
        CreditGrant.envelopeWindow(
            besides: commits,
            sharedBy: row.members,
            of: row.capacity
        )
    }

    /// The window of each of some members, when `pending` of `capacity` bytes are used.
    struct Window: Sendable {
        let pending: Int
        let capacity: Int
        let members: Int
        let window: UInt64?
    }
}
