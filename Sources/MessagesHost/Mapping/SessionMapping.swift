import Foundation
import Messages
import ParleyNode

/// Maps between the sessions of apps and those of envelopes.
///
/// Every envelope belongs to a session. If an app makes a message without a session, the envelope
/// gets a new one. Its UUID has version 8, unlike the UUID of any `MSSession`.
enum SessionMapping {
    private static let version: UInt8 = 0x80

    /// The session of the envelope; for nil, a new session of version 8.
    static func session(_ identifier: UUID?) -> SessionID {
        if let identifier { return SessionID(identifier) }
        return outside(MSSession().identifier)
    }

    /// The session of a participant's mark.
    static func mark(of participant: UUID) -> SessionID {
        outside(participant)
    }

    /// A new session for a sticker that the participant places on a message.
    ///
    /// The session begins with the first 8 bytes of the participant, so everybody can tell who may
    /// continue.
    static func sticker(of participant: UUID) -> SessionID {
        let (owner, random) = (participant.uuid, MSSession().identifier.uuid)
        return SessionID(
            UUID(
                uuid: (
                    owner.0, owner.1, owner.2, owner.3, owner.4, owner.5, owner.6, owner.7,
                    random.8, random.9, random.10, random.11, random.12, random.13, random.14,
                    random.15
                )
            )
        )
    }

    /// Whether this is a session of a sticker or an addition of the participant.
    static func isSticker(_ session: SessionID, of participant: UUID) -> Bool {
        let (named, owner) = (session.uuid.uuid, participant.uuid)
        return session.uuid != participant
            && (named.0, named.1, named.2, named.3) == (owner.0, owner.1, owner.2, owner.3)
            && (named.4, named.5, named.6, named.7) == (owner.4, owner.5, owner.6, owner.7)
    }

    private static func outside(_ identifier: UUID) -> SessionID {
        var bytes = identifier.uuid
        bytes.6 = bytes.6 & 0x0F | version
        return SessionID(UUID(uuid: bytes))
    }

    /// The session that the app sees; nil for a message without one.
    static func identifier(_ session: SessionID) -> UUID? {
        session.uuid.uuid.6 & 0xF0 == version ? nil : session.uuid
    }
}
