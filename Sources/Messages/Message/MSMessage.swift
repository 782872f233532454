public import Foundation

/// A message of an app: a URL with the app's data and a layout that people see, in a session.
open class MSMessage: NSObject, NSCopying, NSSecureCoding {
    /// Archives may be read back securely.
    open class var supportsSecureCoding: Bool { true }

    /// The session given to `init(session:)`, or nil.
    open private(set) var session: MSSession?

    /// How the message looks; the setter copies, so later changes of the original have no effect.
    @NSCopying open var layout: MSMessageLayout?

    /// The app's data, which is carried byte for byte with any scheme or none.
    open var url: URL?

    /// Whether the message should be deleted soon after it was read, unless somebody keeps it.
    open var shouldExpire = false

    /// The text that a screen reader speaks.
    open var accessibilityLabel: String?

    /// The line that a replaced message leaves in the transcript.
    open var summaryText: String?

    /// The status of this message, which the host shares and updates.
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

    /// A message with the given contents and the status that the host keeps.
    package init(_ contents: MessageContents, status: MessageStatus) {
        session = contents.session.map(MSSession.init(identifier:))
        self.status = status
        super.init()
        become(contents)
    }

    /// Copies everything but the session from `contents`.
    private func become(_ contents: MessageContents) {
        url = contents.url
        layout = contents.layout?.makeLayout()
        shouldExpire = contents.shouldExpire
        accessibilityLabel = contents.accessibilityLabel
        summaryText = contents.summaryText
    }

    /// Returns nil if the archive holds no message.
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

    /// A message with the same values; the copy is staged and sent independently.
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

    /// Whether the message is not sent yet: true from its creation until sending starts.
    open var isPending: Bool { status.state.isPending }

    /// The participant that sent the message; all zeros before it is put into a conversation.
    open var senderParticipantIdentifier: UUID { status.state.sender }

    /// The reason why the message could not be sent, or nil.
    open var error: (any Error)? {
        get { status.state.error }
        set { status.failed(newValue) }
    }
}

/// The values of a message that an archive holds.
struct ArchivedMessage: Codable {
    let contents: MessageContents
    let state: MessageStatus.State
}
