/// Work that several tasks do until the first of them has ended.
enum FirstToEnd {
    /// Waits until the first of `bodies` has ended, and cancels the others without waiting.
    ///
    /// A read from a terminal would not end before somebody types.
    ///
    /// - Throws: the error of the first body to end.
    static func of(_ bodies: @Sendable () async throws -> Void...) async throws {
        let (ends, end) = AsyncThrowingStream.makeStream(of: Void.self)
        let tasks = bodies.map { body in
            Task {
                do {
                    try await body()
                    end.finish()
                } catch {
                    end.finish(throwing: error)
                }
            }
        }
        defer { for task in tasks { task.cancel() } }
        for try await _ in ends {}
    }
}
