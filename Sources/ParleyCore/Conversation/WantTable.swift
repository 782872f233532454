/// The envelopes that peers told of and this node lacks: asked of one holder at a time.
struct WantTable: Sendable {
    /// How long a holder has to answer before the next one is asked.
    static let patience = Interval.seconds(1)
    /// Envelopes wanted at a time; what is told beyond is told again after the next audit.
    static let countMax = 1 << 18

    struct Want: Sendable {
        let entry: HaveEntry
        /// Who told of it and did not say since that it is gone, in the order in which they did.
        var holders: [LinkID]
        /// Who is to send it, nil if a link to its author is being made, and until when.
        var asked: (link: LinkID?, until: Moment)
    }

    private var wants: [EnvelopeName: Want] = [:]
    /// The wanted envelopes of each session, in the order in which they were told of.
    private var names: [SessionTag: [EnvelopeName]] = [:]
    /// When to look for overdue ones; never later than the first of them.
    private(set) var deadline: Moment?

    var count: Int { wants.count }

    /// `holder` told of an entry that is not here.
    ///
    /// - Returns: whether it is to be asked for it at once.
    mutating func told(_ entry: HaveEntry, by holder: LinkID, at now: Moment) -> Bool {
        guard wants[entry.name] == nil else {
            addHolder(holder, of: entry.name)
            return false
        }
        add(Want(entry: entry, holders: [holder], asked: (holder, now + Self.patience)))
        return true
    }

    /// The author is expected to push it, on the link `author` or on one that is being made; others
    /// are asked only if it does not.
    mutating func expected(
        _ entry: HaveEntry,
        from author: LinkID?,
        told holder: LinkID,
        at now: Moment
    ) {
        guard wants[entry.name] == nil else {
            addHolder(holder, of: entry.name)
            return
        }
        add(Want(entry: entry, holders: [holder], asked: (author, now + Self.patience)))
    }

    /// The entries that are wanted of one session.
    func entries(of tag: SessionTag) -> [HaveEntry] {
        names[tag, default: []].compactMap { wants[$0]?.entry }
    }

    /// Who told of a wanted envelope.
    func holders(of name: EnvelopeName) -> [LinkID] { wants[name]?.holders ?? [] }

    /// The envelope came, or is of no use any more.
    mutating func settled(_ name: EnvelopeName) {
        guard let tag = wants.removeValue(forKey: name)?.entry.tag else { return }
        names[tag]?.removeAll { $0 == name }
        if names[tag]?.isEmpty ?? false { names[tag] = nil }
    }

    /// `holder` does not have it any more; what replaced it comes with its feed.
    mutating func gone(_ name: EnvelopeName, from holder: LinkID, at now: Moment) {
        guard var want = wants[name] else { return }
        want.holders.removeAll { $0 == holder }
        if want.asked.link == holder { want.asked = (holder, now) }
        keep(want)
        deadline = now
    }

    /// A link went; what it was to send is due at once.
    ///
    /// What an author was to push without being asked comes on its other link, if it has one.
    mutating func linkClosed(_ link: LinkID, other: LinkID?, at now: Moment) {
        guard !wants.isEmpty else { return }
        for name in wants.keys.sorted() {
            guard let want = wants[name] else { continue }
            if let other, want.asked.link == link, !want.holders.contains(link) {
                wants[name]?.asked.link = other
            } else {
                gone(name, from: link, at: now)
            }
        }
    }

    /// What is overdue, with the holder that is asked instead, by dot.
    mutating func overdue(at now: Moment) -> [(entry: HaveEntry, holder: LinkID)] {
        var result: [(entry: HaveEntry, holder: LinkID)] = []
        for name in wants.keys.sorted() {
            guard var want = wants[name], want.asked.until <= now else { continue }
            let place = want.holders.firstIndex { $0 == want.asked.link }.map { $0 + 1 } ?? 0
            let holder = want.holders[place % want.holders.count]
            want.asked = (holder, now + Self.patience)
            wants[name] = want
            result.append((want.entry, holder))
        }
        deadline = wants.values.map(\.asked.until).min()
        return result
    }

    private mutating func add(_ want: Want) {
        wants[want.entry.name] = want
        names[want.entry.tag, default: []].append(want.entry.name)
        deadline = min(deadline ?? want.asked.until, want.asked.until)
    }

    private mutating func addHolder(_ holder: LinkID, of name: EnvelopeName) {
        guard let want = wants[name], !want.holders.contains(holder) else { return }
        wants[name]?.holders.append(holder)
    }

    /// A want that nobody can meet is none.
    private mutating func keep(_ want: Want) {
        if want.holders.isEmpty {
            settled(want.entry.name)
        } else {
            wants[want.entry.name] = want
        }
    }
}
