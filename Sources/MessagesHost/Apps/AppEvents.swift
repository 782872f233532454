public import Foundation
public import Messages

/// What Apple's framework does not tell: a controller that conforms is told.
///
/// Nothing has to be implemented; everything comes on the main actor, while the app is open.
@MainActor
public protocol ParleyApp: MSMessagesAppViewController {
    /// A message of this device has come further, or was not taken.
    func deliveryDidChange(
        of message: MSMessage,
        to state: DeliveryState,
        conversation: MSConversation
    )

    /// A session has more than one head: everybody sees `shown`; the others are kept until a later
    /// message replaces them. Empty `others`: it is settled.
    func conflictDidChange(
        shown: MSMessage,
        others: [MSMessage],
        conversation: MSConversation
    )

    /// Somebody replaced a message that named others as next.
    func didReceiveOutOfTurn(from participant: UUID, conversation: MSConversation)

    /// A message of this app's arrived and cannot be given to it.
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
