/// The sessions of one conversation in the order of their latest changes.
///
/// Sessions are numbered densely from 0. A new change of a session makes its old entry stale. Stale
/// entries are swept out once they outnumber the live entries.
package struct ChangeFeed: Sendable {
    /// The highest assigned position; positions start at 1.
    package private(set) var latest: UInt64

    private struct Entry: Sendable {
        let position: UInt64
        let session: Int32
    }

    /// Ascending by position, with stale entries.
    private var entries: [Entry] = []
    /// The position of each session's live entry, or 0.
    private var positions: [UInt64] = []
    private var liveCount = 0
    private var isRecovering = false

    /// A feed without entries whose first position will be `start` + 1.
    package init(start: UInt64 = 0) {
        latest = start
    }

    /// The number of sessions with an entry.
    package var count: Int { liveCount }

    /// The number of entries with stale ones: at most about twice `count`.
    package var entryCount: Int { entries.count }

    // MARK: Recovery

    /// Adds a stored session, before the first change and in any order.
    ///
    /// Call `recoveryEnded` after the last session.
    package mutating func recover(session: Int32, position: UInt64) {
        isRecovering = true
        // A position out of range is damage, and would leave no positions for later changes.
        let position = position < FeedCursor.positionEnd ? position : 0
        setPosition(of: session, to: position)
        entries.append(Entry(position: position, session: session))
        latest = max(latest, position)
    }

    /// Ends recovery: all stored sessions were added.
    ///
    /// A session gets a new position if the stored one is out of range or taken by another session.
    /// Damage on the disk thus repeats changes, and never skips any.
    package mutating func recoveryEnded() {
        isRecovering = false
        entries.sort { ($0.position, $0.session) < ($1.position, $1.session) }
        var inOrder: [Entry] = []
        inOrder.reserveCapacity(entries.count)
        var misplaced: [Int32] = []
        for entry in entries where positions[Int(entry.session)] == entry.position {
            if entry.position > inOrder.last?.position ?? 0 {
                inOrder.append(entry)
            } else if entry.session != inOrder.last?.session {
                misplaced.append(entry.session)
            }
        }
        entries = inOrder
        liveCount = inOrder.count
        for session in misplaced where positions[Int(session)] <= inOrder.last?.position ?? 0 {
            positions[Int(session)] = 0
            record(session)
        }
    }

    // MARK: Changes

    /// Records that a session changed, and returns the position of the change.
    @discardableResult
    package mutating func record(_ session: Int32) -> UInt64 {
        if isRecovering { recoveryEnded() }
        latest += 1
        let isLast = entries.last?.session == session && position(of: session) != nil
        if isLast { entries.removeLast() }
        setPosition(of: session, to: latest)
        entries.append(Entry(position: latest, session: session))
        if entries.count > 2 * liveCount + 32 { sweep() }
        return latest
    }

    /// The position of the latest change of `session`, or nil if it never changed.
    package func position(of session: Int32) -> UInt64? {
        guard session >= 0, Int(session) < positions.count else { return nil }
        let position = positions[Int(session)]
        return position == 0 ? nil : position
    }

    /// The first session whose latest change is after `position`, and the position of that change.
    ///
    /// The cost is O(1) at the end of the feed, and logarithmic elsewhere. A reader of the whole
    /// feed skips each stale entry once.
    package func next(after position: UInt64) -> (position: UInt64, session: Int32)? {
        precondition(!isRecovering, "a feed was read before its recovery had ended")
        guard position < latest else { return nil }
        for entry in entries[index(after: position)...] where isLive(entry) {
            return (entry.position, entry.session)
        }
        return nil
    }

    /// Passes each change after `position` to `body`, in order, until `body` answers false.
    package func forEach(after position: UInt64, _ body: (UInt64, Int32) -> Bool) {
        precondition(!isRecovering, "a feed was read before its recovery had ended")
        guard position < latest else { return }
        for entry in entries[index(after: position)...] where isLive(entry) {
            guard body(entry.position, entry.session) else { return }
        }
    }

    private func isLive(_ entry: Entry) -> Bool {
        positions[Int(entry.session)] == entry.position
    }

    /// The index of the first entry after `position`, searched from the end, where most readers
    /// are.
    private func index(after position: UInt64) -> Int {
        var high = entries.count
        var step = 1
        while high - step >= 0, entries[high - step].position > position {
            high -= step
            step *= 2
        }
        var low = max(high - step, -1) + 1
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].position > position {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    private mutating func setPosition(of session: Int32, to position: UInt64) {
        precondition(session >= 0, "a session has a negative number")
        let index = Int(session)
        if index >= positions.count {
            positions.append(contentsOf: repeatElement(0, count: index + 1 - positions.count))
        }
        if positions[index] == 0 { liveCount += 1 }
        positions[index] = position
    }

    private mutating func sweep() {
        let positions = positions
        entries.removeAll { positions[Int($0.session)] != $0.position }
    }
}
