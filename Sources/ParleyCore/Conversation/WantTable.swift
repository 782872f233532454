/// The envelopes that peers announced and this node lacks; one holder is asked at a time.
package struct WantTable: Sendable {
    /// How long a holder has to answer before the next one is asked.
    ///
    /// It has longer while its link brings other new envelopes, and after all were asked in vain.
    package static let patience = Interval.seconds(1)
    /// The longest wait for a holder whose link keeps bringing new envelopes, as on a slow path.
    package static let patienceMax = Interval.seconds(300)
    /// How often the patience doubles while all holders are asked in vain: up to 64 s.
    package static let doublings = 6
    /// The shortest time between two searches for overdue wants.
    private static let pause = Interval.milliseconds(20)
    /// Envelopes wanted at a time; a link whose peer announces more is refused.
    package static let countMax = 1 << 18

    struct Want: Sendable {
        let entry: HaveEntry
        /// The links that announced it and did not answer "not found" since, in that order.
        var holders: [LinkID]
        /// The link that should send it, since when and until when; nil if there is no such link
        /// yet.
        var asked: (link: LinkID?, since: Moment, until: Moment)
        /// The index of the holder to ask next; behind the last one, a new round begins.
        var next: Int
        /// How often all holders were asked in vain.
        var rounds = 0

        /// Removes a holder; the others keep their order.
        mutating func removeHolder(_ holder: LinkID) {
            guard let place = holders.firstIndex(of: holder) else { return }
            holders.remove(at: place)
            if place < next { next -= 1 }
        }
    }

    private var wants: [EnvelopeName: Want] = [:]
    /// The wanted envelopes of each session, in the order in which they were announced.
    private var names: [SessionTag: [EnvelopeName]] = [:]
    /// When to look for overdue wants.
    package private(set) var deadline: Moment?
    /// When overdue wants were looked for last.
    private var lookedAt: Moment?

    package init() {}

    package var count: Int { wants.count }

    /// Whether to look for overdue wants now.
    package func isDue(at now: Moment) -> Bool { deadline.map { $0 <= now } ?? false }

    /// `holder` announced an envelope that this node lacks.
    ///
    /// - Returns: whether to ask the holder for it at once.
    package mutating func told(_ entry: HaveEntry, by holder: LinkID, at now: Moment) -> Bool {
        guard wants[entry.name] == nil else {
            addHolder(holder, of: entry.name, at: now)
            return false
        }
        let asked = (link: Optional(holder), since: now, until: now + Self.patience)
        add(Want(entry: entry, holders: [holder], asked: asked, next: 1))
        return true
    }

    /// `holder` announced an envelope that its author is expected to push on the link `author`, or
    /// on one that is being made.
    ///
    /// Holders are asked only if the author does not push it.
    package mutating func expected(
        _ entry: HaveEntry,
        from author: LinkID?,
        told holder: LinkID,
        at now: Moment
    ) {
        guard wants[entry.name] == nil else {
            addHolder(holder, of: entry.name, at: now)
            return
        }
        let asked = (link: author, since: now, until: now + Self.patience)
        add(Want(entry: entry, holders: [holder], asked: asked, next: 0))
    }

    /// The wanted entries of one session.
    package func entries(of tag: SessionTag) -> [HaveEntry] {
        names[tag, default: []].compactMap { wants[$0]?.entry }
    }

    /// The links that announced a wanted envelope.
    package func holders(of name: EnvelopeName) -> [LinkID] { wants[name]?.holders ?? [] }

    /// Ends a want: the envelope arrived, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) {
        guard let tag = wants.removeValue(forKey: name)?.entry.tag else { return }
        names[tag]?.removeAll { $0 == name }
        if names[tag]?.isEmpty ?? false { names[tag] = nil }
    }

    /// `holder` does not have the envelope any more; its feed brings the replacement.
    package mutating func notFound(_ name: EnvelopeName, from holder: LinkID, at now: Moment) {
        guard var want = wants[name] else { return }
        want.removeHolder(holder)
        guard !want.holders.isEmpty else { return settled(name) }
        if want.asked.link == holder {
            want.asked = (nil, since: now, until: now)
            look(at: now)
        }
        wants[name] = want
    }

    /// A link closed: another holder is asked for each envelope that it was to send.
    ///
    /// An author that was to push an envelope unasked does so on its `other` link, if it has one.
    package mutating func linkClosed(_ link: LinkID, other: LinkID?, at now: Moment) {
        guard !wants.isEmpty else { return }
        for name in wants.keys.sorted() {
            guard let want = wants[name] else { continue }
            if let other, want.asked.link == link, !want.holders.contains(link) {
                wants[name]?.asked.link = other
            } else {
                notFound(name, from: link, at: now)
            }
        }
    }

    /// The overdue wants, each with the holder to ask now, in order of their names.
    ///
    /// `news` says when each link last brought a new envelope. Each round in vain doubles the
    /// patience, at most `doublings` times.
    package mutating func overdue(
        at now: Moment,
        news: [LinkID: Moment]
    ) -> [(entry: HaveEntry, holder: LinkID)] {
        lookedAt = now
        var result: [(entry: HaveEntry, holder: LinkID)] = []
        for name in wants.filter({ $0.value.asked.until <= now }).keys.sorted() {
            guard var want = wants[name] else { continue }
            if let later = Self.later(want, news), later > now {
                want.asked.until = later
            } else {
                result.append((want.entry, Self.askNext(&want, at: now)))
            }
            wants[name] = want
        }
        deadline = nil
        if let next = wants.values.map(\.asked.until).min() { look(at: next) }
        return result
    }

    /// Schedules a search for overdue wants at `time`, or once `pause` is over.
    private mutating func look(at time: Moment) {
        let time = max(time, lookedAt.map { $0 + Self.pause } ?? time)
        deadline = min(deadline ?? time, time)
    }

    /// The later deadline of a holder whose link brought new envelopes since it was asked; else
    /// nil.
    private static func later(_ want: Want, _ news: [LinkID: Moment]) -> Moment? {
        guard let link = want.asked.link, let last = news[link], last > want.asked.since else {
            return nil
        }
        return min(last + patience, want.asked.since + patienceMax)
    }

    private static func askNext(_ want: inout Want, at now: Moment) -> LinkID {
        if want.next == want.holders.count {
            want.next = 0
            want.rounds += 1
        }
        let holder = want.holders[want.next]
        want.next += 1
        let seconds = Int64(1) << Int64(min(want.rounds, doublings))
        want.asked = (holder, since: now, until: now + .seconds(seconds))
        return holder
    }

    private mutating func add(_ want: Want) {
        wants[want.entry.name] = want
        names[want.entry.tag, default: []].append(want.entry.name)
        look(at: want.asked.until)
    }

    /// Adds a holder, and waits no longer than `patience` now, as this one has the envelope.
    private mutating func addHolder(_ holder: LinkID, of name: EnvelopeName, at now: Moment) {
        guard var want = wants[name] else { return }
        if !want.holders.contains(holder) { want.holders.append(holder) }
        want.rounds = 0
        want.asked.until = min(want.asked.until, now + Self.patience)
        wants[name] = want
        look(at: want.asked.until)
    }
}
