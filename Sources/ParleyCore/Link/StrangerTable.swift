/// The accepted connections whose peers have not proved that they share a conversation, and the one
/// that is dropped for a newcomer when there are as many as there may be.
///
/// Anybody can open connections and say nothing, so a place is not kept by coming first:
/// - The places are divided among the source addresses. If all are taken, the sources with the most
///   strangers, the newcomer counted, give one up.
/// - Of their strangers, the one that made no progress for longest is dropped. Progress is the end
///   of the TLS handshake, the `hello`, and the proof, with which a stranger leaves this table.
/// - For another stranger of its own source, only a stranger is dropped that made no progress for
///   `patience`. So peers behind one address do not end each other's handshakes.
///
/// A source is an IPv6 address, or an IPv4 address that is mapped into one.
package struct StrangerTable: Sendable {
    /// The answer to a newcomer.
    package enum Admission: Sendable, Equatable {
        case admitted
        /// There is a place once this stranger is dropped.
        case replaces(LinkID)
        case turnedAway
    }

    private struct Stranger: Sendable {
        let id: LinkID
        let source: Bytes16
        var progressAt: Moment

        func isIdle(at now: Moment) -> Bool {
            progressAt + StrangerTable.patience <= now
        }
    }

    /// How long a stranger may make no progress while others of its source want its place.
    package static let patience = Interval.seconds(2)

    /// The strangers, beginning with the one whose last progress is longest ago.
    private var strangers: [Stranger] = []
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
        at now: Moment
    ) -> Admission {
        let newcomer = Stranger(id: id, source: source, progressAt: now)
        let ofSource = strangers.count { $0.source == source }
        if strangers.count < countMax, ofSource < perSourceMax {
            strangers.append(newcomer)
            return .admitted
        }
        let index =
            ofSource < perSourceMax
            ? indexInLargestSource(besides: source, at: now)
            : strangers.firstIndex { $0.source == source && $0.isIdle(at: now) }
        guard let index else { return .turnedAway }
        let dropped = strangers.remove(at: index)
        strangers.append(newcomer)
        return .replaces(dropped.id)
    }

    /// A stranger came closer to its proof.
    package mutating func progressed(_ id: LinkID, at now: Moment) {
        guard let index = strangers.firstIndex(where: { $0.id == id }) else { return }
        var stranger = strangers.remove(at: index)
        stranger.progressAt = now
        strangers.append(stranger)
    }

    /// A stranger has proved a conversation, or its connection has ended.
    package mutating func remove(_ id: LinkID) {
        if let index = strangers.firstIndex(where: { $0.id == id }) { strangers.remove(at: index) }
    }

    /// The stranger to drop for a newcomer of `source`, from one of the sources with the most.
    private func indexInLargestSource(besides source: Bytes16, at now: Moment) -> Int? {
        var counts = [source: 1]
        for stranger in strangers { counts[stranger.source, default: 0] += 1 }
        let most = counts.values.max()
        return strangers.firstIndex { stranger in
            guard counts[stranger.source] == most else { return false }
            return stranger.source != source || stranger.isIdle(at: now)
        }
    }
}
