/// The two hash chains of one participant in a game, as far as they have been revealed.
///
/// Each link is the hash of the next one, so that who knows a link can check all later ones, and
/// compute none. A participant gives the anchors with the seat, and one link after the other.
package struct Chain: Sendable, Equatable {
    /// A chain up to its latest revealed link.
    package struct Tip: Sendable, Equatable {
        /// 0 for the anchor.
        package let number: UInt64
        package let link: Bytes32

        package init(_ number: UInt64, _ link: Bytes32) {
            self.number = number
            self.link = link
        }
    }

    /// The links for rolls that all see, and for the dice of others.
    package var open: Tip
    /// The links for the own hidden dice.
    package var hidden: Tip

    package init(open: Tip, hidden: Tip) {
        self.open = open
        self.hidden = hidden
    }

    subscript(kind: MatchRoll.Kind) -> Tip { kind == .shown ? hidden : open }
}

/// Computes the links of one participant's chains in one game.
package struct ChainSteps<Crypto: Cryptography>: Sendable {
    private let game: SessionUUID
    private let participant: ParticipantID
    private let crypto: Crypto

    package init(_ game: SessionUUID, of participant: ParticipantID, using crypto: Crypto) {
        self.game = game
        self.participant = participant
        self.crypto = crypto
    }

    /// The link that is `count` before another one.
    package func link(_ count: UInt64, before link: Bytes32) -> Bytes32 {
        var input = labelled("parley chain 1")
        let start = input.count
        var link = link
        for _ in 0..<count {
            input.removeSubrange(start...)
            link.append(to: &input)
            link = crypto.sha256(input.span.bytes, then: RawSpan())
        }
        return link
    }

    /// Whether a link of a chain with this tip has the number.
    func follows(_ link: Bytes32, _ number: UInt64, from tip: Chain.Tip) -> Bool {
        number >= tip.number
            ? self.link(number - tip.number, before: link) == tip.link
            : self.link(tip.number - number, before: tip.link) == link
    }

    /// The links with these numbers of the chains whose last links come from a secret.
    ///
    /// The secret is the guest's private key, or that of the device without one.
    package func own(_ open: UInt64, _ hidden: UInt64, guest: Bytes32?) -> Chain {
        func tip(_ number: UInt64, _ label: StaticString) -> Chain.Tip {
            Chain.Tip(number, link(Limits.matchRolls - number, before: seed(label, guest)))
        }
        return Chain(open: tip(open, "parley chain x 1"), hidden: tip(hidden, "parley chain y 1"))
    }

    /// The secret with which the participant seals and opens parts.
    package func partSecret(guest: Bytes32?) -> Bytes32 { seed("parley part key 1", guest) }

    /// The content of the participant's seat: anchors, and the key for parts.
    package func seat(guest: Bytes32?) -> Slice {
        let key = crypto.agreementKey(of: partSecret(guest: guest))
        return own(0, 0, guest: guest).seat(with: key)
    }

    /// The secret from which all follows that the participant does to a deck.
    package func deckSeed(_ deck: Bytes32, guest: Bytes32?) -> Bytes32 {
        seed(labelled("parley deck 1") + deck.bytes, guest)
    }

    private func seed(_ label: StaticString, _ guest: Bytes32?) -> Bytes32 {
        seed(labelled(label), guest)
    }

    private func seed(_ info: [UInt8], _ guest: Bytes32?) -> Bytes32 {
        guest.map { crypto.deriveKey(from: $0, info: info.span.bytes) }
            ?? crypto.deriveDeviceKey(info: info.span.bytes)
    }

    private func labelled(_ label: StaticString) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(80)
        label.withUTF8Buffer { bytes += $0 }
        game.value.append(to: &bytes)
        participant.value.append(to: &bytes)
        return bytes
    }
}
