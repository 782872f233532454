/// The accepted connections of strangers, with a rule for when all slots are taken.
///
/// Anybody can open connections and say nothing, so a slot is not kept by coming first:
/// - The slots are divided among the source addresses. If all are taken, one of the sources with
///   the most strangers, the newcomer counted, loses the stranger without progress for longest.
///   Progress is the end of the TLS handshake, the `hello`, and the proof, with which a stranger
///   leaves this table.
/// - Otherwise a newcomer takes the slot of another stranger of its own source, at random. So a
///   flood from an address cannot keep out others there: nobody knows which stranger goes, and a
///   dropped peer comes again.
/// - A source whose strangers prove nothing, again and again, waits longer and longer.
///
/// A source is an IPv6 address, or an IPv4 address that is mapped into one.
package struct StrangerTable: Sendable {
    /// The answer to a newcomer.
    package enum Admission: Sendable, Equatable {
        case admitted
        /// There is a slot once this stranger is dropped.
        case replaces(LinkID)
        case turnedAway
    }

    private struct Stranger: Sendable {
        let id: LinkID
        let source: Bytes16
    }

    /// The strangers; the first has made no progress for longest.
    private var strangers: [Stranger] = []
    private var pauses = SourcePauses()
    private let countMax: Int
    private let perSourceMax: Int

    /// A table for as many strangers as `limits` allow.
    package init(limits: Limits) {
        countMax = limits.strangers
        perSourceMax = limits.strangersPerSource
    }

    package var count: Int { strangers.count }

    /// The source address of a stranger; nil for other links.
    package func source(of id: LinkID) -> Bytes16? {
        strangers.first { $0.id == id }?.source
    }

    /// A peer has connected from `source`.
    package mutating func admit(
        _ id: LinkID,
        from source: Bytes16,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) -> Admission {
        guard !pauses.isPaused(source, at: now) else { return .turnedAway }
        let newcomer = Stranger(id: id, source: source)
        let own = strangers.indices.filter { strangers[$0].source == source }
        if strangers.count < countMax, own.count < perSourceMax {
            strangers.append(newcomer)
            return .admitted
        }
        let other = own.count < perSourceMax ? indexInLargestSource(besides: source) : nil
        guard let index = other ?? own.randomElement(using: &random) else { return .turnedAway }
        let dropped = strangers.remove(at: index)
        strangers.append(newcomer)
        return .replaces(dropped.id)
    }

    /// A stranger came closer to its proof.
    package mutating func progressed(_ id: LinkID) {
        guard let stranger = remove(id) else { return }
        strangers.append(stranger)
    }

    /// A stranger has proved a conversation.
    package mutating func proved(_ id: LinkID) {
        guard let stranger = remove(id) else { return }
        pauses.proved(source: stranger.source)
    }

    /// A connection has ended: a stranger has proved nothing.
    package mutating func ended(_ id: LinkID, at now: Moment) {
        guard let stranger = remove(id) else { return }
        pauses.provedNothing(source: stranger.source, at: now)
    }

    private mutating func remove(_ id: LinkID) -> Stranger? {
        strangers.firstIndex { $0.id == id }.map { strangers.remove(at: $0) }
    }

    /// The stranger to drop for a newcomer of `source`, from another source with the most
    /// strangers.
    ///
    /// It is nil if the newcomer's source has more than all others.
    private func indexInLargestSource(besides source: Bytes16) -> Int? {
        var counts = [source: 1]
        for stranger in strangers { counts[stranger.source, default: 0] += 1 }
        let most = counts.values.max()
        return strangers.firstIndex { $0.source != source && counts[$0.source] == most }
    }
}
