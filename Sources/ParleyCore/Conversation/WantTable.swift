/// The envelopes that peers told of and this node lacks: asked of one holder at a time.
package struct WantTable: Sendable {
    /// How long a holder has to answer before the next one is asked; longer while its link brings
    /// other news, and when all were asked in vain.
    package static let patience = Interval.seconds(1)
    /// How long one whose link goes on bringing news may take: on a slow way, much comes before.
    package static let patienceMax = Interval.seconds(300)
    /// How often the patience doubles when all were asked in vain: to 64 s.
    package static let doublings = 6
    /// Overdue ones are looked for at most so often.
    private static let pause = Interval.milliseconds(20)
    /// Envelopes wanted at a time; what is told beyond is told again after the next audit.
    package static let countMax = 1 << 18

    struct Want: Sendable {
        let entry: HaveEntry
        /// Who told of it and did not say since that it is gone, in the order in which they did.
        var holders: [LinkID]
        /// Who is to send it, nil if a link to its author is being made, since and until when.
        var asked: (link: LinkID?, since: Moment, until: Moment)
        /// Whose turn it is next, among the holders; behind the last one, a new round begins.
        var next: Int
        /// How often all holders were asked in vain.
        var rounds = 0

        /// Those after it keep their turns.
        mutating func removeHolder(_ holder: LinkID) {
            guard let place = holders.firstIndex(of: holder) else { return }
            holders.remove(at: place)
            if place < next { next -= 1 }
        }
    }

    private var wants: [EnvelopeName: Want] = [:]
    /// The wanted envelopes of each session, in the order in which they were told of.
    private var names: [SessionTag: [EnvelopeName]] = [:]
    /// When to look for overdue ones.
    package private(set) var deadline: Moment?
    /// When that was done last.
    private var lookedAt: Moment?

    package init() {}

    package var count: Int { wants.count }

    /// `holder` told of an entry that is not here.
    ///
    /// - Returns: whether it is to be asked for it at once.
    package mutating func told(_ entry: HaveEntry, by holder: LinkID, at now: Moment) -> Bool {
        guard wants[entry.name] == nil else {
            addHolder(holder, of: entry.name, at: now)
            return false
        }
        let asked = (link: Optional(holder), since: now, until: now + Self.patience)
        add(Want(entry: entry, holders: [holder], asked: asked, next: 1))
        return true
    }

    /// The author is expected to push it, on the link `author` or on one that is being made; others
    /// are asked only if it does not.
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

    /// The entries that are wanted of one session.
    package func entries(of tag: SessionTag) -> [HaveEntry] {
        names[tag, default: []].compactMap { wants[$0]?.entry }
    }

    /// Who told of a wanted envelope.
    package func holders(of name: EnvelopeName) -> [LinkID] { wants[name]?.holders ?? [] }

    /// The envelope came, or is of no use any more.
    package mutating func settled(_ name: EnvelopeName) {
        guard let tag = wants.removeValue(forKey: name)?.entry.tag else { return }
        names[tag]?.removeAll { $0 == name }
        if names[tag]?.isEmpty ?? false { names[tag] = nil }
    }

    /// `holder` does not have it any more; what replaced it comes with its feed.
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

    /// A link went; what it was to send is due at once.
    ///
    /// What an author was to push without being asked comes on its other link, if it has one.
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

    /// What is overdue, with the holder that is asked instead, by dot.
    ///
    /// `news` tells when each link brought something new last; with each round in vain the time
    /// doubles, `doublings` times at most.
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

    /// Overdue ones are looked for then, or as soon after as they may be.
    private mutating func look(at time: Moment) {
        let time = max(time, lookedAt.map { $0 + Self.pause } ?? time)
        deadline = min(deadline ?? time, time)
    }

    /// Until when who is asked has time for what came on its link since; nil if nothing came.
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

    /// Who tells of it has it now, and is asked as soon as any other.
    private mutating func addHolder(_ holder: LinkID, of name: EnvelopeName, at now: Moment) {
        guard var want = wants[name] else { return }
        if !want.holders.contains(holder) { want.holders.append(holder) }
        want.rounds = 0
        want.asked.until = min(want.asked.until, now + Self.patience)
        wants[name] = want
        look(at: want.asked.until)
    }
}
