public import Foundation
public import Messages
public import ParleyNode

extension MSConversation {
    /// What Parley knows of this conversation beyond Apple's surface; nil in an inactive app.
    @MainActor
    public var parley: ParleyConversation? {
        (self as? HostedConversation)?.panel.map(ParleyConversation.init)
    }
}

/// A conversation beyond Apple's surface: history, people, turns, delivery, un-staging.
@MainActor
public struct ParleyConversation {
    private let panel: AppPanel

    init(_ panel: AppPanel) {
        self.panel = panel
    }

    /// What the conversation is called on this node.
    public var name: String { panel.conversation }

    /// 64 hexadecimal digits, the same on every node and for no other conversation.
    public var identifier: String { panel.model.conversation.id }

    /// Whether this device may send.
    public var canSend: Bool { panel.model.conversation.role == .writer }

    // MARK: People

    /// Everybody who takes part, this device included, with device IDs that never change.
    public var participants: [Participant] { panel.model.everybody }

    /// What people call somebody.
    public func name(of participant: UUID) -> String? {
        panel.model.participant(participant)?.name
    }

    /// A text as people see it: with names where `$` and the UUID of a participant stand.
    public func resolved(_ text: String) -> String { panel.resolved(text) }

    // MARK: Sessions

    /// The latest message of each of the app's sessions; a message whose picture was not read yet
    /// comes without it.
    public var latestMessages: [Message] { panel.model.messages(of: panel.app.speaks) }

    /// Where a session stands.
    public func latest(in session: MSSession) -> Message? {
        panel.model.sessions[SessionID(session.identifier)]?.shown
    }

    /// What the messages of a session said that were replaced, oldest first, at most 16.
    public func history(of session: MSSession) -> [Summary] {
        panel.model.sessions[SessionID(session.identifier)]?.replaced ?? []
    }

    /// Other heads of a session that is in conflict.
    public func others(in session: MSSession) -> [Message] {
        panel.model.sessions[SessionID(session.identifier)]?.others ?? []
    }

    // MARK: Turns

    /// Who may replace the latest message of a session; empty: anybody.
    public func next(in session: MSSession) -> [UUID] {
        latest(in: session)?.next ?? []
    }

    /// Whether this device may write the next message of a session.
    public func isMyTurn(in session: MSSession) -> Bool {
        let next = next(in: session)
        return next.isEmpty || next.contains(panel.model.me.id)
    }

    /// Says who may replace a message, before it is inserted or sent; at most 16.
    public func setNext(_ participants: [UUID], for message: MSMessage) {
        // What is never sent is forgotten some day.
        if panel.nexts.count >= 256 { panel.nexts = [:] }
        panel.nexts[ObjectIdentifier(message.status)] = (message.status, participants)
    }

    // MARK: Drafts and delivery

    /// Takes the app's message out of the input field, without `didCancelSending`.
    public func unstage() {
        panel.handle(.unstaged)
    }

    /// How far a message of this device has come; nil for one that the app never had, and for those
    /// of others.
    public func delivery(of message: MSMessage) -> DeliveryState? {
        guard let known = panel.known[message],
            known.draft != nil || known.status.state.sender == panel.model.me.id
        else { return nil }
        return known.delivery
    }
}
