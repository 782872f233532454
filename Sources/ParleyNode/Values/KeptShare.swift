/// The shares of what a node keeps that a new message can exceed.
public enum KeptShare: Hashable, Sendable {
    /// The share of the conversation.
    case conversation
    /// The share of all open conversations together.
    case openConversations
    /// The share of all conversations together: so many messages, and so many bytes of them and of
    /// their pictures.
    case allConversations(messages: Int, bytes: Int)
    /// The share of this device in the conversation: so many messages, and so many bytes with the
    /// pictures.
    case device(messages: Int, bytes: Int)
    /// The number of devices that may have written in the conversation.
    case devices
}
