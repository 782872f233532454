import Foundation

/// A line on a terminal that shows the progress of long work.
struct ProgressLine: Sendable {
    private let words: String
    private let output = Output.error

    init(_ words: String) {
        self.words = words
    }

    /// Does `work`, and meanwhile prints how many bytes are done.
    ///
    /// Work that takes less than a second leaves no trace.
    func during<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result,
        progress: @escaping @Sendable () -> (done: Int, all: Int)
    ) async throws -> Result {
        guard output.isTerminal else { return try await aside(work) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(1))
                    let (done, all) = progress()
                    let size = "\(TerminalText.size(done)) of \(TerminalText.size(max(done, all)))"
                    output.bytes(Data("\r\u{1B}[K\(words): \(size)".utf8))
                }
            }
            defer {
                group.cancelAll()
                output.bytes(Data("\r\u{1B}[K".utf8))
            }
            return try await aside(work)
        }
    }

    /// Runs `work` on its own queue, as Swift's pool may have only one thread.
    private func aside<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let queue = DispatchQueue(label: "parley.\(words)")
            queue.async { continuation.resume(with: .init(catching: work)) }
        }
    }
}
