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
    private(set) var arrived: UInt64 = 0
    package private(set) var missing = MissingEnvelopes()
    /// Positions that are on disk once their commit is done, ascending.
    private var uncommitted: [(ticket: Ticket, position: UInt64)] = []
    /// The highest position that is on disk.
    private var onDisk: UInt64
    private var confirmations: Confirmations
    /// The envelopes to ask the peer for.
    package var wants = WantQueue()
    /// Whether confirming has stopped, because this node could not store an envelope.
    package var isHeld = false
    package var hasSaidFull = false
    /// The position of the cursor that is on disk, or on its way there.
    package var saved: UInt64

    package init(cursor: FeedCursor) {
        self.cursor = cursor
        highest = cursor.position
        onDisk = cursor.position
        confirmations = Confirmations(after: cursor.position)
        saved = cursor.position
    }

    /// Takes the peer's incarnation and latest position; a cursor of another incarnation becomes 0.
    package mutating func began(incarnation: UInt64, latest: UInt64) {
        self.incarnation = incarnation
        replayEnd = latest
        guard incarnation != cursor.incarnation else { return }
        highest = 0
        onDisk = 0
        confirmations = Confirmations(after: 0)
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
        confirmations.received(position, urgency: urgency)
    }

    /// Whether part of the replay has not arrived yet.
    package var isReplaying: Bool { highest < replayEnd }

    // MARK: Missing envelopes

    /// Notes an announced envelope that this node lacks: the feed is incomplete after `highest`.
    package mutating func misses(_ name: EnvelopeName) { missing.add(name, after: highest) }

    /// Notes that the envelope arrived on any link, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) {
        wants.settled(name)
        missing.settled(name)
    }

    /// The names of some missing envelopes for which the feed stands still.
    package mutating func standingStill(at now: Moment) -> [EnvelopeName] {
        missing.standingStill(at: now)
    }

    /// The position up to which nothing is missing, on disk or on its way there.
    package var complete: UInt64 { missing.complete(upTo: highest) }

    // MARK: Our disk

    /// The cursor to write, if it is ahead of the one on disk.
    package var unsavedCursor: FeedCursor? {
        guard let incarnation, !isHeld, highest > saved else { return nil }
        let complete = complete
        return complete > saved ? FeedCursor(incarnation: incarnation, position: complete) : nil
    }

    /// Whether the peer must still hear that this node could not store an envelope.
    package var shouldSayFull: Bool { isHeld && !hasSaidFull }

    /// The highest position that was confirmed to the peer.
    package var stored: UInt64 { confirmations.stored }

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
    /// `ridesAlong` says whether the peer is sent other frames now.
    package mutating func committed(
        _ ticket: Ticket,
        ridesAlong: Bool = false,
        at now: Moment
    ) -> UInt64? {
        while let first = uncommitted.first, first.ticket <= ticket {
            onDisk = max(onDisk, first.position)
            uncommitted.removeFirst()
        }
        let isDue = confirmations.areDue(onDisk, ridesAlong: ridesAlong, at: now)
        return isDue ? confirmed(at: now) : nil
    }

    /// The moment at which a waiting confirmation must be sent; nil if none waits.
    package var confirmationDue: Moment? { confirmations.deadline(onDisk) }

    /// Notes the confirmation of everything on disk.
    ///
    /// - Returns: the position.
    package mutating func confirmed(at now: Moment) -> UInt64 {
        confirmations.confirmed(onDisk, at: now)
        return onDisk
    }
}
