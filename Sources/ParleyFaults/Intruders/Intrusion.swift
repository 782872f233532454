package import ParleyCore

/// A visit of an intruder: a stranger, a relay that forges, or a Byzantine writer.
///
/// The intruder knows the keys of its role. Envelopes that it passes on come from a node's disk.
package struct Intrusion: Sendable, Equatable {
    package enum Kind: Int, CaseIterable, Sendable {
        // MARK: Strangers

        /// Sends the received tags back.
        case reflectsTags
        /// Passes the tags of two nodes to each other.
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

        // MARK: Several writers

        /// Makes devices, epochs, sessions and ever longer messages as fast as it can.
        case floods

        // MARK: Several relays

        /// Announces envelopes that do not exist and never sends one, on links of several relays.
        case announces
    }

    /// The kinds that seeds draw from; announcing relays and floods have their own mixes.
    static let drawn = Kind.allCases.filter { ![.babbles, .announces, .floods].contains($0) }

    package var kind: Kind
    /// The node that the intruder talks to, and a second node.
    package var node: Int
    package var other: Int
    /// A random number for all other choices.
    package var pick: UInt64
    /// The bytes of `babbles`.
    package var bytes: [UInt8] = []
    /// The relays of `announces`, and the number of envelopes that each relay announces.
    var relays = 1
    var announced = 0
    /// The epochs of each device of `floods`, and the envelopes in each epoch for each of the two
    /// nodes; `relays` counts the devices.
    var epochs = 1
    var written = 0
    /// How long the intruder keeps a link that the node does not end.
    package var stay = Interval.milliseconds(700)

    package init(_ kind: Kind, node: Int, other: Int, pick: UInt64) {
        self.kind = kind
        self.node = node
        self.other = other
        self.pick = pick
    }
}

/// Draws when an intruder holds idle connections to which node: in every run, about every five
/// seconds.
struct IdleMix {
    let nodes: Int
    let end: Interval
    var random: SeededRandom

    /// More than a node has slots for strangers.
    private static let connections = 96

    /// The visits, in the order of their times.
    mutating func actions() -> [ScheduledAction] {
        var actions: [ScheduledAction] = []
        var time = Int64.random(in: 0...2_000, using: &random)
        while time < end.milliseconds {
            let node = Int.random(in: 0..<nodes, using: &random)
            let action = Action.holdIdle(node: node, connections: Self.connections)
            actions.append(ScheduledAction(.milliseconds(time), action))
            time += Int64.random(in: 1_000...9_000, using: &random)
        }
        return actions
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

/// Draws relays that announce nonexistent envelopes, in every run, on one to three occasions.
///
/// In some runs the memory for announced envelopes is so small that honest nodes often have to wait
/// for credit.
struct AnnouncerMix {
    let nodes: Int
    let end: Interval
    var random: SeededRandom

    /// The percentage of runs with little memory.
    private static let shortage = 25

    /// The visits, and the memory that each node has for announced envelopes.
    mutating func draw(_ limits: inout Limits) -> [ScheduledAction] {
        if random.chance(Self.shortage, in: 100) {
            limits.announcedBytes =
                Int.random(in: 16...64, using: &random) * limits.announcedBytesPerName
        }
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let node = Int.random(in: 0..<nodes, using: &random)
            var intrusion = Intrusion(.announces, node: node, other: node, pick: random.next())
            intrusion.relays = Int.random(in: 1...9, using: &random)
            intrusion.announced = Int.random(in: 1...200, using: &random)
            let time = Int64.random(in: 300...max(301, end.milliseconds), using: &random)
            // All are gone when the run has to become quiet.
            let stay = Int64.random(in: 700...40_000, using: &random)
            intrusion.stay = .milliseconds(min(stay, max(700, end.milliseconds - time)))
            return ScheduledAction(.milliseconds(time), .intrude(intrusion))
        }
    }
}
