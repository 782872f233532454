import Foundation

/// What stands behind an `MSConversation`: the input field and the network of some host.
///
/// Calls come from whatever thread the app calls on. They return at once; the completion is
/// finished when the item is staged or sending has started, or with the reason why not.
package protocol ConversationHosting: AnyObject, Sendable {
    /// The queue on which apps are answered; never the main one.
    var completionQueue: DispatchQueue { get }

    /// Puts `item` into the input field, where a person sends it.
    func insert(_ item: ConversationItem, completion: Completion)

    /// Starts to send `item`.
    func send(_ item: ConversationItem, completion: Completion)
}

/// What an app hands to a conversation.
package enum ConversationItem: Sendable {
    /// A message as it was when the app handed it over, and the status that the app watches.
    case message(MessageContents, MessageStatus)
    case sticker(StickerFile)
    case text(String)
    /// A file of this machine, not looked at yet, and the name to show for it.
    case attachment(URL, alternateFilename: String?)
}

/// Answers an app exactly once, off the main actor, on the host's queue.
///
/// A completion that is dropped unfinished answers with an error of code `unknown`.
package final class Completion: Sendable {
    package typealias Handler = @Sendable ((any Error)?) -> Void

    private let handler: OneTimeHandler
    private let queue: DispatchQueue

    /// Answers `handler`, if there is one, on `queue`.
    package init(on queue: DispatchQueue, handler: Handler?) {
        self.queue = queue
        self.handler = OneTimeHandler(handler)
    }

    deinit {
        let text = "The conversation ended before this was done."
        answer(MessagesFailure(.unknown, text).error)
    }

    /// Staged, or started to be sent.
    package func succeed() {
        answer(nil)
    }

    package func fail(_ failure: MessagesFailure) {
        answer(failure.error)
    }

    private func answer(_ error: NSError?) {
        guard let handler = handler.take() else { return }
        queue.async { handler(error) }
    }
}
