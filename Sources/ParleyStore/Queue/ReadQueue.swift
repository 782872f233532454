import Dispatch
import ParleyCore
import Synchronization

/// Runs the reads of a store on a queue of their own and answers them on the node's loop.
final class ReadQueue: Sendable {
    let queue = DispatchQueue(label: "parley.store.reads")

    private let store: any NodeStore
    private let hop: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let waiting = Mutex<[Read]>([])

    typealias Heads = [Result<Few<StoredHead>, StoreError>]

    private enum Read: Sendable {
        /// The heads of session rows.
        case heads(ofRows: [Int64], @Sendable (Heads) -> Void)
        /// Any other read of the store; it returns the closure that passes the result to the
        /// caller.
        case other(@Sendable (any NodeStore) -> @Sendable () -> Void)
    }

    /// The greatest number of reads that are answered with one hop.
    private static let together = 64

    init(
        store: any NodeStore,
        hop: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.store = store
        self.hop = hop
    }

    /// Reads the heads of session rows; consecutive waiting reads of heads are done together.
    func heads(ofRows rows: [Int64], _ done: @escaping @Sendable (Heads) -> Void) {
        add(.heads(ofRows: rows, done))
    }

    func read<Value: Sendable>(
        _ done: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any NodeStore) throws(StoreError) -> Value
    ) {
        add(
            .other { store in
                let result = Result { () throws(StoreError) in try body(store) }
                return { done(result) }
            }
        )
    }

    private func add(_ read: Read) {
        let wakes = waiting.withLock { waiting in
            waiting.append(read)
            return waiting.count == 1
        }
        if wakes { queue.async { self.work() } }
    }

    /// Runs and answers the waiting reads in groups, so that the first answer need not wait for the
    /// last read.
    private func work() {
        while true {
            let some = waiting.withLock { Array($0.prefix(Self.together)) }
            let answers = answers(to: some)
            if !answers.isEmpty { hop { for answer in answers { answer() } } }
            let isDone = waiting.withLock { waiting in
                waiting.removeFirst(some.count)
                return waiting.isEmpty
            }
            if isDone { return }
        }
    }

    /// Runs reads in their order.
    private func answers(to reads: [Read]) -> [@Sendable () -> Void] {
        var answers: [@Sendable () -> Void] = []
        var heads: [HeadsRead] = []
        for read in reads {
            switch read {
            case .heads(let rows, let done):
                heads.append((rows, done))
            case .other(let body):
                answers += self.answers(to: heads)
                heads = []
                answers.append(body(store))
            }
        }
        return answers + self.answers(to: heads)
    }

    private typealias HeadsRead = (rows: [Int64], done: @Sendable (Heads) -> Void)

    private func answers(to reads: [HeadsRead]) -> [@Sendable () -> Void] {
        var results = store.heads(ofRows: reads.flatMap(\.rows))[...]
        return reads.map { read in
            let heads = Array(results.prefix(read.rows.count))
            results = results.dropFirst(read.rows.count)
            return { read.done(heads) }
        }
    }
}
