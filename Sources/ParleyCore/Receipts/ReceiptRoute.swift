/// When and on which link the receipts for an origin go on to the author.
///
/// Receipts go up the tree on which envelopes of the origin come down. A leaf sends after
/// `leafPause`, an inner node when all its children have sent, or after `innerPause`. What comes
/// later goes on once after `firstPause`, then after `laterPause` each.
package struct ReceiptRoute: Sendable {
    /// The link on which the latest envelope came first, and the device there.
    package private(set) var via: LinkID?
    package private(set) var viaDevice: DeviceID?
    /// The times that envelopes came, as of the latest receipts that came or went on.
    private var arrivals: UInt32 = 0
    /// The links that brought receipts since the latest envelope.
    private var reported: Set<LinkID> = []
    /// How often receipts went on since the latest envelope, and when they did last.
    private var sends = 0
    private var last = Moment.start
    /// The link on which receipts went on last; nil if there were several.
    private var lastLink: LinkID?
    /// Whether the way has ended before the receipts arrived for certain: they go on all links.
    package private(set) var isStranded = false
    /// Whether receipts went on last where the author perhaps cannot be reached.
    package private(set) var isAstray = false
    /// From when on receipts count as lost: somebody who comes and goes makes no flood.
    private var doubtedFrom = Moment.start
    /// Since when there is something to send.
    private var since = Moment.start
    /// When to look whether to send; nil if there is nothing to send.
    package private(set) var next: Moment?

    package static let leafPause = Interval.milliseconds(20)
    package static let innerPause = Interval.milliseconds(500)
    package static let firstPause = Interval.seconds(5)
    package static let laterPause = Interval.seconds(10)
    /// Receipts have arrived if their link still worked so long after them, or later.
    package static let doubt = Interval.seconds(1)
    package static let doubtPause = Interval.seconds(60)

    package init() {}

    /// Envelopes come on a link now.
    package mutating func moved(to link: LinkID, of device: DeviceID) {
        (via, viaDevice, isStranded) = (link, device, false)
    }

    /// Envelopes came so many times.
    package mutating func heard(_ arrivals: UInt32, at now: Moment) {
        guard self.arrivals != arrivals else { return }
        self.arrivals = arrivals
        beginRound(at: now)
    }

    /// The way is lost, or leads to somebody who sends receipts up here.
    package mutating func lose(_ link: LinkID) {
        guard via == link else { return }
        (via, isStranded) = (nil, true)
    }

    /// There is something new of this device.
    package mutating func hasOwn() {
        if via == nil { isStranded = true }
    }

    /// Nothing is to be sent.
    package mutating func settle() { isStranded = false }

    /// A link has ended that worked until `end`.
    ///
    /// - Returns: whether the latest receipts went there, perhaps in vain.
    package mutating func ended(_ link: LinkID, workedUntil end: Moment) -> Bool {
        lose(link)
        reported.remove(link)
        guard lastLink == link else { return false }
        lastLink = nil
        guard end < last + Self.doubt, last >= doubtedFrom else { return false }
        doubtedFrom = last + Self.doubtPause
        isStranded = true
        return true
    }

    /// Another envelope is on disk here, or everything is to be sent again.
    package mutating func beginRound(at now: Moment) {
        guard sends > 0 else { return }
        (sends, reported) = (0, [])
        if next != nil { (since, next) = (now, now + Self.leafPause) }
    }

    /// There is something to send.
    package mutating func has(at now: Moment) {
        guard next == nil else { return }
        since = now
        let pause = sends == 1 ? Self.firstPause : Self.laterPause
        next = sends == 0 ? now + Self.leafPause : max(now, last + pause)
    }

    /// There is something to send, and perhaps a way soon.
    package mutating func wait(at now: Moment) {
        guard next == nil else { return }
        (since, next) = (now, now + Self.firstPause)
    }

    /// A link brought receipts.
    package mutating func reported(_ link: LinkID, at now: Moment) {
        reported.insert(link)
        if sends == 0, next != nil { next = max(now, since + Self.leafPause) }
    }

    /// Whether to send now; `pushedTo` are the links whose receipts are awaited.
    package mutating func isReady(at now: Moment, pushedTo: [LinkID]) -> Bool {
        guard let due = next, due <= now else { return false }
        if sends > 0 || since + Self.innerPause <= now { return true }
        if pushedTo.allSatisfy({ reported.contains($0) }) { return true }
        next = since + Self.innerPause
        return false
    }

    /// Receipts went on, when envelopes had come so many times; perhaps `isAstray`.
    package mutating func sent(
        on links: [LinkID],
        isAstray: Bool = false,
        after arrivals: UInt32,
        at now: Moment
    ) {
        (sends, last, next) = (sends + 1, now, nil)
        (lastLink, isStranded) = (links.count == 1 ? links.first : nil, false)
        self.isAstray = isAstray
        self.arrivals = arrivals
    }

    /// There is no way at present.
    package mutating func pause() { next = nil }
}
