import NIOCore

/// Answers of a batch on their way from those who have them to the one who writes them.
///
/// Whoever adds one waits until it is taken, so there are never more than are under way.
actor AnswerQueue {
    private var answers: [(answer: ByteBuffer, taken: CheckedContinuation<Void, Never>)] = []
    private var reader: CheckedContinuation<ByteBuffer?, Never>?
    private var hasEnded = false

    /// Adds an answer; returns when it is taken, or nobody takes any more.
    func add(_ answer: ByteBuffer) async {
        if let reader {
            self.reader = nil
            reader.resume(returning: answer)
            return
        }
        guard !hasEnded else { return }
        await withCheckedContinuation { answers.append((answer, $0)) }
    }

    /// The next answer, for the one reader; nil after the last one.
    func next() async -> ByteBuffer? {
        if !answers.isEmpty {
            let (answer, taken) = answers.removeFirst()
            taken.resume()
            return answer
        }
        guard !hasEnded else { return nil }
        return await withCheckedContinuation { reader = $0 }
    }

    /// There will be no more, or nobody will take them: everybody who waits is let go.
    func end() {
        hasEnded = true
        reader?.resume(returning: nil)
        reader = nil
        for (_, taken) in answers { taken.resume() }
        answers = []
    }
}
