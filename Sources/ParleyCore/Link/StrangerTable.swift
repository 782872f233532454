/// The accepted connections whose peers have not proved that they share a conversation, and the one
/// that is dropped for a newcomer when there are as many as there may be.
///
/// Anybody can open connections and say nothing, so a slot is not kept by coming first:
/// - The slots are divided among the source addresses. If all are taken, the sources with the most
///   strangers, the newcomer counted, give one up: the one that made no progress for longest.
///   Progress is the end of the TLS handshake, the `hello`, and the proof, with which a stranger
///   leaves this table.
/// - For another stranger of its own source, one of them is dropped at random. A flood from an
///   address cannot keep out others that are there as well: its sender cannot know which one goes,
///   and a peer that is dropped comes again.
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

    /// The strangers, beginning with the one whose last progress is longest ago.
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

    /// The source address of a stranger, nil if it is none.
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

    /// A connection has ended; if it was a stranger's, that has proved nothing.
    package mutating func ended(_ id: LinkID, at now: Moment) {
        guard let stranger = remove(id) else { return }
        pauses.provedNothing(source: stranger.source, at: now)
    }

    private mutating func remove(_ id: LinkID) -> Stranger? {
        strangers.firstIndex { $0.id == id }.map { strangers.remove(at: $0) }
    }

    /// The stranger to drop for a newcomer of `source`, from one of the other sources with the
    /// most; nil if none has as many as that of the newcomer.
    private func indexInLargestSource(besides source: Bytes16) -> Int? {
        var counts = [source: 1]
        for stranger in strangers { counts[stranger.source, default: 0] += 1 }
        let most = counts.values.max()
        return strangers.firstIndex { $0.source != source && counts[$0.source] == most }
    }
}
