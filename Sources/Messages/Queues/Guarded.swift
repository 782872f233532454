import Foundation

/// The value of a property that the main queue changes and that any thread may read.
package final class Guarded<Value> {
    private let lock = NSLock()
    private var stored: Value

    package init(_ value: Value) {
        stored = value
    }

    package var value: Value {
        get { lock.withLock { stored } }
        set {
            // The old value is released outside of the lock, as that may run code of the app.
            let old = lock.withLock {
                defer { stored = newValue }
                return stored
            }
            _ = old
        }
    }

    /// Stores `new` unless there is a value already, and returns the value that is stored then.
    package func fill<Wrapped>(_ new: Wrapped) -> Wrapped where Value == Wrapped? {
        lock.withLock {
            let kept = stored ?? new
            stored = kept
            return kept
        }
    }
}
