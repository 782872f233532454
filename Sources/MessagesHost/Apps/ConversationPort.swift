import Foundation
package import Messages
import Synchronization

/// A queue of an app's requests to its conversation, from any thread, until the host takes them.
package final class ConversationPort: ConversationHosting {
    struct Request: Sendable {
        let item: ConversationItem
        let isDirect: Bool
        let completion: Completion
    }

    package let completionQueue: CompletionQueue
    private let requests = Mutex<[Request]>([])
    private let wake: @Sendable () -> Void

    /// The most requests that may wait; further ones fail.
    private static let requestsMax = 1_024

    /// A port that calls `wake`, on the app's thread, after each request.
    init(completionQueue: CompletionQueue, wake: @escaping @Sendable () -> Void) {
        self.completionQueue = completionQueue
        self.wake = wake
    }

    package func insert(_ item: ConversationItem, completion: Completion) {
        add(Request(item: item, isDirect: false, completion: completion))
    }

    package func send(_ item: ConversationItem, completion: Completion) {
        add(Request(item: item, isDirect: true, completion: completion))
    }

    private func add(_ request: Request) {
        let isTaken = requests.withLock { requests in
            guard requests.count < Self.requestsMax else { return false }
            requests.append(request)
            return true
        }
        guard isTaken else {
            let text = "Too many requests of the app wait already."
            return request.completion.fail(MessagesFailure(.unknown, text))
        }
        wake()
    }

    /// Removes and returns all waiting requests, in order.
    func take() -> [Request] {
        requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}
