public import Foundation

/// What a person sends: a URL with the app's data, a layout to look at, in a session.
open class MSMessage: NSObject, NSCopying, NSSecureCoding {
    /// Archives may be read back securely.
    open class var supportsSecureCoding: Bool { true }

    /// The session given to `init(session:)`, or nil.
    open private(set) var session: MSSession?

    /// How the message looks; copied when it is set, so later changes of the original do not count.
    @NSCopying open var layout: MSMessageLayout?

    /// The app's data; carried byte for byte, whatever its scheme, also without one.
    open var url: URL?

    /// Whether the message goes soon after it was read, unless somebody keeps it.
    open var shouldExpire = false

    /// What a screen reader says.
    open var accessibilityLabel: String?

    /// The line that stays when a later message of the session replaces this one.
    open var summaryText: String?

    /// What the host knows of this message, shared with it.
    package let status: MessageStatus

    /// A message outside of any session.
    public override init() {
        status = MessageStatus()
        super.init()
    }

    /// A message that replaces the others of `session`.
    public init(session: MSSession) {
        self.session = session
        status = MessageStatus()
        super.init()
    }

    /// The message that `contents` describes, with the status that the host keeps for it.
    package init(_ contents: MessageContents, status: MessageStatus) {
        session = contents.session.map(MSSession.init(identifier:))
        self.status = status
        super.init()
        become(contents)
    }

    /// Takes all but the session.
    private func become(_ contents: MessageContents) {
        url = contents.url
        layout = contents.layout?.makeLayout()
        shouldExpire = contents.shouldExpire
        accessibilityLabel = contents.accessibilityLabel
        summaryText = contents.summaryText
    }

    /// Gives nil if the archive holds no message.
    public required init?(coder: NSCoder) {
        guard
            let archived = ArchivedValue.decode(ArchivedMessage.self, from: coder),
            archived.contents.isWhole
        else { return nil }
        let contents = archived.contents
        session = contents.session.map(MSSession.init(identifier:))
        status = MessageStatus(archived.state)
        super.init()
        become(contents)
    }

    /// Writes the whole message, its picture included.
    open func encode(with coder: NSCoder) {
        let archived = ArchivedMessage(
            contents: MessageContents(self),
            state: status.state.withoutError
        )
        ArchivedValue.encode(archived, with: coder)
    }

    /// A message with the same values, which is staged and sent on its own.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = session.map(MSMessage.init(session:)) ?? MSMessage()
        copy.layout = layout
        copy.url = url
        copy.shouldExpire = shouldExpire
        copy.accessibilityLabel = accessibilityLabel
        copy.summaryText = summaryText
        copy.status.become(status.state)
        return copy
    }

    /// Whether this has not been sent: true from its making until sending starts.
    open var isPending: Bool { status.state.isPending }

    /// Who sent it; all zeros before it is put into a conversation.
    open var senderParticipantIdentifier: UUID { status.state.sender }

    /// Why it could not be sent, or nil.
    open var error: (any Error)? {
        get { status.state.error }
        set { status.failed(newValue) }
    }
}

/// What an archive holds of a message.
struct ArchivedMessage: Codable {
    let contents: MessageContents
    let state: MessageStatus.State
}
