public import Foundation
public import Messages
public import ParleyNode

extension MSConversation {
    /// Parley's functions beyond Apple's framework for this conversation; nil if the app is
    /// inactive.
    @MainActor
    public var parley: ParleyConversation? {
        (self as? HostedConversation)?.panel.map(ParleyConversation.init)
    }
}

/// The functions of a conversation beyond Apple's framework: history, people, turns, delivery and
/// taking a draft back.
@MainActor
public struct ParleyConversation {
    let panel: AppPanel

    init(_ panel: AppPanel) {
        self.panel = panel
    }

    /// The name of the conversation on this node.
    public var name: String { panel.conversation }

    /// The conversation's ID in 64 hexadecimal digits, which is the same on every node.
    public var identifier: String { panel.model.conversation.id }

    /// Whether this device may send.
    public var canSend: Bool { panel.model.conversation.role == .writer }

    // MARK: People

    /// All participants, this device included, with their permanent device IDs.
    public var participants: [Participant] { panel.model.everybody }

    /// The name of a participant, if it is known.
    public func name(of participant: UUID) -> String? {
        panel.model.participant(participant)?.name
    }

    /// A text as people see it: each `$` with the UUID of a participant is replaced by the name.
    public func resolved(_ text: String) -> String { panel.resolved(text) }

    // MARK: Sessions

    /// The latest message of each of the app's sessions, in the order in which people see messages.
    ///
    /// Only the last 1,024 sessions of the conversation are covered, and older ones that were used.
    public var latestMessages: [Message] { panel.model.messages(of: panel.app.speaks) }

    /// The latest message of a session.
    public func latest(in session: MSSession) -> Message? {
        panel.model.sessions[SessionID(session.identifier)]?.shown
    }

    /// The summaries of the replaced messages of a session, oldest first, at most 16.
    public func history(of session: MSSession) -> [Summary] {
        panel.model.sessions[SessionID(session.identifier)]?.replaced ?? []
    }

    /// The other heads of a session that is in conflict.
    public func others(in session: MSSession) -> [Message] {
        panel.model.sessions[SessionID(session.identifier)]?.others ?? []
    }

    // MARK: Turns

    /// The participants who may replace the latest message of a session; if empty, everybody may.
    public func next(in session: MSSession) -> [UUID] {
        latest(in: session)?.next ?? []
    }

    /// Whether this device may write the next message of a session.
    public func isMyTurn(in session: MSSession) -> Bool {
        if let match = match(in: session) { return match.isMyTurn }
        let next = next(in: session)
        return next.isEmpty || next.contains(panel.model.me.id)
    }

    /// Sets who may replace a message, at most 16 participants; call it before inserting or
    /// sending.
    public func setNext(_ participants: [UUID], for message: MSMessage) {
        panel.note(message) { $0.next = participants }
    }

    // MARK: Drafts and delivery

    /// Takes the app's message out of the input field, without `didCancelSending`.
    public func unstage() {
        panel.handle(.unstaged)
    }

    /// The delivery state of a message of this device; nil for any other message, and for a message
    /// that the app does not know.
    public func delivery(of message: MSMessage) -> DeliveryState? {
        guard let known = panel.known[message],
            known.draft != nil || known.status.state.sender == panel.model.me.id
        else { return nil }
        return known.delivery
    }
}
