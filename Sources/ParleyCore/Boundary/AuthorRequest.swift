/// A message to author.
package struct AuthorRequest: Sendable {
    /// Whether somebody wants to hear how many nodes have a message.
    package enum Following: Sendable {
        case no
        /// Somebody looks at the count, and a few milliseconds do not matter.
        case shown
        /// Somebody waits for the count: peers are asked to confirm the message at once.
        case awaited
    }

    /// A secret for the player of one seat.
    package struct Part: Sendable {
        package let to: Int
        package let content: Slice

        package init(_ content: Slice, to seat: Int) {
            to = seat
            self.content = content
        }
    }

    package let request: RequestID
    package let conversation: UInt32
    /// The guest who writes; nil for a message of this device.
    package let guest: ParticipantID?
    /// The body without place, blob types and inline picture, which the node fills in.
    package var body: MessageBody
    /// Whether only the author may write in the session, which becomes one of the author's.
    package let isOwn: Bool
    package private(set) var next: [ParticipantID]
    package let isTombstone: Bool
    /// Whether a message against the rules of its turn game is refused; simulated cheats are not.
    package var isJudged = true
    /// The secrets that the node seals to single players of a turn game.
    package var parts: [Part] = []
    /// The layout's picture, opened, with its media type.
    package let picture: InlinePicture?
    /// The heads to replace; nil for all heads that this node has.
    package let replacing: [Dot]?
    /// Whether to report how many nodes have the message.
    package let following: Following

    package init(
        request: RequestID,
        conversation: UInt32,
        guest: ParticipantID? = nil,
        body: MessageBody,
        isOwn: Bool = false,
        next: [ParticipantID] = [],
        isTombstone: Bool = false,
        picture: InlinePicture? = nil,
        replacing: [Dot]? = nil,
        following: Following = .no
    ) {
        self.request = request
        self.conversation = conversation
        self.guest = guest
        self.body = body
        self.isOwn = isOwn
        self.next = next
        self.isTombstone = isTombstone
        self.picture = picture
        self.replacing = replacing
        self.following = following
    }

    /// Moves an addition, or another message in a session of its author, into that session.
    package mutating func address(by author: ParticipantID, using crypto: some Cryptography) {
        if case .side(let side) = body.role {
            body.session = side.ownSession(of: author, using: crypto)
        } else if isOwn {
            body.session = body.session.owned(by: author)
        } else {
            return
        }
        next = [author]
    }
}
