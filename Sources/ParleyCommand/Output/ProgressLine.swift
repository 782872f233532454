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
        try await around({ try await aside(work) }, progress: progress)
    }

    /// As `during`, for work that waits.
    func around<Result: Sendable>(
        _ work: @Sendable () async throws -> Result,
        progress: @escaping @Sendable () -> (done: Int, all: Int)
    ) async throws -> Result {
        guard output.isTerminal else { return try await work() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(1))
                    let (done, all) = progress()
                    show(done, of: all)
                }
            }
            defer {
                group.cancelAll()
                end()
            }
            return try await work()
        }
    }

    /// Prints how many bytes are done, and perhaps why there are no more.
    func show(_ done: Int, of all: Int, _ reason: String? = nil) {
        guard output.isTerminal else { return }
        let size = "\(TerminalText.size(done)) of \(TerminalText.size(max(done, all)))"
        let line = ["\(words): \(size)", reason.map(TerminalText.safe)].compactMap(\.self)
            .joined(separator: "  ")
        let fitted = TerminalText.fitted(line, columns: output.width - 1)
        output.bytes(Data("\r\u{1B}[K\(fitted)".utf8))
    }

    /// Removes the line.
    func end() {
        if output.isTerminal { output.bytes(Data("\r\u{1B}[K".utf8)) }
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
