/// The target of a sticker or an addition.
package enum SideTarget: Hashable, Sendable {
    /// A message, as the target of a sticker.
    case message(Dot)
    /// A session with all its messages, as the target of an addition.
    case session(SessionUUID)
}

/// What one participant adds to another session, without replacing anything there: a seat taken, a
/// guess, a reaction.
///
/// Each stands in a session of its own with one writer, so that additions never conflict. The
/// session follows from participant, kind and slot, and is found without a search.
package struct SideMessage: Sendable, Equatable {
    /// The kinds that nodes know; readers ignore others.
    package enum Kind: UInt64, Sendable, CaseIterable {
        case seat = 1
        case quit, answer, exchange, exchangeAnswer, draw, deck, reaction
    }

    /// The session to which this is an addition.
    package var session: SessionUUID
    /// A `Kind`, or a number from a later version.
    package var kind: UInt64
    /// Tells additions of one kind and participant apart, below `Limits.sideSlots`.
    package var slot: UInt64
    /// The meaning depends on the kind; at most `Limits.sideBytes` bytes.
    package var content: Slice

    /// An addition of a known kind to a session.
    package init(to session: SessionUUID, _ kind: Kind, slot: UInt64 = 0, content: Slice) {
        self.session = session
        self.kind = kind.rawValue
        self.slot = slot
        self.content = content
    }
}

extension SideMessage: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        session = try map.field(1) { $0.session }
        kind = try map.field(3, in: 1...255) { $0.kind }
        slot = try map.field(5, in: 0...Limits.sideSlots - 1) { $0.slot }
        content = try map.bytes(7, lengthMax: Limits.sideBytes) { $0.content }
    }

    /// The session of this addition, if `participant` is the author.
    ///
    /// The second half is a hash.
    package func ownSession(
        of participant: ParticipantID,
        using crypto: some Cryptography
    ) -> SessionUUID {
        var input = HashInput()
        input.append("parley side 1")
        input.append(session.value)
        input.append(UInt8(truncatingIfNeeded: kind))
        input.append(UInt8(truncatingIfNeeded: slot))
        let hash = input.sha256(using: crypto).words.0
        // The two bits that mark a UUID of RFC 9562.
        let marked = hash & ~(0b11 << 62) | 0b10 << 62
        return SessionUUID(Bytes16(0, marked)).owned(by: participant)
    }
}

extension SessionUUID {
    /// The session with the same second half that belongs to `participant`, whose first half it
    /// has.
    package func owned(by participant: ParticipantID) -> SessionUUID {
        SessionUUID(Bytes16(participant.value.words.0, value.words.1))
    }

    /// Whether only messages by `participant` count in the session.
    package func isOwned(by participant: ParticipantID) -> Bool {
        value.words.0 == participant.value.words.0
    }
}
