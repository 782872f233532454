import Dispatch
import Synchronization

/// Runs the reads of a store on a queue of their own and answers them on the node's loop.
final class ReadQueue: Sendable {
    let queue = DispatchQueue(label: "parley.store.reads", qos: .userInitiated)

    private let store: any NodeStore
    private let hop: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let waiting = Mutex<[Read]>([])

    /// A read of the store; it returns the closure that passes the result to the caller.
    private typealias Read = @Sendable (any NodeStore) -> @Sendable () -> Void

    /// The greatest number of reads that are answered with one hop.
    private static let together = 64

    init(
        store: any NodeStore,
        hop: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.store = store
        self.hop = hop
    }

    func read<Value: Sendable>(
        _ done: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any NodeStore) throws(StoreError) -> Value
    ) {
        let wakes = waiting.withLock { waiting in
            waiting.append { store in
                let result = Result { () throws(StoreError) in try body(store) }
                return { done(result) }
            }
            return waiting.count == 1
        }
        if wakes { queue.async { self.work() } }
    }

    /// Runs and answers the waiting reads in groups, so that the first answer need not wait for the
    /// last read.
    private func work() {
        while true {
            let some = waiting.withLock { Array($0.prefix(Self.together)) }
            let answers = some.map { $0(store) }
            if !answers.isEmpty { hop { for answer in answers { answer() } } }
            let isDone = waiting.withLock { waiting in
                waiting.removeFirst(some.count)
                return waiting.isEmpty
            }
            if isDone { return }
        }
    }
}
