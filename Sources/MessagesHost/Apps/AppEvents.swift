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
}
