/// The peer's feed, as far as it has arrived at this node.
package struct IncomingFeed: Sendable {
    /// This node asked for everything after this cursor.
    package let cursor: FeedCursor
    /// The peer's present incarnation, once it is known.
    package private(set) var incarnation: UInt64?
    /// The end of the peer's feed when the link began: changes up to it are replay.
    package private(set) var replayEnd: UInt64 = 0
    /// The highest position that arrived, with an envelope or an announcement.
    package private(set) var highest: UInt64
    /// The highest position that arrived on this link: 0 at first, unlike `highest`.
    private var arrived: UInt64 = 0
    /// The announced envelopes that this node lacks, oldest first, with `highest` before each.
    private var missing: [(after: UInt64, name: EnvelopeName)] = []
    /// The entries of `missing` before this index are settled.
    private var missingStart = 0
    /// The names in `missing` that are not settled.
    private var unsettled: Set<EnvelopeName> = []
    /// The missing envelope that was announced first, since when it is or was asked for last, when
    /// the feed last stood still, and how many envelopes were asked for then.
    private var standstill: (oldest: EnvelopeName?, since: Moment, last: Moment?, count: Int) =
        (nil, .start, nil, 0)
    /// Positions that are on disk once their commit is done, ascending.
    private var uncommitted: [(ticket: Ticket, position: UInt64)] = []
    /// The highest position that is on disk.
    private var onDisk: UInt64
    /// The highest position that was confirmed to the peer.
    package private(set) var stored: UInt64
    /// All positions whose confirmation the peer awaits, and the urgent part of them.
    private var awaited = AwaitedPositions()
    private var prompt = AwaitedPositions()
    /// When this node last sent a confirmation to the peer.
    private var lastConfirmed: Moment?
    /// How many positions arrived since the last confirmation without being awaited.
    private var unawaitedCount = 0
    /// The envelopes to ask the peer for.
    package var wants = WantQueue()
    /// Whether confirming has stopped, because this node could not store an envelope.
    package var isHeld = false
    package var hasSaidFull = false
    /// The position of the cursor that is on disk, or on its way there.
    package var saved: UInt64

    /// So many announcements without a request bring a confirmation: the peer need not repeat them.
    package static let unawaitedMax = 256
    /// The longest time between two confirmations if the peer did not request the second.
    package static let gathering = Interval.milliseconds(16)
    /// After this time, the next step of the node sends such a confirmation along.
    package static let gatheringLeast = Interval.milliseconds(12)
    /// How many more settled than unsettled entries `missing` may have.
    private static let settledMax = 64
    /// After this time without an arrival in order, a peer is asked in the place of another one.
    package static let standstillMin = Interval.seconds(4)

    package init(cursor: FeedCursor) {
        self.cursor = cursor
        highest = cursor.position
        onDisk = cursor.position
        stored = cursor.position
        saved = cursor.position
    }

    /// Takes the peer's incarnation and latest position; a cursor of another incarnation becomes 0.
    package mutating func began(incarnation: UInt64, latest: UInt64) {
        self.incarnation = incarnation
        replayEnd = latest
        guard incarnation != cursor.incarnation else { return }
        highest = 0
        onDisk = 0
        stored = 0
        saved = 0
    }

    /// Whether the peer may send a position now: positions of a link never descend, and 0 is none.
    package func mayReceive(position: UInt64) -> Bool { position == 0 || position >= arrived }

    /// Notes that everything up to a position arrived, or is not needed.
    ///
    /// `urgency` says how soon the peer needs the confirmation.
    package mutating func received(
        position: UInt64,
        urgency: AwaitedPositions.Urgency = .prompt
    ) {
        guard position > 0 else { return }
        arrived = max(arrived, position)
        highest = max(highest, position)
        switch urgency {
        case .none: unawaitedCount += 1
        case .gathered: awaited.add(position, after: stored)
        case .prompt:
            awaited.add(position, after: stored)
            prompt.add(position, after: stored)
        }
    }

    /// Whether part of the replay has not arrived yet.
    package var isReplaying: Bool { highest < replayEnd }

    /// Whether the peer announced an envelope that has not arrived.
    package var isMissingAny: Bool { !unsettled.isEmpty }

    package var missingCount: Int { unsettled.count }

    /// The memory of the missing envelopes, in bytes.
    package var announcedBytes: Int { missingCount * Limits.missingBytes }

    package func isMissing(_ name: EnvelopeName) -> Bool { unsettled.contains(name) }

    /// Notes an announced envelope that this node lacks: the feed is incomplete after `highest`.
    package mutating func misses(_ name: EnvelopeName) {
        guard unsettled.insert(name).inserted else { return }
        missing.append((highest, name))
    }

    /// The names of the missing envelopes that were announced first; none unless the very first one
    /// was the same for `standstillMin`.
    ///
    /// They are four, and twice as many each time that the feed stands still again soon.
    package mutating func standingStill(at now: Moment) -> [EnvelopeName] {
        let oldest = missing[missingStart...].first { unsettled.contains($0.name) }?.name
        if oldest != standstill.oldest {
            standstill.oldest = oldest
            standstill.since = now
        }
        guard oldest != nil, standstill.since + Self.standstillMin <= now else { return [] }
        let isAgain = standstill.last.map { now <= $0 + Self.standstillMin * 3 } ?? false
        standstill.count = isAgain ? min(2 * standstill.count, WantQueue.unansweredMax) : 4
        standstill.last = now
        standstill.since = now
        var names: [EnvelopeName] = []
        for entry in missing[missingStart...] where unsettled.contains(entry.name) {
            names.append(entry.name)
            if names.count == standstill.count { break }
        }
        return names
    }

    /// Notes that the envelope arrived on any link, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) {
        wants.settled(name)
        guard unsettled.remove(name) != nil else { return }
        dropSettled()
    }

    /// Drops settled entries at the beginning of `missing`, and all of them if they are most.
    private mutating func dropSettled() {
        while missingStart < missing.count,
            !unsettled.contains(missing[missingStart].name)
        {
            missingStart += 1
        }
        if missing.count - missingStart > 2 * unsettled.count + Self.settledMax {
            missing = missing[missingStart...].filter { unsettled.contains($0.name) }
            missingStart = 0
        } else if missingStart * 2 > missing.count {
            missing.removeFirst(missingStart)
            missingStart = 0
        }
        // An idle link keeps no capacity.
        if unsettled.isEmpty { unsettled = [] }
        if missing.isEmpty { missing = [] }
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

    /// Whether the peer must still hear that this node could not store an envelope.
    package var shouldSayFull: Bool { isHeld && !hasSaidFull }

    /// Notes that everything up to `complete` is on disk once `ticket` is.
    package mutating func follows(_ ticket: Ticket) {
        guard !isHeld, highest > onDisk else { return }
        let position = complete
        guard position > (uncommitted.last?.position ?? onDisk) else { return }
        if uncommitted.last?.ticket == ticket {
            uncommitted[uncommitted.count - 1].position = position
        } else {
            uncommitted.append((ticket, position))
        }
    }

    /// The position to confirm now that `ticket` is on disk; nil if no confirmation is due.
    ///
    /// `ridesAlong` says whether the peer is sent other frames now, so that a confirmation without
    /// a request costs nothing.
    package mutating func committed(
        _ ticket: Ticket,
        ridesAlong: Bool = false,
        at now: Moment
    ) -> UInt64? {
        while let first = uncommitted.first, first.ticket <= ticket {
            onDisk = max(onDisk, first.position)
            uncommitted.removeFirst()
        }
        guard onDisk > stored else { return nil }
        let isGathered =
            ridesAlong || lastConfirmed.map { $0 + Self.gatheringLeast <= now } ?? true
        let isDue =
            (isGathered ? awaited : prompt).areOnDisk(upTo: onDisk, after: stored)
            || unawaitedCount >= Self.unawaitedMax
        return isDue ? confirmed(at: now) : nil
    }

    /// The moment at which a waiting confirmation must be sent; nil if none waits.
    package var confirmationDue: Moment? {
        guard awaited.areOnDisk(upTo: onDisk, after: stored), onDisk > stored else { return nil }
        return lastConfirmed.map { $0 + Self.gathering }
    }

    /// Notes the confirmation of everything on disk.
    ///
    /// - Returns: the position.
    package mutating func confirmed(at now: Moment) -> UInt64 {
        stored = onDisk
        awaited.confirmed(stored)
        prompt.confirmed(stored)
        unawaitedCount = 0
        lastConfirmed = now
        return stored
    }
}
