/// Decides who has a slot among the links to members when more come than there are slots.
///
/// Every member gets a free slot; half of the slots are kept for peers that share more than open
/// conversations. Without a free slot, a newcomer that needs a slot takes the slot of another link.
/// The first of these differences decides which link goes:
/// - a suspect link before a link that answers,
/// - a link that shares only open conversations, in which anybody can take part,
/// - a link that never brought anything new,
/// - a link whose peer can be reached through another link,
/// - a link from the source address with the most slots,
/// - the link that brought nothing for longest.
///
/// A newcomer with only open conversations never takes the slot of a link that shares others.
/// Of the links that answer, the following keep their slots:
/// - a link younger than `tenure`, for both sides to catch up, unless the link has brought nothing
///   and all other candidates have,
/// - a link from another source with no more slots than the source of the newcomer,
/// - the only link to a conversation,
/// - a link that brought something new within `regard`, if no other link leads to its peer.
package struct LinkSlots: Sendable, Equatable {
    /// A link to a member.
    package struct Holder: Sendable, Equatable {
        /// The address of the peer, without the port.
        package var source: String
        package var openedAt = Moment.start
        /// When the link last brought something new.
        package var broughtNews: Moment?
        package var isSuspect = false
        package var sharesOnlyOpen = false
        /// Whether a conversation of the link is shared on no other link that answers.
        package var isOnlyLink = false
        /// Whether the peer is linked to the peer of another link that shares the same
        /// conversations.
        package var isReachable = false

        package init(source: String) {
            self.source = source
        }
    }

    /// A peer that has just proved a conversation.
    package struct Newcomer: Sendable, Equatable {
        package var source: String
        package var sharesOnlyOpen = false
        /// Whether the peer came again after it was turned away, or is the only peer of a
        /// conversation.
        package var needsSlot = false

        package init(source: String) {
            self.source = source
        }
    }

    /// The answer to a newcomer.
    package enum Admission: Sendable, Equatable {
        case admitted
        /// There is a slot once the holder at this index has gone.
        case replaces(Int)
        case turnedAway
    }

    /// How long a link has its slot at least, counted from the end of TLS.
    package static let tenure = Interval.seconds(5)
    /// How long a link is protected after it brought something new.
    package static let regard = Interval.seconds(60)

    private let holders: [Holder]
    private let countMax: Int
    /// The number of slots of each source.
    private let counts: [String: Int]

    /// The slots of a node that may have `countMax` links to members.
    package init(_ holders: [Holder], countMax: Int) {
        self.holders = holders
        self.countMax = countMax
        counts = holders.reduce(into: [:]) { counts, holder in
            counts[holder.source, default: 0] += 1
        }
    }

    /// Whether a newcomer gets a slot, and whose.
    package func admission(of newcomer: Newcomer, at now: Moment) -> Admission {
        guard !isFree(for: newcomer) else { return .admitted }
        guard newcomer.needsSlot else { return .turnedAway }
        let candidates = holders.indices.filter { mayReplace(holders[$0], newcomer, at: now) }
        guard let least = leastMissed(candidates.filter { hasTenure(holders[$0], at: now) }),
            let leastOfAll = leastMissed(candidates)
        else { return .turnedAway }
        // A burst of newcomers must not cost a useful link its slot.
        let isBurst = holders[least].broughtNews != nil && holders[leastOfAll].broughtNews == nil
        return .replaces(isBurst ? leastOfAll : least)
    }

    private func leastMissed(_ candidates: [Int]) -> Int? {
        candidates.min { isMissedLess(holders[$0], than: holders[$1]) }
    }

    /// Whether a link has had its slot long enough to lose it.
    private func hasTenure(_ holder: Holder, at now: Moment) -> Bool {
        holder.isSuspect || holder.openedAt + Self.tenure <= now
    }

    private func isFree(for newcomer: Newcomer) -> Bool {
        guard holders.count < countMax else { return false }
        return !newcomer.sharesOnlyOpen || holders.count(where: \.sharesOnlyOpen) < countMax / 2
    }

    private func mayReplace(_ holder: Holder, _ newcomer: Newcomer, at now: Moment) -> Bool {
        guard holder.sharesOnlyOpen || !newcomer.sharesOnlyOpen else { return false }
        guard !holder.isSuspect else { return true }
        guard holder.source == newcomer.source || count(of: holder) > count(of: newcomer) else {
            return false
        }
        guard holder.sharesOnlyOpen == newcomer.sharesOnlyOpen else { return true }
        guard !holder.isOnlyLink else { return false }
        guard !holder.isReachable, let news = holder.broughtNews else { return true }
        return news + Self.regard <= now
    }

    private func count(of holder: Holder) -> Int { counts[holder.source] ?? 0 }

    private func count(of newcomer: Newcomer) -> Int { counts[newcomer.source] ?? 0 }

    private func isMissedLess(_ one: Holder, than other: Holder) -> Bool {
        let pairs = [
            (!one.isSuspect, !other.isSuspect),
            (!one.sharesOnlyOpen, !other.sharesOnlyOpen),
            (one.broughtNews != nil, other.broughtNews != nil),
            (!one.isReachable, !other.isReachable),
        ]
        if let pair = pairs.first(where: { $0 != $1 }) { return !pair.0 }
        let counts = (count(of: one), count(of: other))
        guard counts.0 == counts.1 else { return counts.0 > counts.1 }
        return (one.broughtNews ?? one.openedAt) < (other.broughtNews ?? other.openedAt)
    }
}
