public import Foundation
public import Messages

/// Events that Apple's framework lacks, for controllers of Parley.
///
/// Every method has an empty default. Calls come on the main actor while the app is open.
@MainActor
public protocol ParleyApp: MSMessagesAppViewController {
    /// The delivery state of a message of this device changed.
    func deliveryDidChange(
        of message: MSMessage,
        to state: DeliveryState,
        conversation: MSConversation
    )

    /// A session is in conflict, or a conflict was settled.
    ///
    /// Everybody sees `shown`. The other heads are kept until a later message replaces them;
    /// `others` is empty once the conflict is settled.
    func conflictDidChange(
        shown: MSMessage,
        others: [MSMessage],
        conversation: MSConversation
    )

    /// A participant replaced a message that named other participants as next.
    func didReceiveOutOfTurn(from participant: UUID, conversation: MSConversation)

    /// A message of this app arrived with a fault, so the app does not get the message.
    func didReceiveFaultyMessage(
        _ fault: MessageFault,
        from participant: UUID,
        conversation: MSConversation
    )

    /// A match of this app has changed: another message is shown, somebody has taken or left a
    /// seat, or a clock has run out.
    func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    )

    /// Makes the first message of a match, in that session, with the app's data and layout.
    ///
    /// The host asks for the message when somebody presses "Who wants to play?" or "Rematch", and
    /// sends it. It asks once before, and shows these buttons only if there is a message.
    ///
    /// - Returns: nil if the app begins its matches by itself.
    func newMatch(in session: MSSession, conversation: MSConversation) -> MSMessage?

    /// The session that the app shows; the host shows the seats of its match over the views.
    ///
    /// By default, this is the session of the selected message.
    var matchSession: MSSession? { get }
}

extension ParleyApp {
    /// Does nothing.
    public func deliveryDidChange(
        of message: MSMessage,
        to state: DeliveryState,
        conversation: MSConversation
    ) {}

    /// Does nothing.
    public func conflictDidChange(
        shown: MSMessage,
        others: [MSMessage],
        conversation: MSConversation
    ) {}

    /// Does nothing.
    public func didReceiveOutOfTurn(from participant: UUID, conversation: MSConversation) {}

    /// Does nothing.
    public func didReceiveFaultyMessage(
        _ fault: MessageFault,
        from participant: UUID,
        conversation: MSConversation
    ) {}

    /// Does nothing.
    public func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    ) {}

    /// Makes no match.
    public func newMatch(in session: MSSession, conversation: MSConversation) -> MSMessage? { nil }

    /// The session of the selected message.
    public var matchSession: MSSession? { activeConversation?.selectedMessage?.session }
}
