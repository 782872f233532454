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

/// Calls an app's completion handler exactly once, on the main queue, after the app's call.
///
/// If a completion is released unfinished, the handler gets an error of code `unknown`.
package final class Completion: Sendable {
    package typealias Handler = @Sendable ((any Error)?) -> Void

    private let handler: OneTimeHandler
    private let queue: CompletionQueue

    /// Calls `handler`, if there is one, by way of `queue`.
    package init(on queue: CompletionQueue, handler: Handler?) {
        self.queue = queue
        self.handler = OneTimeHandler(handler)
    }

    deinit {
        let text = "The conversation ended before this was done."
        answer(MessagesFailure(.unknown, text).error)
    }

    /// The item was staged, or sending it has started.
    package func succeed() {
        answer(nil)
    }

    package func fail(_ failure: MessagesFailure) {
        answer(failure.error)
    }

    private func answer(_ error: NSError?) {
        guard let handler = handler.take() else { return }
        queue.add { handler(error) }
    }
}
