/// A stream of news together with a beat in each interval, which keeps a connection in use and
/// notices when its other end is gone.
enum Heartbeat {
    /// Calls `take` with true at once and for each element of `news`, and with false at each beat,
    /// until `news` ends or `take` returns false.
    static func follow(
        _ news: some AsyncSequence<Void, Never> & Sendable,
        every interval: Duration,
        _ take: (Bool) async throws -> Bool
    ) async throws {
        let (beats, beat) = AsyncStream.makeStream(
            of: Bool.self,
            bufferingPolicy: .bufferingNewest(2)
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                beat.yield(true)
                for await _ in news { beat.yield(true) }
                beat.finish()
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: interval)
                    beat.yield(false)
                }
            }
            defer { group.cancelAll() }
            for await isNews in beats {
                guard try await take(isNews) else { return }
            }
        }
    }
}
