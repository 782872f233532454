import ParleyStore

extension CommitQueue {
    /// The result of a read that `begin` begins.
    ///
    /// - Throws: `storeFailed`, `storeFull`, `stopped`.
    func read<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ begin: (CommitQueue, @escaping @Sendable (Result<Value, StoreError>) -> Void) -> Void
    ) async throws(NodeError) -> Value {
        let result = await withCheckedContinuation { done in
            begin(self) { done.resume(returning: $0) }
        }
        do { return try result.get() } catch { throw NodeError(whileRunning: error) }
    }
}
