import Foundation
import Synchronization

/// A handler that can be taken once, from any thread.
final class OneTimeHandler: Sendable {
    private let handler: Mutex<Completion.Handler?>

    init(_ handler: Completion.Handler?) {
        self.handler = Mutex(handler)
    }

    /// Returns the handler on the first call and nil on every later one.
    func take() -> Completion.Handler? {
        handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
    }
}
