/// How much of the screen an app has.
public enum MSMessagesAppPresentationStyle: UInt, Sendable {
    /// Under the transcript, in place of a keyboard.
    case compact = 0
    /// Most of the screen.
    case expanded = 1
    /// Inside the bubble of a message with a live layout.
    case transcript = 2
}

/// The context in which an app is used.
public enum MSMessagesAppPresentationContext: UInt, Sendable {
    case messages = 0
    /// Among stickers and pictures: an app can insert nothing else there.
    case media = 1
}
