/// The limit that an envelope would exceed.
package enum Shortage: Sendable, Hashable {
    /// The limit of a conversation.
    case conversation
    /// The limit of all open conversations together.
    case openConversations
    /// The limit of all conversations together, or its part for origins.
    case allConversations
    /// The limit of this device in a conversation.
    case device(DeviceID)
    /// The origins of a conversation, of all open conversations, or of a device.
    case origins
}
