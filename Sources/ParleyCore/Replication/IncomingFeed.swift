/// The peer's feed, as far as it has arrived at this node.
package struct IncomingFeed: Sendable {
    /// This node asked for everything after this cursor.
    package let cursor: FeedCursor
    /// The peer's present incarnation, once it is known.
    package private(set) var incarnation: UInt64?
    /// The end of the peer's feed when the link began: changes up to it are replay.
    package private(set) var replayEnd: UInt64 = 0
    /// When the peer last answered again after a silence.
    private var resumedAt: Moment?
    /// The highest position that arrived, with an envelope or an announcement.
    package private(set) var highest: UInt64
    /// Announced envelopes that this node lacks, each with the highest position before it,
    /// ascending.
    private var missing: [(after: UInt64, name: EnvelopeName)] = []
    /// The entries of `missing` before this index are settled.
    private var missingStart = 0
    /// The names in `missing` that are not settled.
    private var missingNames: Set<EnvelopeName> = []
    /// Positions that are on disk once their commit is done, ascending.
    private var uncommitted: [(ticket: Ticket, position: UInt64)] = []
    /// The highest position that is on disk and was confirmed to the peer.
    package private(set) var stored: UInt64
    /// Wants that wait to be sent.
    package var wants: [HaveEntry] = []
    /// Whether confirming has stopped, because an envelope could not be stored.
    package var isHeld = false
    package var hasSaidFull = false
    /// The position of the cursor that is on disk, or on its way there.
    package var saved: UInt64

    /// Missing envelopes at a time on one link; a peer that announces more broke the protocol.
    package static let missingMax = 4 * OutgoingFeed.toldMax

    package init(cursor: FeedCursor) {
        self.cursor = cursor
        highest = cursor.position
        stored = cursor.position
        saved = cursor.position
    }

    /// The peer said in which incarnation it numbers its changes, and the latest position.
    ///
    /// A cursor of another incarnation says nothing about these positions, so they start at 0.
    package mutating func began(incarnation: UInt64, latest: UInt64) {
        self.incarnation = incarnation
        replayEnd = latest
        guard incarnation != cursor.incarnation else { return }
        highest = 0
        stored = 0
        saved = 0
    }

    package mutating func received(position: UInt64) {
        highest = max(highest, position)
    }

    /// Whether part of the replay has not arrived yet.
    package var isReplaying: Bool { highest < replayEnd }

    /// The peer answers again after a silence.
    package mutating func resumed(at now: Moment) { resumedAt = now }

    /// Whether a position is of a change from before the link began, or while it was silent.
    ///
    /// This node does not know where the changes of a silence end, so for a while all count.
    package func isReplay(_ position: UInt64, at now: Moment) -> Bool {
        position <= replayEnd || resumedAt.map { now < $0 + WantTable.patience } ?? false
    }

    package var isMissingAny: Bool { !missingNames.isEmpty }

    package var missingCount: Int { missingNames.count }

    package func isMissing(_ name: EnvelopeName) -> Bool { missingNames.contains(name) }

    /// Notes an announced envelope that this node lacks: nothing after `highest` is complete
    /// without it.
    ///
    /// - Returns: false when too many are missing.
    package mutating func misses(_ name: EnvelopeName) -> Bool {
        guard !missingNames.contains(name) else { return true }
        guard missing.count - missingStart < Self.missingMax else { return false }
        missing.append((highest, name))
        missingNames.insert(name)
        return true
    }

    /// The envelope arrived on any link, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) {
        guard missingNames.remove(name) != nil else { return }
        while missingStart < missing.count, !missingNames.contains(missing[missingStart].name) {
            missingStart += 1
        }
        if missingStart * 2 > missing.count {
            missing.removeFirst(missingStart)
            missingStart = 0
        }
    }

    /// The position up to which nothing is missing, on disk or on its way there.
    package var complete: UInt64 {
        missingStart < missing.count ? missing[missingStart].after : highest
    }

    /// The cursor to write, if it is ahead of the one on disk.
    package var unsavedCursor: FeedCursor? {
        guard let incarnation, !isHeld, highest > saved else { return nil }
        let complete = complete
        return complete > saved ? FeedCursor(incarnation: incarnation, position: complete) : nil
    }

    /// Whether the peer has yet to hear that an envelope could not be stored.
    package var shouldSayFull: Bool { isHeld && !hasSaidFull }

    /// Notes that everything up to `complete` is on disk once `ticket` is.
    package mutating func follows(_ ticket: Ticket) {
        guard !isHeld, highest > stored else { return }
        let position = complete
        guard position > (uncommitted.last?.position ?? stored) else { return }
        if uncommitted.last?.ticket == ticket {
            uncommitted[uncommitted.count - 1].position = position
        } else {
            uncommitted.append((ticket, position))
        }
    }

    /// The position to confirm now that `ticket` is on disk, if it is a new one.
    package mutating func committed(_ ticket: Ticket) -> UInt64? {
        var position: UInt64?
        while let first = uncommitted.first, first.ticket <= ticket {
            position = first.position
            uncommitted.removeFirst()
        }
        guard let position, position > stored else { return nil }
        stored = position
        return position
    }
}
