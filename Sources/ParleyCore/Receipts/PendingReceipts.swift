/// Messages of a conversation for the next report to their authors.
///
/// A message is reported once it is on disk with its blobs. A session that changed twice within
/// `quiet` is reported only after so much quiet, and only the last message of each origin: a
/// session in conflict has several.
package struct PendingReceipts: Sendable {
    private struct Series: Hashable {
        let tag: SessionTag
        let origin: OriginID
    }

    private struct Message {
        let dot: Dot
        let blobs: [BlobReference]
        let ticket: Ticket
        var due: Moment
        var lacksBlobs = false
    }

    package static let quiet = Interval.milliseconds(250)

    private var messages: [Series: Message] = [:]
    /// When sessions changed last in the present period, which is at least `quiet` long.
    private var changed: [SessionTag: Moment] = [:]
    /// The same for the period before; empty if that ended more than `quiet` ago.
    private var changedBefore: [SessionTag: Moment] = [:]
    private var periodEnd: Moment = .start
    /// Whether a message lacks blobs, perhaps.
    private var isAnyWithoutBlobs = false
    /// The earliest moment at which a session may be quiet.
    package private(set) var deadline: Moment?
    /// The earliest commit that messages wait for, of those that no quiet is awaited for.
    private var awaited: Ticket?

    package init() {}

    /// A message of another device was merged, and will be on disk with a commit.
    package mutating func add(
        _ dot: Dot,
        in tag: SessionTag,
        blobs: [BlobReference],
        ticket: Ticket,
        at now: Moment
    ) {
        let isHot = isHot(tag, at: now)
        let series = Series(tag: tag, origin: dot.origin)
        if messages[series] == nil, messages.count >= Limits.receiptsPending {
            // Messages whose blobs do not come give way.
            if isAnyWithoutBlobs { messages = messages.filter { !$0.value.lacksBlobs } }
            isAnyWithoutBlobs = false
            guard messages.count < Limits.receiptsPending else { return }
        }
        let due = isHot ? now + Self.quiet : now
        messages[series] = Message(dot: dot, blobs: blobs, ticket: ticket, due: due)
        if isHot { deadline = min(deadline ?? due, due) } else { wait(for: ticket) }
    }

    /// Whether a session has changed within `quiet`; it changes now.
    private mutating func isHot(_ tag: SessionTag, at now: Moment) -> Bool {
        if now >= periodEnd {
            changedBefore = now < periodEnd + Self.quiet ? changed : [:]
            changed = [:]
            periodEnd = now + Self.quiet
        }
        let last = changed[tag] ?? changedBefore[tag]
        let isHot = last.map { now < $0 + Self.quiet } ?? false
        // Sessions beyond the limit were all counted in the period before.
        if isHot || changed.count < Limits.receiptsPending { changed[tag] = now }
        return isHot
    }

    private mutating func wait(for ticket: Ticket) {
        awaited = min(awaited ?? ticket, ticket)
    }

    package var isWaiting: Bool { !messages.isEmpty }

    /// Whether messages have perhaps come to the disk that only waited for that.
    package func isAnyOnDisk(_ committed: Ticket) -> Bool {
        awaited.map { $0 <= committed } ?? false
    }

    /// Takes the messages that are to be reported now, ascending; without those that are no heads
    /// any more: perhaps only a later message came to the disk.
    package mutating func take(
        committed: Ticket,
        at now: Moment,
        isHead: (Dot, SessionTag) -> Bool,
        isStored: (BlobID) -> Bool
    ) -> [Dot] {
        var taken: [Dot] = []
        (deadline, awaited) = (nil, nil)
        for (series, message) in messages {
            guard message.due <= now else {
                deadline = min(deadline ?? message.due, message.due)
                continue
            }
            guard message.ticket <= committed else {
                wait(for: message.ticket)
                continue
            }
            guard isHead(message.dot, series.tag) else {
                messages[series] = nil
                continue
            }
            guard message.blobs.allSatisfy({ isStored($0.id) }) else {
                let again = now + Self.quiet
                messages[series]?.due = again
                messages[series]?.lacksBlobs = true
                isAnyWithoutBlobs = true
                deadline = min(deadline ?? again, again)
                continue
            }
            taken.append(message.dot)
            messages[series] = nil
        }
        return taken.sorted()
    }
}
