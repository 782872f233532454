import Foundation

/// The host behind an `MSConversation`, which has the input field and the network.
///
/// An app calls from any thread, and the calls return at once. The host finishes the completion
/// when the item is staged or sending has started, or with the reason of a failure.
package protocol ConversationHosting: AnyObject, Sendable {
    /// The queue of the completions, which calls the app's handlers on the main queue.
    var completionQueue: CompletionQueue { get }

    /// Puts `item` into the input field, from where a person sends it.
    func insert(_ item: ConversationItem, completion: Completion)

    /// Starts to send `item`.
    func send(_ item: ConversationItem, completion: Completion)
}

/// An item that an app hands to a conversation.
package enum ConversationItem: Sendable {
    /// The contents of a message when the app handed it over, and the status that the app observes.
    case message(MessageContents, MessageStatus)
    case sticker(StickerFile)
    case text(String)
    /// A file of this machine, not checked yet, and the name to show.
    case attachment(URL, alternateFilename: String?)
}
