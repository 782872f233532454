public import Foundation

/// A series of messages, each of which replaces the one before: a game, a poll, a drawing.
///
/// Two session objects are equal if they stand for the same series, whether they were created here,
/// decoded from an archive or taken from a received message.
open class MSSession: NSObject, NSSecureCoding {
    package let identifier: UUID

    /// Archives may be read back securely.
    open class var supportsSecureCoding: Bool { true }

    /// Starts a new session.
    public override init() {
        identifier = SessionIdentifiers.next()
        super.init()
    }

    package init(identifier: UUID) {
        self.identifier = identifier
        super.init()
    }

    /// Returns nil if the archive holds no session.
    public required init?(coder: NSCoder) {
        guard
            let archived = ArchivedValue.decode(String.self, from: coder),
            let identifier = UUID(uuidString: archived)
        else { return nil }
        self.identifier = identifier
        super.init()
    }

    /// Writes the session's identifier.
    open func encode(with coder: NSCoder) {
        ArchivedValue.encode(identifier.uuidString, with: coder)
    }

    /// Whether `object` is the same session.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? MSSession)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
}
