public import Foundation

/// A line of messages that replace one another: a game, a poll, a drawing.
///
/// Two sessions are equal if they are the same line, whether they came from a message that was
/// received, from an archive or from here.
open class MSSession: NSObject, NSSecureCoding {
    package let identifier: UUID

    /// Archives may be read back securely.
    open class var supportsSecureCoding: Bool { true }

    /// Starts a line of its own.
    public override init() {
        identifier = SessionIdentifiers.next()
        super.init()
    }

    package init(identifier: UUID) {
        self.identifier = identifier
        super.init()
    }

    /// Gives nil if the archive holds no session.
    public required init?(coder: NSCoder) {
        guard
            let archived = ArchivedValue.decode(String.self, from: coder),
            let identifier = UUID(uuidString: archived)
        else { return nil }
        self.identifier = identifier
        super.init()
    }

    /// Writes which line this is.
    open func encode(with coder: NSCoder) {
        ArchivedValue.encode(identifier.uuidString, with: coder)
    }

    /// Whether `object` is the same line.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? MSSession)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
}
