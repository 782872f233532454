import Foundation
import Messages
import ParleyNode

/// How messages outside of any session travel, as every envelope belongs to one.
///
/// They get a session of their own whose UUID has version 8, which those of `MSSession` never have.
enum SessionMapping {
    private static let version: UInt8 = 0x80

    /// The session to send with; a new one for nil.
    static func session(_ identifier: UUID?) -> SessionID {
        if let identifier { return SessionID(identifier) }
        return outside(MSSession().identifier)
    }

    /// The session by which a participant lets the others know that it takes part.
    static func mark(of participant: UUID) -> SessionID {
        outside(participant)
    }

    private static func outside(_ identifier: UUID) -> SessionID {
        var bytes = identifier.uuid
        bytes.6 = bytes.6 & 0x0F | version
        return SessionID(UUID(uuid: bytes))
    }

    /// What the app sees; nil outside of any session.
    static func identifier(_ session: SessionID) -> UUID? {
        session.uuid.uuid.6 & 0xF0 == version ? nil : session.uuid
    }
}
