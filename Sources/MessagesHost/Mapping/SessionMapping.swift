import Foundation
import Messages
import ParleyNode

/// Maps between the sessions of apps and those of envelopes, for messages without a session as
/// well.
///
/// Every envelope belongs to a session. A message that an app made without one gets a session of
/// its own whose UUID has version 8, which a UUID of `MSSession` never has.
enum SessionMapping {
    private static let version: UInt8 = 0x80

    /// The session of the envelope; for nil, a new one of version 8.
    static func session(_ identifier: UUID?) -> SessionID {
        if let identifier { return SessionID(identifier) }
        return outside(MSSession().identifier)
    }

    /// The session of a participant's mark, which lets the others know that the participant takes
    /// part.
    static func mark(of participant: UUID) -> SessionID {
        outside(participant)
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
