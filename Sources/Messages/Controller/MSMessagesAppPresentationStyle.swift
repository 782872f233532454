/// How much room an app has.
public enum MSMessagesAppPresentationStyle: UInt, Sendable {
    /// Under the transcript, in place of a keyboard.
    case compact = 0
    /// Most of the screen.
    case expanded = 1
    /// Inside the bubble of a message with a live layout.
    case transcript = 2
}

/// What an app is used for.
public enum MSMessagesAppPresentationContext: UInt, Sendable {
    case messages = 0
    /// Where only stickers and pictures can be inserted.
    case media = 1
}
