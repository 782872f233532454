package import ParleyCore

/// What somebody does to a node that is no node: a stranger, or a member that lies.
///
/// What it needs of conversations it knows; what it wants to pass on it takes from a node's disk.
package struct Intrusion: Sendable, Equatable {
    package enum Kind: Int, CaseIterable, Sendable {
        // MARK: Strangers

        /// Sends the tags back that it gets.
        case reflectsTags
        /// Passes the tags of two nodes on to one another.
        case passesTags

        // MARK: Relays

        /// Sends an envelope under an origin of somebody else, with a proof of its own.
        case forges
        /// Makes a certificate for itself, and writes.
        case certifiesItself
        /// Sends an envelope of the first conversation in the second.
        case replays

        // MARK: Writers

        /// Starts a session, and says that it came from far away.
        case comesFromFar
        /// Writes an envelope with an item that only a later version knows.
        case writesLaterVersion
        /// Claims to have seen what was not written yet.
        case claimsFuture
        /// Gives two nodes different envelopes under one dot.
        case equivocates
        /// Writes more concurrent messages than a session may have, replaces most of them, and
        /// repeats the rest.
        case fillsSession

        // MARK: Anybody

        /// Says `bytes`, which are not of the protocol. Only plans do: what the parser of frames
        /// makes of any bytes is a test of its own.
        case babbles
    }

    /// What a run from a seed draws from.
    static let drawn = Kind.allCases.filter { $0 != .babbles }

    package var kind: Kind
    /// The node that it talks to, and another one.
    package var node: Int
    package var other: Int
    /// What else is to be chosen.
    package var pick: UInt64
    /// What it says if it babbles.
    package var bytes: [UInt8] = []
    /// How long it stays on a link that the node does not end.
    package var stay = Interval.milliseconds(700)

    package init(_ kind: Kind, node: Int, other: Int, pick: UInt64) {
        self.kind = kind
        self.node = node
        self.other = other
        self.pick = pick
    }
}

/// Draws who intrudes in a run, if anybody.
struct IntrusionMix {
    let nodes: Int
    let end: Interval
    var random: SeededRandom

    /// In how many of 100 runs there are intruders.
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
