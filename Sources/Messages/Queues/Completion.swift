import Foundation

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
