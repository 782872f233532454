package import ParleyCore

/// A visit of an intruder: a stranger, a relay that forges, or a Byzantine writer.
///
/// The intruder knows the keys that its role has; the envelopes that it passes on come from the
/// disk of a node.
package struct Intrusion: Sendable, Equatable {
    package enum Kind: Int, CaseIterable, Sendable {
        // MARK: Strangers

        /// Sends the received tags back.
        case reflectsTags
        /// Passes the tags of each of two nodes to the other one.
        case passesTags

        // MARK: Relays

        /// Sends an envelope under the origin of another device, with a proof of its own.
        case forges
        /// Signs a certificate for itself and writes.
        case certifiesItself
        /// Sends an envelope of the first conversation in the second.
        case replays

        // MARK: Writers

        /// Starts a session and sends it with a high hop count.
        case comesFromFar
        /// Writes an envelope with an item that only a later version knows.
        case writesLaterVersion
        /// Claims a context of messages that do not exist yet.
        case claimsFuture
        /// Gives two nodes different envelopes under one dot.
        case equivocates
        /// Writes more concurrent messages than a session may have, replaces most of them, and
        /// repeats the rest.
        case fillsSession

        // MARK: Anybody

        /// Sends `bytes`, which are not of the protocol. Only plans use this: how the frame parser
        /// treats arbitrary bytes is tested separately.
        case babbles
    }

    /// The kinds that seeds draw from.
    static let drawn = Kind.allCases.filter { $0 != .babbles }

    package var kind: Kind
    /// The node that the intruder talks to, and a second one.
    package var node: Int
    package var other: Int
    /// A random number for all other choices.
    package var pick: UInt64
    /// The bytes of `babbles`.
    package var bytes: [UInt8] = []
    /// How long the intruder keeps a link that the node does not end.
    package var stay = Interval.milliseconds(700)

    package init(_ kind: Kind, node: Int, other: Int, pick: UInt64) {
        self.kind = kind
        self.node = node
        self.other = other
        self.pick = pick
    }
}

/// Draws the intrusions of a run.
struct IntrusionMix {
    let nodes: Int
    let end: Interval
    var random: SeededRandom

    /// The percentage of runs with intruders.
    private static let rarity = 35

    mutating func actions() -> [ScheduledAction] {
        guard random.chance(Self.rarity, in: 100) else { return [] }
        return (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let kind = Intrusion.drawn.randomElement(using: &random) ?? .forges
            let node = Int.random(in: 0..<nodes, using: &random)
            let step = Int.random(in: 1...max(1, nodes - 1), using: &random)
            let intrusion = Intrusion(
                kind,
                node: node,
                other: (node + step) % nodes,
                pick: random.next()
            )
            let time = Int64.random(in: 500...max(501, end.milliseconds), using: &random)
            return ScheduledAction(.milliseconds(time), .intrude(intrusion))
        }
    }
}
