/// The peer's feed on its way to this node.
package struct IncomingFeed: Sendable {
    /// What was asked for: everything after it.
    package let cursor: FeedCursor
    /// The peer's present incarnation, once it is known.
    package private(set) var incarnation: UInt64?
    /// Everything up to here was there before the link.
    package private(set) var replayEnd: UInt64 = 0
    /// When the peer answered again after a silence, the last time.
    private var resumedAt: Moment?
    /// The highest position that was sent or told.
    package private(set) var highest: UInt64
    /// Envelopes that were told and have not come, with the position that had been told before
    /// each, ascending.
    private var missing: [(after: UInt64, name: EnvelopeName)] = []
    /// Those before it in `missing` came.
    private var missingStart = 0
    /// Those in `missing` that still count.
    private var missingNames: Set<EnvelopeName> = []
    /// Positions that are on disk when their ticket is committed, ascending.
    private var uncommitted: [(ticket: Ticket, position: UInt64)] = []
    /// On disk, and said so.
    package private(set) var stored: UInt64
    /// Wants that wait to be sent.
    package var wants: [HaveEntry] = []
    /// Nothing is confirmed any more: something could not be taken.
    package var isHeld = false
    package var hasSaidFull = false
    /// The position that was last written to disk, or is on its way there.
    package var saved: UInt64

    /// Told and missing at a time on one link; a peer that tells more broke the protocol.
    package static let missingMax = 4 * OutgoingFeed.toldMax

    package init(cursor: FeedCursor) {
        self.cursor = cursor
        highest = cursor.position
        stored = cursor.position
        saved = cursor.position
    }

    /// The peer numbers its changes in `incarnation`, and has come to `latest`.
    ///
    /// If the cursor is of another incarnation, nothing is taken as known on this link until the
    /// peer says how far it has come.
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

    /// Whether the peer has not yet told all that was there before the link.
    package var isReplaying: Bool { highest < replayEnd }

    /// The peer answers again after a silence.
    package mutating func resumed(at now: Moment) { resumedAt = now }

    /// Whether a position is of what changed before the link began, or while it was silent, as far
    /// as can be told: for a while after a silence everything counts.
    package func isReplay(_ position: UInt64, at now: Moment) -> Bool {
        position <= replayEnd || resumedAt.map { now < $0 + WantTable.patience } ?? false
    }

    package var isMissingAny: Bool { !missingNames.isEmpty }

    package var missingCount: Int { missingNames.count }

    package func isMissing(_ name: EnvelopeName) -> Bool { missingNames.contains(name) }

    /// An envelope was told that is not here; nothing behind what was highest before is complete
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

    /// The envelope came, from wherever, or is of no use any more.
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

    /// How far everything is here, on disk or on its way there.
    package var complete: UInt64 {
        missingStart < missing.count ? missing[missingStart].after : highest
    }

    /// How far the peer's feed is here, if the disk does not know it.
    package var unsavedCursor: FeedCursor? {
        guard let incarnation, !isHeld, highest > saved else { return nil }
        let complete = complete
        return complete > saved ? FeedCursor(incarnation: incarnation, position: complete) : nil
    }

    /// Whether the peer does not know that something could not be taken.
    package var shouldSayFull: Bool { isHeld && !hasSaidFull }

    /// Notes that everything complete is on disk once `ticket` is.
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
