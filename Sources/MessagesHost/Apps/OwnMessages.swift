import Messages
public import ParleyNode

/// What people do with messages that are there: edit and take back their own, and react to any.
@MainActor
public struct OwnMessages {
    private let host: AppHost
    private let conversation: String

    /// The messages in the conversation of that name.
    public init(_ host: AppHost, in conversation: String) {
        self.host = host
        self.conversation = conversation
    }

    /// Replaces a text of this device, which keeps its place in the transcript.
    ///
    /// - Parameters:
    ///   - session: The session of the text.
    ///   - text: The new text, at most 10,000 characters.
    ///   - done: Called once this is stored, or with the failure: `refused` if the session has no
    ///     text of this device, `nothingThere` if the new text is empty, `tooLarge`, or what the
    ///     node says.
    public func edit(
        _ session: SessionID,
        to text: String,
        _ done: @escaping @MainActor (Result<SentMessage, HostError>) -> Void
    ) {
        replace(session, done) { (old) throws(HostError) in
            guard old.content?.app == OutgoingMessage.textApp else {
                throw .refused(.unknown, "Only a text can be edited.")
            }
            guard !text.isEmpty else { throw .nothingThere }
            var draft = try OutgoingMessage.draft(text: text, replyingTo: old.content?.reply)
            draft.session = session
            return draft
        }
    }

    /// Takes a text or a file of this device back, so that nobody sees it any more.
    ///
    /// - Parameters:
    ///   - session: The session of the message.
    ///   - done: Called once this is stored, or with the failure: `refused` if the session has
    ///     nothing that this device can take back.
    public func takeBack(
        _ session: SessionID,
        _ done: @escaping @MainActor (Result<SentMessage, HostError>) -> Void
    ) {
        replace(session, done) { old in
            OutgoingMessage.takenBack(session, app: old.content?.app)
        }
    }

    /// Puts an emoji on a message, instead of the one that this device has put there; nil removes
    /// it.
    ///
    /// - Parameters:
    ///   - message: A message that is shown, or another head of a conflict.
    ///   - emoji: One character, or nil.
    ///   - done: Called once this is stored, or with the failure: `unknownMessage`, or `refused` if
    ///     the emoji is more than a character.
    public func react(
        to message: MessageID,
        with emoji: String?,
        _ done: @escaping @MainActor (Result<SentMessage, HostError>) -> Void
    ) {
        host.models.model(of: conversation) { result in
            guard case .success(let model) = result else {
                return done(result.flatMap { _ in .failure(.nothingThere) })
            }
            host.head(message, of: model) { head in
                guard let head, head.isListed, !head.isEnd else {
                    return done(.failure(.unknownMessage(message.description)))
                }
                var draft = Draft(content: MessageContent())
                draft.isEnd = emoji == nil
                draft.content.addition =
                    if let emoji {
                        Addition(emoji, on: message, in: head.session)
                    } else {
                        Addition(to: head.session, .reaction)
                    }
                guard draft.content.addition != nil else {
                    let text = "A reaction is one character, usually an emoji."
                    return done(.failure(.refused(.unknown, text)))
                }
                host.send(draft, to: conversation) { done($0.mapError { HostError($0) }) }
            }
        }
    }

    /// The same, awaited.
    public func react(
        to message: MessageID,
        with emoji: String?
    ) async throws(HostError) -> SentMessage {
        try await HostError.awaited { react(to: message, with: emoji, $0) }
    }

    /// The same as `edit`, awaited.
    public func edit(
        _ session: SessionID,
        to text: String
    ) async throws(HostError) -> SentMessage {
        try await HostError.awaited { edit(session, to: text, $0) }
    }

    /// The same as `takeBack`, awaited.
    public func takeBack(_ session: SessionID) async throws(HostError) -> SentMessage {
        try await HostError.awaited { takeBack(session, $0) }
    }

    /// Sends what `draft` makes of the message in a session in which only this device can write.
    private func replace(
        _ session: SessionID,
        _ done: @escaping @MainActor (Result<SentMessage, HostError>) -> Void,
        by draft: @escaping @MainActor (Message) throws(HostError) -> Draft
    ) {
        host.models.model(of: conversation) { result in
            guard case .success(let model) = result else {
                return done(result.flatMap { _ in .failure(.nothingThere) })
            }
            host.node.session(session, in: conversation) { result in
                do throws(HostError) {
                    let shown = try result.mapError { HostError($0) }.get().shown
                    guard shown.sender.id == model.me.id, !shown.isEnd,
                        SessionMapping.isOwn(session, of: model.me.id)
                    else {
                        let text = "Only texts and files that were sent here can be changed."
                        throw .refused(.unknown, text)
                    }
                    host.send(try draft(shown), to: conversation) {
                        done($0.mapError { HostError($0) })
                    }
                } catch {
                    done(.failure(error))
                }
            }
        }
    }
}
