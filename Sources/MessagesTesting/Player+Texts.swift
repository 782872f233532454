import MessagesHost
public import ParleyNode

/// Texts, which no app hears of.
extension Player {
    /// Sends a text, perhaps as a reply to a session.
    public func write(
        _ text: String,
        replyingTo session: SessionID? = nil
    ) throws(HarnessError) {
        let draft: Draft
        do throws(HostError) {
            draft = try OutgoingMessage.draft(text: text, replyingTo: session)
        } catch {
            throw .host(error)
        }
        try post(draft)
    }

    /// Replaces a text that this person has sent.
    public func edit(_ session: SessionID, to text: String) throws(HarnessError) {
        try change { own.edit(session, to: text, $0) }
    }

    /// Takes a text or file back that this person has sent.
    public func takeBack(_ session: SessionID) throws(HarnessError) {
        try change { own.takeBack(session, $0) }
    }

    /// Puts an emoji on the latest message with `text` in its line; nil removes it.
    public func react(_ emoji: String?, to text: String) throws(HarnessError) {
        guard let target = bubbles.last(where: { $0.line.contains(text) }) else {
            throw .noSuchMessage(text, transcript: transcript)
        }
        try change { own.react(to: target.id, with: emoji, $0) }
    }

    private var own: OwnMessages { OwnMessages(host, in: Harness.conversation) }

    private func change(
        _ body: (@escaping @MainActor (Result<SentMessage, HostError>) -> Void) -> Void
    ) throws(HarnessError) {
        var answer: Result<SentMessage, HostError>?
        act { body { answer = $0 } }
        table?.settle()
        if case .failure(let error)? = answer { throw .host(error) }
    }
}
