package import Dispatch

/// The loop of one node: a serial queue that is also the executor of the node's actors.
///
/// Actors that share one executor call each other with `assumeIsolated`. Handlers of sources that
/// run on `queue` enter the actors in the same way. Both trap when they are not on the queue.
package final class QueueExecutor: SerialExecutor {
    package let queue: DispatchQueue

    /// - Parameter label: The name that debuggers and profilers show, such as `parley.node`.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Whether the loop does some work within that time.
    package func answers(within limit: Duration) async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        queue.async {
            answer.yield()
            answer.finish()
        }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in answers { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
