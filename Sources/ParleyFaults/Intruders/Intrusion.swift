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

        /// Writes as a guest that nobody certified, certified for another seat, or certified as
        /// a guest of an intruder's own.
        case posesAsGuest

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
        /// Certifies one guest after the other, who write as fast as they can.
        case inventsGuests

        /// Guesses tokens of invites, and repeats the proof of another device and link.
        case knocks

        /// Sends signals without end, several times each, some from far away.
        case signals

        /// Comes back to a conversation with the keys of its beginning: writes under old and
        /// invented generations, and makes records.
        case returns

        // MARK: Several relays

        /// Announces envelopes that do not exist and never sends one, on links of several relays.
        case announces
    }

    /// The kinds that seeds draw from; the others have their own mixes.
    static let drawn = Kind.allCases.filter {
        ![
            .babbles, .announces, .floods, .posesAsGuest, .inventsGuests, .signals, .knocks,
            .returns,
        ].contains($0)
    }

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
    /// The epochs of each device of `floods`, or its guests, and the envelopes in each epoch for
    /// each of the two nodes; `relays` counts the devices.
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
