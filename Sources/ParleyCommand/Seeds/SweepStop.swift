import Synchronization

/// The signal that asks work on many seeds to stop, once it was received.
///
/// The work ends between two seeds, and says what it has found before the signal ends the program.
final class SweepStop: Sendable {
    private let received = Mutex<EndSignals.End?>(nil)

    var signal: EndSignals.End? { received.withLock { $0 } }

    /// Does `body` while a signal only asks to stop; a second one ends the program at once.
    func during<Result>(_ body: () async throws -> Result) async throws -> Result {
        let signals = await EndSignals()
        defer { signals.letGo() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.wait(for: signals) }
            let result = try await body()
            group.cancelAll()
            return result
        }
    }

    /// The words on a sweep that was stopped, and how to go on.
    static func words(_ done: Int, of seeds: Range<UInt64>) -> String {
        let (next, end) = (seeds.lowerBound + UInt64(done), seeds.upperBound)
        return "stopped after \(done) of \(end - seeds.lowerBound) seeds; go on with "
            + "--seed \(next) --seeds \(end - next)"
    }

    private func wait(for signals: EndSignals) async throws {
        do {
            try await signals.wait()
        } catch let signal as EndSignals.End {
            received.withLock { $0 = signal }
            signals.letGo()
        }
    }
}
