import NIOCore

/// The queue between the producers of the answers of a batch and the task that writes them.
///
/// A producer waits until its answer is taken, so the queue never holds more answers than there are
/// producers.
actor AnswerQueue {
    private var answers: [(answer: ByteBuffer, taken: CheckedContinuation<Void, Never>)] = []
    private var reader: CheckedContinuation<ByteBuffer?, Never>?
    private var hasEnded = false

    /// Adds an answer; returns when it is taken or the queue has ended.
    func add(_ answer: ByteBuffer) async {
        if let reader {
            self.reader = nil
            reader.resume(returning: answer)
            return
        }
        guard !hasEnded else { return }
        await withCheckedContinuation { answers.append((answer, $0)) }
    }

    /// The next answer, for the only reader; nil after the last one.
    func next() async -> ByteBuffer? {
        if !answers.isEmpty {
            let (answer, taken) = answers.removeFirst()
            taken.resume()
            return answer
        }
        guard !hasEnded else { return nil }
        return await withCheckedContinuation { reader = $0 }
    }

    /// Ends the queue and resumes all waiting tasks.
    func end() {
        hasEnded = true
        reader?.resume(returning: nil)
        reader = nil
        for (_, taken) in answers { taken.resume() }
        answers = []
    }
}
